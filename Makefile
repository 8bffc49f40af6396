# Everything runs in .venv, which the first call makes. Nothing is installed again until pyproject.toml,
# constraints.txt or the place of this folder changes.

PYTHON ?= python3
JOBS   ?= $(shell $(PYTHON) -c "import os; print(1 + (os.cpu_count() or 1))")
ARGS   ?=

VENV := .venv
BIN  := $(VENV)/bin
SITE := build/docs
PIP  := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Every process of the tests starts sooner with what Python has compiled before.
unexport PYTHONDONTWRITEBYTECODE

.NOTPARALLEL:
.PHONY: help run test test-blender bench check static docs wheel blender clean FORCE

help:
	@echo "make run     the gallery in the browser        ARGS='view --port 9000' for anything else that pliant does"
	@echo "make test    all checks and all tests          JOBS=1 for one process"
	@echo "make check   lint, types, import order and the quick tests"
	@echo "make bench   times the kernels                 ARGS=--json for programs"
	@echo "make wheel   the wheel and the sdist, in dist/"
	@echo "make docs    the site, in build/docs"
	@echo "make blender the Blender extension, in dist/    make test-blender tries it in Blender as a module"
	@echo "make clean   removes .venv and the caches      PYTHON=python3.12 chooses another Python"

run: $(VENV)/run
	@$(BIN)/pliant $(ARGS)

bench: $(VENV)/run
	@$(BIN)/pliant bench $(ARGS)

test: $(VENV)/test
	@$(BIN)/pliant compile & compiling=$$!; \
	  $(MAKE) --no-print-directory static $(VENV)/browser $(VENV)/khronos || { kill $$compiling; exit 1; }; \
	  wait $$compiling
	$(BIN)/pytest --numprocesses $(JOBS) --dist worksteal $(ARGS)

check: static $(VENV)/khronos
	@$(BIN)/pliant compile
	$(BIN)/pytest --numprocesses $(JOBS) --dist worksteal -m "not slow and not browser" $(ARGS)

docs: $(SITE)/complete
	@echo "The site is in $(SITE): open $(SITE)/index.html"

static: $(VENV)/test
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

wheel: $(VENV)/test
	@rm -rf dist
	$(BIN)/python -m hatchling build

blender:
	@$(PYTHON) blender/build.py

# Environments of their own, some GB, made once in .venv-blender; what is missing is told in one line.
test-blender: $(VENV)/run
	@$(BIN)/python blender/tests/environments.py $(BIN)/pliant

clean:
	rm -rf $(VENV) .venv-blender .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis test-results dist $(SITE)

# The files below are stamps: each is written last, so a step that was interrupted is done again.

$(VENV)/run: $(VENV)/home pyproject.toml constraints.txt
	@echo "Installing Pliant in $(VENV); the first time takes about a minute."
	@$(PIP) --editable '.[render]'
	@touch $@

$(VENV)/test: $(VENV)/home pyproject.toml constraints.txt
	@echo "Installing Pliant and what its tests need in $(VENV); the first time takes about a minute."
	@$(PIP) --editable '.[render,dev,usd,docs,sweep]'
	@touch $@ $(VENV)/run $(VENV)/docs

$(VENV)/docs: $(VENV)/home pyproject.toml constraints.txt
	@echo "Installing Pliant and what its site needs in $(VENV); the first time takes about a minute."
	@$(PIP) --editable '.[render,docs]'
	@touch $@ $(VENV)/run

# Always from nothing: pages are made from the package as well, which Sphinx does not watch.
$(SITE)/complete: $(VENV)/docs README.md CONTRIBUTING.md benchmarks/plots.py $(shell find docs examples src/pliant -type f -not -name '*.pyc')
	@rm -rf $(SITE)
	@$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet --jobs auto \
	  --doctree-dir $(SITE)/.doctrees docs $(SITE)
	@touch $@

$(VENV)/browser: $(VENV)/test tests/browser.py tests/graphics.py
	@$(BIN)/python tests/browser.py
	@$(BIN)/python tests/graphics.py
	@touch $@

$(VENV)/khronos: $(VENV)/test tests/khronos.py
	@$(BIN)/python tests/khronos.py
	@touch $@

# A venv holds the path it was made at: one that was moved, copied or left half made is made anew.
ifneq ($(shell test -x $(BIN)/python && cat $(VENV)/home 2>/dev/null),$(CURDIR))
$(VENV)/home: FORCE
endif
$(VENV)/home:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Pliant needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	@echo "$(CURDIR)" > $@
