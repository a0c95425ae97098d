# Everything happens in .venv, which the first target that needs it makes; nothing outside
# of this folder is touched. `make help` lists the targets.

# The first interpreter that is new enough; `make PYTHON=python3.13 test` picks another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
VENV ?= .venv
# Test processes; the suite is small, so more than two do not pay.
JOBS ?= 2

bin := $(VENV)/bin
pip := $(bin)/python -m pip
done := $(VENV)/.done-
native := $(sort $(shell find src/tarot_sim -name '*.pyx' -o -name '*.pxd'))
modules := $(subst /,.,$(patsubst src/%.pyx,%,$(filter %.pyx,$(native))))
hand := A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: help build demo test coverage lint format bench bench-solver accuracy slow sanitize refresh dist clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

help:
	@echo 'make demo      set up and answer one question: the chances of a real hand'
	@echo 'make test      set up and run the tests (all but the slow ones)'
	@echo 'make build     set up only: leaves $(bin)/tarot-sim with all extras'
	@echo 'make coverage  the tests again, with what of the Python code they ran'
	@echo 'make lint      ruff, import-linter, cython-lint, mypy --strict, stubtest'
	@echo 'make format    let ruff format the Python files'
	@echo 'make bench     benchmarks, and the comparisons with colver'
	@echo 'make bench-solver   speed of the double-dummy solver by size of deal (up to hours)'
	@echo 'make accuracy  chances against exact answers, and their intervals against long runs'
	@echo 'make slow      the long tests: millions of plays against the reference'
	@echo 'make sanitize  the unit tests under address and undefined-behaviour sanitizers'
	@echo 'make refresh   write the golden deals and the answers in the READMEs again'
	@echo 'make dist      source distribution and wheel, the wheel tried outside of the tree'
	@echo 'make clean     remove everything that was made here'

build: $(done)native

demo: build
	$(bin)/tarot-sim chances "$(hand)"

test: $(done)test build
	$(bin)/python -m pytest -n $(JOBS) --benchmark-disable

# Of Python only: the native modules are held against the reference instead.
coverage: $(done)test build
	$(bin)/python -m pytest -n $(JOBS) --benchmark-disable --cov --cov-report=term --cov-report=html

slow: $(done)test build
	$(bin)/python -m pytest tests/slow -m slow -n 0 -v -s --durations=0

# All of them, even after one has failed.
lint: $(done)lint build
	@status=0; check() { echo "$$*" | cut -c 1-100; "$$@" || status=1; }; PATH="$(bin):$$PATH"; \
	check ruff check; \
	check ruff format --check; \
	check lint-imports; \
	check cython-lint $(native); \
	check python -m mypy; \
	check python -m mypy.stubtest $(modules) --allowlist tests/typing/stubtest.allowlist; \
	exit $$status

format: $(done)lint
	$(bin)/ruff format

bench: $(done)test $(done)bench build
	$(bin)/python -m pytest benchmarks -n 0 --benchmark-columns=median,iqr,min,max,rounds \
		--benchmark-group-by=func --benchmark-sort=name
	$(bin)/python -m benchmarks.rivals.compare_colver
	$(bin)/python -m benchmarks.rivals.compare_colver_solver

bench-solver: $(done)test build
	$(bin)/python -m benchmarks.bench_solver
	$(bin)/python -m benchmarks.bench_solver --cards 18 --deals 200 --seconds 60 --bounds 10 \
		--json build/bench-18.jsonl

accuracy: $(done)test build
	$(bin)/python -m benchmarks.calibration.accuracy

# A build of its own, so that the normal one stays. CPython never frees its interned and
# static objects, hence no leak detection; its own allocator would hide overruns of small
# blocks, hence malloc. matplotlib throws exceptions that the sanitizer cannot follow, hence no
# pictures. libasan has to be loaded before the interpreter's libraries.
sanitized := build/sanitize
under = env LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" PYTHONMALLOC=malloc \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	PYTHONPATH=$(sanitized)/lib
sanitize: $(done)test build
	TAROT_SIM_SANITIZE=1 $(bin)/python setup.py --quiet build \
		--build-lib $(sanitized)/lib --build-temp $(sanitized)/temp
	$(under) $(bin)/python -c 'from tarot_sim import _core; print(_core.__file__)' \
		| grep "$(sanitized)"
	$(under) $(bin)/python -m pytest tests/unit --ignore tests/unit/test_readme.py \
		--ignore tests/unit/estimation/test_plots.py -k "not plot and not drawn" -n $(JOBS) -p no:cacheprovider --benchmark-disable

refresh: $(done)test build
	$(bin)/python -m tests.golden.refresh
	$(bin)/python -m tests.readme

dist: $(done)release
	rm -rf dist build/wheel-check
	$(bin)/python -m build --outdir dist
	$(VENV)/bin/python -m venv build/wheel-check
	build/wheel-check/bin/pip install --quiet "$$(ls dist/*.whl)[cli]"
	cd build/wheel-check && bin/tarot-sim --version && \
		bin/tarot-sim chances --worlds 200 "$(hand)"

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks \
		.coverage
	rm -rf src/tarot_sim.egg-info
	find src -name '*.so' -delete
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up, each step once ----------------------------------------------------------

$(done)venv:
	@test -n "$(PYTHON)" || { echo 'tarot_sim needs Python 3.11 or newer: make PYTHON=…' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(pip) install --quiet --upgrade 'pip>=25.1'
	touch $@

# The package as a link to src/, without native modules: the next step makes these, and
# makes again only those whose sources have changed.
$(done)install: $(done)venv pyproject.toml setup.py
	$(pip) install --quiet --group build
	TAROT_SIM_PURE=1 $(pip) install --quiet --no-build-isolation --editable '.[all]'
	touch $@

# After a change of setup.py all of it: neither Cython nor setuptools compares the flags.
$(done)native: $(done)install $(native)
	$(if $(filter %install,$?),rm -rf build/cython)
	$(bin)/python setup.py --quiet build_ext --inplace --parallel 2 $(if $(filter %install,$?),--force)
	touch $@

$(done)test $(done)lint $(done)bench $(done)release: $(done)%: $(done)install pyproject.toml
	$(pip) install --quiet --group $*
	touch $@
