"""Finds PostgreSQL for the tests, or installs it where possible: ``python tests/support/ensure_postgresql.py``.

The tests start their own cluster (`server/support/postgres_cluster.py`) and leave the machine's cluster alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

DEBIAN_PREFIX = Path("/usr/lib/postgresql")
CREATECLUSTER_CONF = Path("/etc/postgresql-common/createcluster.d/diamonds-tests.conf")
MISSING_MESSAGE = (
    "The tests of the store in PostgreSQL need its server: on Debian, `apt-get install postgresql` as root."
)


def find_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs: Debian's newest version, or the one on the path."""
    of_debian = sorted(DEBIAN_PREFIX.glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    found = of_debian[-1] if of_debian else shutil.which("postgres")
    return Path(found).parent if found else None


def install_postgresql() -> None:
    """Install Debian's package if run as root. Create no cluster and start nothing."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    CREATECLUSTER_CONF.parent.mkdir(parents=True, exist_ok=True)
    CREATECLUSTER_CONF.write_text("create_main_cluster = false\n", encoding="utf-8")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "postgresql"]):
        subprocess.run(["apt-get", *step], capture_output=True, check=False, env=quiet, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    if find_programs() is None:
        sys.stdout.write("Fetching PostgreSQL for the tests of its store ...\n")
        sys.stdout.flush()
        install_postgresql()
    if find_programs() is None:
        sys.stdout.write(MISSING_MESSAGE + "\n")
