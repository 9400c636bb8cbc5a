# Everything a stranger needs: `make run`, `make test`. Every target sets up what it needs.
# `make deploy STAGE=prod` brings it to AWS (docs/deploying.md), `make rehearse` does so on this machine.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# The functions' Python: what is compiled for them no other one reads. pyenv's own name for it may need to be told.
PYTHON313 ?= $(shell PYENV_VERSION=$$(pyenv latest 3.13 2>/dev/null) python3.13 -c 'import sys; print(sys.executable)' 2>/dev/null || echo python3.13)
ARCH  ?= arm64
STAGE ?= dev

.PHONY: run setup test soak check format bench plot lock locales package deploy remove rehearse clean

run: $(VENV)/.local $(BIN)/nightfall locales ## the playground on 127.0.0.1; Telegram where TELEGRAM_BOT_TOKEN is set
	$(BIN)/python -m infra.local

setup: $(VENV)/.dev $(BIN)/nightfall locales ## everything into .venv

test: setup ## the whole suite
	$(BIN)/python -m pytest -n auto --dist loadfile

N ?= 1000000
MINUTES ?= 30
soak: setup ## hostile bodies at the door, then N games under faults, on from where the last run stopped (docs/soak.md)
	$(BIN)/python -m tests.soak --resume --fuzz 100000 --games $(N) --minutes $(MINUTES)

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

plot: $(BIN)/python ## what `nightfall simulate --plot` draws with
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-plot.txt

bench: setup ## what a start, a press, a game cost, beside the aims; BENCH="press traffic" for some of it
	PYTHON313=$(PYTHON313) $(BIN)/python -m tests.bench $(BENCH)

locales:
	$(BIN)/python -m handlers.locales compile

package: $(VENV)/.local locales ## the artifact of the functions, build/nightfall-$(ARCH).zip
	$(PYTHON313) -m infra.aws.package $(ARCH)

deploy: package node_modules/.done $(BIN)/nightfall ## to the account of the environment
	NIGHTFALL_ARCH=$(ARCH) RELEASE=$$(git describe --always --dirty)-$$(date -u +%Y%m%dT%H%M%S) npx --no-install serverless deploy --stage $(STAGE)

remove: node_modules/.done ## everything but the table and the secrets
	npx --no-install serverless remove --stage $(STAGE)

rehearse: setup node_modules/.done build/local-cloud/.done ## deploy to a cloud on this machine, and play there
	$(MAKE) --no-print-directory package ARCH=$(shell uname -m | sed s/aarch64/arm64/)
	$(BIN)/python -m tests.aws.rehearsal

node_modules/.done: package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	touch $@

build/local-cloud/.done: tests/aws/local-cloud.txt
	$(PYTHON313) -m venv build/local-cloud
	build/local-cloud/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

lock: ## needs uv; writes names, versions and hashes only
	uv lock --quiet
	uv export --quiet --no-header --no-annotate --no-default-groups -o infra/aws/requirements.txt
	uv export --quiet --no-header --no-annotate --group local --no-group dev -o requirements.txt
	uv export --quiet --no-header --no-annotate --group dev -o requirements-dev.txt
	uv export --quiet --no-header --no-annotate --only-group plot -o requirements-plot.txt
	uv pip compile --quiet --no-header --no-annotate --generate-hashes --python-version 3.13 tests/aws/local-cloud.in -o tests/aws/local-cloud.txt
	rm uv.lock

clean:
	rm -rf $(VENV) build node_modules .serverless .mypy_cache .pytest_cache .ruff_cache

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
