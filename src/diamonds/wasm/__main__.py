"""Write modules into a folder: ``python -m diamonds.wasm FOLDER GAME[,GAME] KIND[,KIND]``."""

import os
import sys
from pathlib import Path

from diamonds.game import find_game
from diamonds.wasm import PLAINLY

if __name__ == "__main__":
    os.environ.update(PLAINLY)
    from diamonds.wasm import build

    folder, games, kinds = sys.argv[1:]
    build.build(Path(folder), [find_game(name) for name in games.split(",")], kinds.split(","))
