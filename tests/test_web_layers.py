"""Imports of the web client run downward, and code for single games is in their folders."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

pytestmark = pytest.mark.later

SOURCE = Path(__file__).parents[1] / "web" / "src"
# From the bottom up; the last is the top of the folder.
LAYERS = [
    *"client engine components local games accounts social notifications table moderation pages".split(),
    *"lessons puzzles duel duplicate daily".split(),
    "",
]
GAMES = ["crystals", "fourteen", "mines"]
GENERATED = "client/types.ts"
IMPORT = re.compile(r"""(?:\bfrom |\bimport\(|\bimport )'(\.[^']*)(?<!\.json)'""")


def source_files() -> Iterator[tuple[PurePosixPath, str]]:
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in {".ts", ".svelte"}:
            yield PurePosixPath(path.relative_to(SOURCE).as_posix()), path.read_text(encoding="utf-8")


def resolve_import(importer: PurePosixPath, name: str) -> PurePosixPath:
    """Return the file that an import names, with or without its suffix."""
    target = (SOURCE / importer).parent / name
    for ending in ("", ".ts", ".svelte.ts", "/index.ts"):
        found = Path(f"{target}{ending}")
        if found.is_file():
            return PurePosixPath(found.resolve().relative_to(SOURCE).as_posix())
    raise AssertionError(f"{importer} imports {name}, which does not exist.")


def layer_of(path: PurePosixPath) -> str:
    return path.parts[0] if len(path.parts) > 1 else ""


def test_web_imports_run_downward():
    wrong = []
    for path, text in source_files():
        assert layer_of(path) in LAYERS, f"{layer_of(path)} is missing in the order of layers."
        for name in IMPORT.findall(text):
            target = resolve_import(path, name)
            if LAYERS.index(layer_of(target)) > LAYERS.index(layer_of(path)):
                wrong.append(f"{path} imports {target}, which lies above it.")
    assert not wrong, "\n".join(wrong)


def test_web_imports_have_no_cycle():
    below = {path: {resolve_import(path, name) for name in IMPORT.findall(text)} for path, text in source_files()}
    done: set[PurePosixPath] = set()

    def visit(path: PurePosixPath, way: list[PurePosixPath]) -> None:
        assert path not in way, "circular imports: " + " → ".join(map(str, [*way[way.index(path) :], path]))
        if path in done:
            return
        for target in sorted(below.get(path, ())):
            visit(target, [*way, path])
        done.add(path)

    for path in below:
        visit(path, [])


def test_game_specific_code_lives_in_game_folders_listed_in_one_file():
    wrong = []
    for path, text in source_files():
        if str(path) in {GENERATED, "games/index.ts"}:
            continue
        home = path.parts[1] if layer_of(path) == "games" and len(path.parts) > 2 else ""
        for number, line in enumerate(text.splitlines(), 1):
            named = {game for game in GAMES if re.search(rf"\b{game}(View)?\b", line, re.IGNORECASE)} - {home}
            if re.search(r"'\w+' in [\w.!]*[vV]iew\b", line):
                named.add("a view that is probed")
            wrong += [f"{path}:{number} has {one}: {line.strip()}" for one in sorted(named)]
    assert not wrong, "Only `games/index.ts` may tell games apart:\n" + "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_folder_that_fulfils_the_contract(game):
    listed = (SOURCE / "games" / "index.ts").read_text(encoding="utf-8")
    assert f"['{game}', async () => (await import('./{game}')).default]" in listed, f"{game} has no folder."
    text = (SOURCE / "games" / game / "index.ts").read_text(encoding="utf-8")
    assert re.search(rf"^const {game}: GameUi<\w+View> = ", text, re.MULTILINE), f"{game} fulfils no contract."
