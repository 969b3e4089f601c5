"""The third speed: rules and bots as WebAssembly modules, for a browser or Node, from the very functions that `diamonds.jit` compiles.

`kernels` says what a module offers, `linking` makes one out of what Numba says in LLVM's language, `objects` gives it its last form,
`manifest` tells a program that runs it all that is declared beside the rules, and `build` writes the files. All of that is done by a
process of its own (`writing`, or ``python -m diamonds.wasm FOLDER``), in which Numba is set up as it has to be (`PORTABLE_CODEGEN_ENV`).
"""

MANIFEST = "manifest.json"
PLAY = "play"  # all that it takes to play a game
SEARCH = "thinking"  # to choose an answer, and to weigh answers, as bots do
REVIEW = "review"  # to judge the answers of a finished game, and to forecast how it might have ended
REASONS = "reasons"  # why an answer is good, from what was counted after it
KINDS = (PLAY, SEARCH, REVIEW, REASONS)

# How Numba is to be set before it is imported, so that what it says is not made for the machine at hand.
PORTABLE_CODEGEN_ENV = {
    "NUMBA_OPT": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
}
