# Everything runs in one environment, .venv. It is set up on first use and again after
# pyproject.toml or constraints.txt changed. Set-up writes to standard error and reads nothing, so
# that `printf 'hello\n' | make -s chat` writes replies and nothing else.

PYTHON ?= python3
ARGS ?=

venv := .venv
bin := $(venv)/bin
# Touched when an installation is complete: the product alone, and with its tools.
installed := $(venv)/.installed
installed_dev := $(venv)/.installed-dev
# There while an installation runs; one that was killed leaves it behind.
incomplete := $(venv)/.incomplete
packages := $(patsubst %/__init__.py,%,$(wildcard */__init__.py))
typecheck := build/typecheck/frontdesk
# Bytecode is kept whatever the environment says, or every process of the tests compiles everything.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help chat check core test lint structure bench figures docs clean

help:
	@echo 'make chat        talk with the receptionist of the demo organisation'
	@echo 'make check       lint, and the core of the tests'
	@echo 'make test        run every test'
	@echo 'make lint        check style (ruff), types (mypy) and the order of imports (import-linter)'
	@echo 'make structure   print the packages: their lines, and what imports what'
	@echo 'make bench       measure a turn, the start and the memory'
	@echo 'make figures     measure what stands in benchmarks/FIGURES.md anew'
	@echo 'make docs        the API as pages, in build/docs'
	@echo 'make clean       remove the environment and everything built'
	@echo
	@echo 'Arguments:       make chat ARGS="--json --now 2026-03-17T09:30"'
	@echo '                 make test ARGS="tests/kg -x"'
	@echo '                 make figures ARGS="--only turn linking"'
	@echo 'Pipes:           printf "Which rooms are free now?\n" | make -s chat'
	@echo 'Python:          make PYTHON=python3.12 chat    (at first use, or after make clean)'

chat: $(installed)
	@$(bin)/frontdesk chat $(ARGS)

# Types take as long as tests when nothing is cached, so both are checked at once; types first, as
# one process checks them all and would be left alone at the end.
check:
	@$(MAKE) --no-print-directory --jobs 2 lint core

core: $(installed_dev)
	@OMP_NUM_THREADS=1 nice $(bin)/pytest -q -n auto --dist loadfile --no-loadscope-reorder -m 'not slow' @tests/core.txt

# A process for every core, each with one thread; the tests of a file run in one of them, and files
# with slow tests first.
test: $(installed_dev)
	@OMP_NUM_THREADS=1 $(bin)/pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

lint: $(installed_dev) $(packages:%=$(typecheck)/%)
	@failed=0; $(bin)/ruff check . || failed=1; $(bin)/mypy || failed=1; \
	$(bin)/lint-imports --no-logo --no-cache || failed=1; exit $$failed

structure: $(installed_dev)
	@$(bin)/python tests/architecture/structure.py

bench: $(installed_dev)
	@$(bin)/python benchmarks/turn.py $(ARGS)

figures: $(installed_dev)
	@$(bin)/python benchmarks/figures.py $(ARGS)

# The public door first. Of frontdesk.agent nothing else is shown: what is below it may move.
docs: $(installed_dev)
	@rm -rf build/docs
	@$(bin)/python -W error::UserWarning -m pdoc --docformat google --output-directory build/docs \
		frontdesk.agent $(patsubst %,frontdesk.%,$(filter-out agent,$(packages)))
	@echo 'The API is described in build/docs/index.html'

clean:
	rm -rf $(venv) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(installed): pyproject.toml setup.py constraints.txt
	$(call install,.)
	@touch $@

$(installed_dev): pyproject.toml setup.py constraints.txt
	$(call install,.[dev])
	@touch $(installed) $@

# mypy cannot see through an editable installation of packages that lie elsewhere than their names
# say, so it reads them where the names are true.
$(typecheck)/%:
	@mkdir -p $(@D)
	@ln -sfn ../../../$* $@

# Install $(1) editable into the environment, which is made anew when there is none that works.
# pip undoes what it did when it fails by itself; when it is killed it cannot.
define install
	@[ ! -e $(incomplete) ] && $(call is_recent,$(bin)/python) && $(bin)/python -c 'import pip' \
		2>/dev/null || { $(call make_environment); }
	@echo 'frontdesk: installing into $(venv); the first time takes a few minutes' >&2
	@trap 'exit 130' HUP INT TERM; touch $(incomplete); \
	$(bin)/python -m pip install --constraint constraints.txt --editable '$(1)' </dev/null >&2 \
		|| { rm -f $(incomplete); exit 1; }; \
	rm -f $(incomplete)
endef

define make_environment
	$(call is_recent,$(PYTHON)) || { \
		version=$$($(PYTHON) -c 'import platform; print(platform.python_version())' 2>/dev/null); \
		echo "frontdesk needs Python 3.11 or newer; $(PYTHON) is $${version:-not installed}." >&2; \
		echo 'Install one and name it, for example: make PYTHON=python3.12 $(MAKECMDGOALS)' >&2; \
		exit 1; }; \
	rm -rf $(venv) && mkdir $(venv) && touch $(incomplete) \
		&& $(PYTHON) -m venv $(venv) </dev/null >&2
endef

is_recent = $(1) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
