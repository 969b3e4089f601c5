"""Write modules into a folder: ``python -m diamonds.wasm FOLDER [GAME[,GAME] [KIND[,KIND]]]``."""

import sys

from diamonds.wasm.writing import write

if __name__ == "__main__":
    folder, *chosen = sys.argv[1:]
    write(folder, *(names.split(",") for names in chosen))
