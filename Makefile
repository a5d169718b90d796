# Sets the project up, builds its core and runs its checks. `make` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
JOBS ?= 2
# Instruction sets to compile; `make build VARIANTS=avx2` halves the work while developing.
VARIANTS ?= all
# Handed on to the programs: `make test PYTEST_ARGS='-x tests/games'`, `make loop LOOP_ARGS='--help'`.
PYTEST_ARGS ?=
LOOP_ARGS ?=
BENCH_ARGS ?=

BIN := .venv/bin
READY := .venv/.ready

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

.PHONY: setup
setup: $(READY) ## make .venv and install everything into it (only when something changed)
	@:

$(READY): pyproject.toml constraints.txt
	@PYTHON=$(PYTHON) scripts/setup.sh

.PHONY: system-packages
system-packages: ## install what the tests use from Debian: external engines and the like
	@scripts/system_packages.sh

.PHONY: build
build: setup build/.configured ## compile the core into src/milton/_core (incremental)
	@flock build/.lock $(BIN)/ninja -C build -j $(JOBS) --quiet

# Reconfigured only when VARIANTS changes; ninja itself notices changes in CMakeLists.txt and new sources.
build/.configured: $(READY) FORCE
	@VARIANTS='$(VARIANTS)' scripts/configure.sh

.PHONY: FORCE
FORCE:

.PHONY: stubs
stubs: build ## regenerate the type stubs of the compiled core
	@$(BIN)/python scripts/stubs.py write

.PHONY: lint
lint: build ## style, types, import directions, stubs
	@$(BIN)/ruff check --quiet --output-format concise
	@$(BIN)/ruff format --check --quiet || { echo "not formatted: run 'make format'"; exit 1; }
	@$(BIN)/python scripts/stubs.py check
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo --cache-dir build/import-linter >build/imports.txt || { cat build/imports.txt; exit 1; }
	@scripts/check_nanobind.sh
	@scripts/check_cpp_format.sh

.PHONY: format
format: setup ## rewrite Python and C++ sources in the project's style
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format --quiet
	@scripts/check_cpp_format.sh --fix

.PHONY: test
test: build web system-packages lint ## set up, then every check that is quick
	@$(BIN)/pytest -q -m 'not slow' $(PYTEST_ARGS)

.PHONY: test-slow
test-slow: build system-packages ## the checks that take minutes
	@$(BIN)/pytest -q -m slow $(PYTEST_ARGS)

.PHONY: loop
loop: build web ## set up, then learn: self-play, training, arena, again
	@scripts/loop.sh $(LOOP_ARGS)

.PHONY: bench
bench: build ## measure speed
	@$(BIN)/milton bench $(BENCH_ARGS)

.PHONY: web
web: ## the web page that `milton serve` hands out (needs Node.js; only when something changed)
	@scripts/web.sh

.PHONY: test-web
test-web: build web system-packages ## the tests of the pages alone, in a real browser
	@$(BIN)/pytest -q tests/web $(PYTEST_ARGS)

.PHONY: screenshots
screenshots: build web ## take the pictures of README and docs anew, in docs/images
	@cd web && node e2e/screenshots.mjs

.PHONY: wasm
wasm: setup ## compile the core to WebAssembly, in build/wasm (incremental)
	@JOBS=$(JOBS) scripts/wasm.sh

.PHONY: site
site: build wasm ## the static site, in web/dist: any file server can hand it out
	@scripts/site.sh

.PHONY: sanitize
sanitize: setup ## run the C++ tests under the address, undefined-behaviour and thread sanitizers
	@scripts/sanitize.sh

.PHONY: wheel
wheel: setup web ## a wheel with every variant, in dist/
	@$(BIN)/pip wheel . --quiet --no-deps -w dist
	@ls dist/*.whl

.PHONY: clean
clean: ## remove what was built; keeps .venv and runs/
	@rm -rf build dist src/milton/_core/*.so
