"""JavaScript functions that tests run in a page, read from the `.js` file beside a Python module."""

import json
import re
from pathlib import Path
from typing import Any


class Scripts:
    """The exported functions of a JavaScript file, as text. They can call other functions in the file."""

    def __init__(self, python_file: str) -> None:
        source = Path(python_file).with_suffix(".js").read_text(encoding="utf-8")
        self._names = set(re.findall(r"^export const (\w+) =", source, re.M))
        self._source = re.sub(r"^export ", "", source, flags=re.M)

    def __getitem__(self, name: str) -> str:
        """Return an expression for `evaluate` or `wait_for_function`, whose argument the function receives."""
        if name not in self._names:
            raise KeyError(f"{name} is not exported; these are: {', '.join(sorted(self._names))}")
        return f"(...values) => {{\n{self._source}\nreturn {name}(...values)\n}}"

    def call(self, name: str, *arguments: Any) -> str:
        """Return a statement for `add_init_script` that calls the function with these arguments."""
        return f"({self[name]})({', '.join(map(json.dumps, arguments))})"
