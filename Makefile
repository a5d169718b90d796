# Sets the project up, builds its core and runs its checks. `make` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
JOBS ?= 2
# Instruction sets to compile; `make build VARIANTS=avx2` does a third of the work while developing.
VARIANTS ?= all
# Handed on to the programs: `make test PYTEST_ARGS='-x tests/games'`, `make loop LOOP_ARGS='--help'`.
PYTEST_ARGS ?=
# Processes that share the tests of `make test`; 0 runs them in one, without pytest-xdist.
PYTEST_PROCESSES ?= 2
LOOP_ARGS ?=
BENCH_ARGS ?=
FUZZ_S ?= 60

BIN := .venv/bin
# What a checkout installs: `loop` to learn and play, `dev` adds the tools of the tests, `docs` those of the site.
READY_LOOP := .venv/.ready-loop
READY_DEV := .venv/.ready-dev
READY_DOCS := .venv/.ready-docs

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

.PHONY: setup
setup: $(READY_DEV) ## make .venv and install everything for development into it (only when something changed)
	@:

.PHONY: setup-loop
setup-loop: $(READY_LOOP) ## the same with only what learning and playing need
	@:

.venv/.ready-%: pyproject.toml constraints.txt scripts/setup.sh
	@PYTHON=$(PYTHON) scripts/setup.sh $*

.PHONY: system-packages
system-packages: ## install what the tests use from Debian: Stockfish and Chromium
	@scripts/system_packages.sh tests

.PHONY: engines
engines: ## install the rated chess engines of `milton rate --pool ccrl` from Debian
	@PYTHON=$(PYTHON) scripts/system_packages.sh engines

.PHONY: build
build: setup-loop build/.configured ## compile the core into src/milton/_core (incremental)
	@flock build/.lock $(BIN)/ninja -C build -j $(JOBS) --quiet

# Reconfigured only when VARIANTS changes; ninja itself notices changes in CMakeLists.txt and new sources.
build/.configured: $(READY_LOOP) FORCE
	@VARIANTS='$(VARIANTS)' scripts/configure.sh

.PHONY: FORCE
FORCE:

.PHONY: stubs
stubs: setup build ## regenerate the type stubs of the compiled core
	@$(BIN)/python scripts/stubs.py write

.PHONY: lint
lint: setup build ## style, types, import directions, stubs
	@$(BIN)/ruff check --quiet --output-format concise
	@$(BIN)/ruff format --check --quiet || { echo "not formatted: run 'make format'"; exit 1; }
	@$(BIN)/python scripts/stubs.py check
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo --cache-dir build/import-linter >build/imports.txt || { cat build/imports.txt; exit 1; }
	@scripts/check_nanobind.sh
	@$(BIN)/python scripts/check_includes.py
	@scripts/check_cpp_format.sh
	@scripts/check_web.sh

.PHONY: format
format: setup ## rewrite Python, C++ and TypeScript sources in the project's style
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format --quiet
	@scripts/check_cpp_format.sh --fix
	@scripts/check_web.sh --fix

.PHONY: test
test: setup build web system-packages lint test-core ## set up, then every check that is quick
	@$(BIN)/pytest -q -m 'not slow' -n $(PYTEST_PROCESSES) $(PYTEST_ARGS)

.PHONY: test-core
test-core: build ## compile and run the core's own tests, core/tests
	@flock build/.lock $(BIN)/ninja -C build -j $(JOBS) --quiet core_tests
	@$(BIN)/ctest --test-dir build --output-on-failure -j $(JOBS) >build/core_tests.txt || { cat build/core_tests.txt; exit 1; }

.PHONY: test-arm
test-arm: setup ## the core's own tests, compiled for 64-bit ARM and run under qemu
	@JOBS=$(JOBS) scripts/test_arm.sh

.PHONY: test-slow
test-slow: setup build system-packages ## the checks that take minutes
	@$(BIN)/pytest -q -m slow $(PYTEST_ARGS)

.PHONY: loop
loop: build web ## set up, then learn: self-play, training, arena, again
	@scripts/loop.sh $(LOOP_ARGS)

.PHONY: bench
bench: setup build ## measure speed
	@$(BIN)/milton bench $(BENCH_ARGS)

# Building the page needs few packages; tests, lint and the site need their tools too.
test test-slow test-web lint format screenshots site: export NODE_PROFILE = dev

.PHONY: web
web: ## the web page that `milton serve` hands out (needs Node.js; only when something changed)
	@scripts/web.sh

.PHONY: test-web
test-web: setup build web system-packages ## the tests of the pages alone, in a real browser
	@$(BIN)/pytest -q tests/web $(PYTEST_ARGS)

.PHONY: screenshots
screenshots: setup build web ## take the pictures of README and docs anew, in docs/images
	@cd web && node e2e/screenshots.mjs

.PHONY: wasm
wasm: setup ## compile the core to WebAssembly, in build/wasm (incremental)
	@JOBS=$(JOBS) scripts/wasm.sh

.PHONY: docs
docs: build $(READY_DOCS) ## the documentation site, in build/site; a broken link fails
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

.PHONY: site
site: setup build wasm ## the static site, in web/dist: any file server can hand it out
	@scripts/site.sh --compress

.PHONY: sanitize
sanitize: setup ## run the C++ tests under the address, undefined-behaviour and thread sanitizers
	@JOBS=$(JOBS) scripts/sanitize.sh

.PHONY: fuzz
fuzz: build ## feed changed input to everything that reads a format, FUZZ_S seconds in all
	@scripts/fuzz.sh $(FUZZ_S)

.PHONY: wheel
wheel: setup-loop web ## a wheel with every variant, in dist/
	@$(BIN)/pip wheel . --quiet --no-deps --no-build-isolation -C build-dir=build/wheel -w dist
	@ls dist/*.whl

.PHONY: sdist
sdist: setup-loop web ## the source distribution, in dist/
	@$(BIN)/python -m build --sdist --no-isolation --outdir dist . >build/sdist.log || { cat build/sdist.log; exit 1; }
	@ls dist/*.tar.gz

.PHONY: clean
clean: ## remove what was built; keeps .venv and runs/
	@rm -rf build dist src/milton/_core/*.so
