# Everything a stranger needs: `make run`, `make test`. Every target sets up what it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run setup test check format bench lock locales clean

run: $(VENV)/.local $(BIN)/nightfall locales ## the playground on 127.0.0.1; Telegram where TELEGRAM_BOT_TOKEN is set
	$(BIN)/python -m infra.local

setup: $(VENV)/.dev $(BIN)/nightfall locales ## everything into .venv

test: setup ## the whole suite
	$(BIN)/python -m pytest

check: setup ## format, lint, types, import borders, catalogues, rule pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m handlers.locales check
	$(BIN)/python -m handlers.rulebook_pages check

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup ## what a decision and a game cost
	$(BIN)/python -m tests.bench

locales:
	$(BIN)/python -m handlers.locales compile

lock: ## needs uv; writes names, versions and hashes only
	uv lock --quiet
	uv export --quiet --no-header --no-annotate --group local --no-group dev -o requirements.txt
	uv export --quiet --no-header --no-annotate --group dev -o requirements-dev.txt
	rm uv.lock

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.13"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.local: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	touch $@

$(VENV)/.dev: requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	touch $@ $(VENV)/.local

$(BIN)/nightfall: Makefile | $(BIN)/python
	printf '#!/bin/sh\nPYTHONPATH="%s" exec "%s" -m handlers.cli "$$@"\n' "$(CURDIR)" "$(CURDIR)/$(BIN)/python" > $@
	chmod +x $@
