"""Imports only run downward, large libraries stay in their layer, and only registries name games."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from diamonds.game import all_games

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "diamonds"

# From the bottom up. A module may import from its own package and from every package below.
LAYERS = [
    ["cards", "daily_deals", "deals", "code_fingerprint", "operating_system"],
    ["rng"],
    ["i18n"],
    ["errors"],
    ["entries", "fields"],
    ["events"],
    ["rules"],
    ["game"],
    ["views"],
    ["decisions", "duplicate"],
    ["records"],
    ["record_reader"],
    ["side_events", "playout"],
    ["jit"],
    ["bots"],
    ["lab", "envs", "server", "wasm"],
    ["terminal"],
    ["cli"],
    ["__main__"],
]
# The layers inside packages that have subpackages, again from the bottom up.
SUBPACKAGE_LAYERS = {
    "bots": [["bot", "games"], ["search"], ["kernels", "plugins"], ["analysis", "levels"], ["answer_check"]],
    "server": [
        ["api"],
        ["errors"],
        ["metrics"],
        ["server_time", "background_tasks", "request_context"],
        ["storage"],
        ["jobs"],
        ["cluster"],
        ["people"],
        ["tables"],
        ["accounts"],
        ["lobby"],
        ["notifications"],
        ["settings_file"],
        ["moderation"],
        ["http"],
        ["settings_reload", "uvicorn_server", "listening_sockets"],
        ["main"],
        ["__main__"],
    ],
}
ONLY_IN = {
    "fluent": ["i18n"], "numba": ["jit", "bots", "lab", "wasm"], "llvmlite": ["jit", "wasm"], "pyarrow": ["terminal"],
    "litestar": ["server"], "typer": ["cli"], "apsw": ["server"], "msgspec": ["server"], "psycopg": ["server"],
    "aiohttp": ["server"], "multidict": ["server"], "yarl": ["server"], "http_ece": ["server"],
    "py_vapid": ["server"], "webauthn": ["server"], "prometheus_client": ["server"], "structlog": ["server"],
}  # fmt: skip


@cache
def imports(path: Path) -> list[tuple[int, str]]:
    """Yield every module that a file imports, with the line."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, name.name) for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [(node.lineno, f"{node.module}.{name.name}") for name in node.names]
    return found


def upward_imports(folder: Path, package: str, layers: list[list[str]]) -> list[str]:
    """Return a line for each import between subpackages that does not run downward."""
    height = {room: height for height, rooms in enumerate(layers) for room in rooms}
    wrong = []
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        if parts == ("__init__",):
            continue
        room = parts[0]
        assert room in height, f"{package}.{room} is missing here and in docs/architecture.md"
        for line, name in imports(path):
            if name.startswith(f"{package}."):
                other = name.removeprefix(f"{package}.").split(".")[0]
                if other in height and other != room and height[other] >= height[room]:
                    wrong.append(f"{'/'.join(parts)}.py:{line} {package}.{room} must not import {other}")
    return wrong


@pytest.mark.later
def test_imports_run_downward_only():
    wrong = upward_imports(SOURCE, "diamonds", LAYERS)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("room", SUBPACKAGE_LAYERS)
def test_imports_run_downward_inside_a_room_too(room):
    wrong = upward_imports(SOURCE / room, f"diamonds.{room}", SUBPACKAGE_LAYERS[room])
    assert not wrong, "\n".join(wrong)


# Files that may name games: one registry in each package, and the package's modules for each game.
GAME_NAMES_ALLOWED_IN = {
    "bots": ["games/__init__", "games/crystals/", "games/fourteen/", "games/mines/"],
    "terminal": ["games/__init__", "games/crystals", "games/fourteen", "games/mines"],
}


@pytest.mark.parametrize("room", GAME_NAMES_ALLOWED_IN)
def test_games_are_named_in_one_registry_a_room(room):
    names = ("crystals", "fourteen", "mines")
    wrong = []
    for path in sorted((SOURCE / room).rglob("*.py")):
        inside = path.relative_to(SOURCE / room).with_suffix("").as_posix()
        if inside.startswith(tuple(GAME_NAMES_ALLOWED_IN[room])):
            continue
        for line, name in imports(path):
            if name.startswith(tuple(f"diamonds.rules.{game}" for game in names)):
                wrong.append(f"{room}/{inside}.py:{line} imports {name}")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value in names:
                wrong.append(f"{room}/{inside}.py:{node.lineno} names {node.value}")
    assert not wrong, "\n".join(wrong)


