"""Fingerprints of functions: equal if their code, the code they call and the constants they use are equal.

Comments, docstrings, line numbers and unreachable code do not count. `diamonds.jit` caches each compiled kernel under
its fingerprint and recompiles it only when the result would differ.

Every name that a function uses is followed, even if it may be a field's name as well as a module's. At worst, a kernel
is recompiled needlessly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from inspect import isfunction
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

import diamonds

# functions of other packages count only by name; callers add the packages' versions
OWN_PACKAGES = ("diamonds", "tests", "test_")


def source_hash() -> str:
    """Return a hash of the sources and weights that determine how bots play."""
    root = Path(diamonds.__file__).parent
    files = [
        path for package in ("rules", "bots") for path in (root / package).rglob("*") if path.suffix in (".py", ".npy")
    ]
    files += [root / name for name in ("rng.py", "playout.py")]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()[:8]


def fingerprint(functions: Iterable[Callable[..., Any]], extra: str = "") -> str:
    """Return a fingerprint of these functions and an extra text: sixteen hexadecimal digits."""
    hasher = _FunctionHasher()
    hasher.add(extra)
    for function in functions:
        hasher.add_value(function, set())
    return hasher.digest.hexdigest()[:16]


def reachable_functions(function: FunctionType) -> set[FunctionType]:
    """Return a function and all functions of this project that it may call."""
    hasher = _FunctionHasher()
    hasher.add_value(function, set())
    return hasher.visited


class _FunctionHasher:
    """A hash of functions and everything that they use."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.visited: set[FunctionType] = set()

    def add(self, *parts: object) -> None:
        """Add values whose `repr` is the same in every process."""
        self.digest.update(repr(parts).encode())

    def add_value(self, value: Any, names: set[str]) -> None:
        """Add a constant, a function or a module; in a module, only what these names refer to."""
        if value is None or isinstance(value, bool | int | float | str | bytes):
            self.add(value)
        elif isinstance(value, tuple | list):
            self.add(len(value), getattr(value, "_fields", ()))
            for item in value:
                self.add_value(item, names)
        elif isinstance(value, frozenset):
            self.add(sorted(map(repr, value)))
        elif isinstance(value, CodeType):
            self.add_code(value, None, names)
        elif isinstance(value, np.ndarray | np.generic):
            self.add(str(value.dtype), value.shape, value.tobytes())
        elif isinstance(value, ModuleType):
            self.add(value.__name__)
            if value.__name__.startswith(OWN_PACKAGES):
                for name in sorted(names & vars(value).keys()):
                    self.add(name)
                    self.add_value(vars(value)[name], names)
        elif isfunction(value) and value.__module__.startswith(OWN_PACKAGES):
            self.add_function(value)
        else:
            self.add(getattr(value, "__module__", ""), getattr(value, "__qualname__", type(value).__qualname__))
            # kernels index a named tuple by position, so only the order of its fields matters
            self.add(getattr(value, "_fields", ()))

    def add_function(self, function: FunctionType) -> None:
        """Add a function and, once, everything that it uses."""
        self.add(function.__module__, function.__qualname__)
        if function in self.visited:
            return
        self.visited.add(function)
        names = {kind for kind in function.__annotations__.values() if isinstance(kind, str)}
        self.add_code(function.__code__, function.__doc__, names)
        self.add_value(function.__defaults__, names)
        for cell in function.__closure__ or ():
            self.add_value(cell.cell_contents, names)
        for name in sorted(names & function.__globals__.keys()):
            self.add(name)
            self.add_value(function.__globals__[name], names)

    def add_code(self, code: CodeType, doc: str | None, names: set[str]) -> None:
        """Add a body without its docstring, and collect the names that it uses."""
        names.update(code.co_names)
        self.add(code.co_code, code.co_names, code.co_argcount, code.co_exceptiontable)
        for k, constant in enumerate(code.co_consts):
            if k > 0 or doc is None or constant != doc:
                self.add_value(constant, names)
