"""Write modules into a folder: ``python -m diamonds.wasm FOLDER [GAME[,GAME] [KIND[,KIND]]]``."""

import sys

from diamonds.wasm.subprocess_build import build_in_subprocess

if __name__ == "__main__":
    folder, *chosen = sys.argv[1:]
    build_in_subprocess(folder, *(names.split(",") for names in chosen))
