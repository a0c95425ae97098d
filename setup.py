"""Builds the native modules; all metadata is in pyproject.toml.

Environment switches:
  TAROT_SIM_DEBUG=1      assertions of the Cython code, symbols, little optimisation
  TAROT_SIM_SANITIZE=1   address and undefined-behaviour sanitizers
  TAROT_SIM_NATIVE=1     code for this very processor (not to be shipped)
  TAROT_SIM_PURE=1       no native modules: the Makefile builds them in a step of its own
"""

import os
import platform
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup


def switch(name: str) -> bool:
    """Tell whether an environment switch is on."""
    return os.environ.get(f"TAROT_SIM_{name}", "") not in ("", "0")


debug, sanitize, native = switch("DEBUG"), switch("SANITIZE"), switch("NATIVE")
flags, link = ["-O3", "-fno-math-errno", "-Wno-unreachable-code"], []
if platform.machine() in ("x86_64", "AMD64"):
    flags.append("-march=native" if native else "-march=x86-64-v2")
if debug or sanitize:
    flags = [*flags[1:], "-O1", "-g", "-fno-omit-frame-pointer"]
if sanitize:
    flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    link += ["-fsanitize=address,undefined"]

extensions = [
    Extension(
        ".".join(source.relative_to("src").with_suffix("").parts),
        [source.as_posix()],
        include_dirs=[numpy.get_include()],
        extra_compile_args=flags,
        extra_link_args=link,
        define_macros=[("CYTHON_WITHOUT_ASSERTIONS", None)] if not debug else [],
    )
    for source in sorted(Path("src/tarot_sim").rglob("*.pyx"))
]

setup(
    ext_modules=[]
    if switch("PURE")
    else cythonize(
        extensions,
        # The C code depends on the directives, which Cython does not compare with those
        # of the file that is there.
        build_dir=os.path.join("build", "cython-debug" if debug else "cython"),
        compiler_directives={
            "language_level": 3,
            # Arguments are Python objects or arrays; the inner loops use C arrays, which
            # no directive checks.
            "boundscheck": True,
            "show_performance_hints": False,  # they ask to turn these checks off
            "wraparound": False,
            "initializedcheck": debug,
            "cdivision": True,
            "embedsignature": True,
        },
    ),
)