def test_there_is_no_circle_among_imports():
    """Imports inside functions also count."""
    modules = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path

    def module_of(name: str) -> str:
        while name not in modules:
            name = name.rpartition(".")[0]
        return name

    needs = {
        one: {module_of(name) for _, name in imports(path) if name.startswith("diamonds.")} - {one}
        for one, path in modules.items()
    }
    while free := {one for one in needs if not needs[one] & needs.keys()}:
        for one in free:
            del needs[one]
    while needs and (idle := {one for one in needs if not any(one in other for other in needs.values())}):
        for one in idle:
            del needs[one]
    assert not needs, f"circular imports: {', '.join(sorted(needs))}"


@pytest.mark.later
def test_no_file_of_the_server_names_a_game():
    """Fields and options of single games also count; comments and messages do not."""
    games = all_games()
    own = {name for game in games for name in (game.name, *(option.name for option in game.options))}
    shared = set.intersection(*({field.name for field in game.fields} for game in games))
    own |= {field.name for game in games for field in game.fields} - shared
    # reviews also have rounds, and the database has columns with those names
    own -= {"rounds", "aside", "owner", "target"}
    own -= {"left"}  # the remaining time in stored clocks
    own -= {"match"}  # the duplicate match to which a table belongs
    wrong = []
    for path in sorted((SOURCE / "server").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value in own:
                wrong.append(f"{path.relative_to(SOURCE)}:{node.lineno} knows of {node.value!r}")
        wrong += [
            f"{path.name}:{line} imports {name}" for line, name in imports(path) if name.startswith("diamonds.rules")
        ]
    assert not wrong, "\n".join(wrong)


def test_documented_folder_tree_matches_the_source():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tree = text.partition("```\nsrc/diamonds/\n")[2].partition("```")[0]
    shown, above = {"src/diamonds"}, ["src/diamonds"]
    for line in tree.splitlines():
        name = line.split()[0].rstrip("/")
        depth = (len(line) - len(line.lstrip())) // 2
        above = [*above[:depth], name]
        shown.add("/".join(above))
    there = set()
    for top, ending in (("src/diamonds", "*.py"), ("web/src", "*.[ts][sv]*")):
        files = [path.relative_to(ROOT) for path in (ROOT / top).rglob(ending)]
        there |= {folder.as_posix() for path in files for folder in path.parents if folder.as_posix().startswith(top)}
    assert shown == there, (
        "the tree of folders in docs/architecture.md is out of date: "
        f"it lacks {sorted(there - shown)} and still has {sorted(shown - there)}"
    )


def test_library_stays_in_its_room():
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).with_suffix("").parts[0]
        for line, name in imports(path):
            library = name.split(".")[0]
            if library in ONLY_IN and room not in ONLY_IN[library]:
                wrong.append(f"{path.name}:{line} {library} belongs in {' and '.join(ONLY_IN[library])}")
    assert not wrong, "\n".join(wrong)


def test_importing_diamonds_needs_numpy_alone():
    code = (
        "import sys\n"
        "import numpy\n"
        "before = set(sys.modules)\n"
        "import diamonds\n"
        "new = {m.split('.')[0] for m in set(sys.modules) - before}\n"
        "print(sorted(m for m in new - set(sys.stdlib_module_names) if not m.startswith('_')))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "['diamonds']"


@pytest.mark.parametrize(("modules", "large"), [
    ("record_reader views bots.levels envs", "numba gymnasium pettingzoo pyspiel"),  # the server imports the levels
    ("cli", "numba litestar msgspec markdown_it"),
    ("cli server.main", "fluent babel"),  # a program without output needs no catalog
])  # fmt: skip
def test_import_loads_no_compiler_framework_or_catalog(modules, large):
    imports = "; ".join(f"import diamonds.{module}" for module in modules.split())
    code = f"import sys; {imports}; print([name for name in {large.split()} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
