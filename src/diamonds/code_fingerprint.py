"""What a function says, as a short text: the same as long as its code, that of all it calls, and their constants are the same.

Comments, docstrings, line numbers, and whatever a function never gets to play no part. So a compiled kernel that is kept under
its fingerprint (`diamonds.jit`) is made anew when it would be another one, and only then.

A name that a function uses is followed wherever it may lead; one that is both a module's and a field's is followed too, which
at worst makes a kernel anew that need not be.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from inspect import isfunction
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

OWN_PACKAGES = (
    "diamonds",
    "tests",
    "test_",
)  # functions of other packages are known by their names; their versions are said besides


def fingerprint(functions: Iterable[Callable[..., Any]], extra: str = "") -> str:
    """Sixteen hexadecimal digits for what some functions say, and a text besides."""
    hasher = _FunctionHasher()
    hasher.add(extra)
    for function in functions:
        hasher.add_value(function, set())
    return hasher.digest.hexdigest()[:16]


def reachable_functions(function: FunctionType) -> set[FunctionType]:
    """A function and all of ours that it may call."""
    hasher = _FunctionHasher()
    hasher.add_value(function, set())
    return hasher.visited


class _FunctionHasher:
    """What has been said so far."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.visited: set[FunctionType] = set()

    def add(self, *parts: object) -> None:
        """Say something whose `repr` is the same in every process."""
        self.digest.update(repr(parts).encode())

    def add_value(self, value: Any, names: set[str]) -> None:
        """Say a constant, or all that a function or a module says; of a module, what goes by one of these names."""
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
            self.add(getattr(value, "_fields", ()))  # of a named tuple, kernels know the places alone

    def add_function(self, function: FunctionType) -> None:
        """Say a function and, once, all that it leads to."""
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
        """Say what a body does, without its docstring, and gather the names that it uses."""
        names.update(code.co_names)
        self.add(code.co_code, code.co_names, code.co_argcount, code.co_exceptiontable)
        for k, constant in enumerate(code.co_consts):
            if k > 0 or doc is None or constant != doc:
                self.add_value(constant, names)
