# Nothing of the search is for Python, but the module can be imported.
