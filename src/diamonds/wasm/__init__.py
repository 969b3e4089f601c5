"""Rules and bots as WebAssembly modules for browsers and Node, from the same functions that `diamonds.jit` compiles.

`exports` defines the functions of a module, `linker` links Numba's LLVM code into one object, `object_file` turns that
into a module, `manifest` has the declarations of the rules as data, and `build` writes the files. All of this runs in a
separate process (`subprocess_build`, or ``python -m diamonds.wasm FOLDER``), because Numba needs special settings for
it (`PORTABLE_CODEGEN_ENV`).
"""

MANIFEST = "manifest.json"
PLAY = "play"  # rules and views
SEARCH = "thinking"  # bots' answers and hints
REVIEW = "review"  # judgement and forecasts of finished games
REASONS = "reasons"  # reasons for answers, from the events that playouts counted after them
KINDS = (PLAY, SEARCH, REVIEW, REASONS)

# Numba's settings for portable code, which must be set before it is imported.
PORTABLE_CODEGEN_ENV = {
    "NUMBA_OPT": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
}
