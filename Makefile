# `make run` answers a question with real tool calls; `make test` checks everything, `make quick` what two minutes are
# enough for. All of them set up what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
NODE_SERVERS := tests/mcp/servers/node_modules/.ready
CLIENTS := tests/server/clients
NODE_CLIENTS := $(CLIENTS)/node_modules/.ready tests/server/chat/node_modules/.ready \
	tests/server/accounts/node_modules/.ready
PYTHON_CLIENTS := $(foreach version,0 1,$(CLIENTS)/python_modules/anthropic-$(version)/.ready)
WHEELS := tests/extras/wheels
ENVIRONMENTS := tests/extras/environments
EXTRAS := $(foreach extra,core all cli code local mcp otel postgres prices redis search server temporal,$(ENVIRONMENTS)/$(extra)/.ready)
IMAGE := $(ENVIRONMENTS)/image/.ready
TRAINER := tests/training/python_modules/.ready
PAGE := src/toolpost/server/page/index.html
PAGE_SOURCES := $(shell find web/src web/public web/mermaid -type f) web/index.html web/vite.config.ts web/package-lock.json
DEMO := What's the weather in Tokyo? Also, what is 42 * 17?
DEMO_ZH := 东京天气怎么样？另外，42乘以17等于多少？

comma := ,

# Behind a proxy with its own certificate, the system's store is the one that knows it.
export UV_SYSTEM_CERTS := true

.PHONY: setup weights weights-default servers clients extras image system trainer page docs dist run serve test quick lint types web unit quick-unit coverage bench pin clean

setup: $(STAMP)

# pip is enough to begin with; uv then installs the pinned, hashed set in seconds.
$(STAMP): requirements/dev.txt pyproject.toml adapters/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Toolpost needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements/dev.txt requirements/uv.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable . --editable adapters
	@touch $@

# Weights that the tests load, in the user's cache, fetched once: 98 MB for those that only need some real llama.cpp,
weights: setup
	@$(BIN)/toolpost models pull smollm2 > /dev/null

# and 1.1 GB of the default model, for the one that asks it the questions of `make run`.
weights-default: setup
	@$(BIN)/toolpost models pull qwen2.5-coder-1.5b --force > /dev/null

# MCP servers from npm that the tests speak to.
servers: $(NODE_SERVERS)

$(NODE_SERVERS): tests/mcp/servers/package-lock.json
	@command -v npm > /dev/null || { echo "the tests need Node 20 with npm; install it, then run make test again"; exit 1; }
	@cd tests/mcp/servers && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

# What the tests put in front of the server, and a provider that people log in at: from npm, and older versions of one from PyPI beside the newest.
clients: $(NODE_CLIENTS) $(PYTHON_CLIENTS)

$(NODE_CLIENTS): %/node_modules/.ready: %/package-lock.json
	@command -v npm > /dev/null || { echo "the tests need Node 20 with npm; install it, then run make test again"; exit 1; }
	@cd $* && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

$(CLIENTS)/python_modules/%/.ready: requirements/clients-%.txt | $(STAMP)
	@rm -rf $(@D)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --target $(@D) --require-hashes -r $<
	@touch $@

# The core alone, and with each extra, as somebody would install them: from a wheel of this tree, at the pinned versions.
# Spans and shared limits are the server's, so that comes along.
extras: $(EXTRAS)

$(WHEELS)/toolpost/.ready: pyproject.toml $(shell find src -name '*.py') | $(STAMP)
	@rm -rf $(@D)
	@$(BIN)/uv build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir $(@D) .
	@touch $@

$(WHEELS)/adapters/.ready: $(shell find adapters -type f) | $(STAMP)
	@rm -rf $(@D)
	@$(BIN)/uv build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir $(@D) adapters
	@touch $@

$(ENVIRONMENTS)/%/.ready: $(WHEELS)/toolpost/.ready $(WHEELS)/adapters/.ready requirements/dev.txt
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(@D)
	@$(BIN)/uv pip install --quiet --python $(@D)/bin/python --constraint requirements/dev.txt --find-links $(WHEELS)/adapters "$$(ls $(WHEELS)/toolpost/*.whl)$(if $(filter core,$*),,[$*$(if $(filter otel redis,$*),$(comma)server)])"
	@touch $@

# What the image would have: the steps of the Dockerfile in folders of their own, as no container engine is needed then.
image: $(IMAGE)

$(IMAGE): Dockerfile scripts/dockerfile_steps.py $(WHEELS)/toolpost/.ready $(PAGE_SOURCES) requirements/dev.txt
	@$(BIN)/python scripts/dockerfile_steps.py $(@D) > /dev/null
	@touch $@

# System packages that the tests use: the script says which, and what for.
system:
	@scripts/system_packages.sh

# What the training code is tried with: torch is one of the system's packages; beside it, what reads weights and text.
trainer: system $(TRAINER)

$(TRAINER): requirements/trainer.txt | $(STAMP)
	@rm -rf $(@D)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --target $(@D) --no-deps --require-hashes -r $<
	@touch $@

# The web chat, where the server looks for it and the wheel takes it from.
page: $(PAGE)

$(PAGE): $(PAGE_SOURCES) web/node_modules/.ready
	@cd web && npx vite build --logLevel error --outDir ../$(@D) --emptyOutDir

# Not `npm ci`: it refuses a lock without the packages of other systems, which a mirror may not have.
web/node_modules/.ready: web/package-lock.json
	@command -v npm > /dev/null || { echo "the web chat is built with Node 20 or newer and npm; install them and try again"; exit 1; }
	@cd web && npm install --no-save --silent --no-audit --no-fund --ignore-scripts
	@touch $@

# Without a key and a local server it says what it fetches, how large it is, and how to do without.
run: setup
	@$(BIN)/toolpost run --tools examples/weather.py --tools examples/calculator.py --allow '*' $(if $(MODEL),-m $(MODEL)) "$(DEMO)"
	@echo
	@$(BIN)/toolpost run --tools examples/weather.py --tools examples/calculator.py --allow '*' $(if $(MODEL),-m $(MODEL)) "$(DEMO_ZH)"

# Without Node the server has everything but the page, which then says how to build it. It reads `.env`, once you have said
# yes: `cp .env.example .env` begins one.
serve: setup
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory page; fi
	@$(BIN)/toolpost serve $(if $(MODEL),-m $(MODEL)) $(ARGS)

test: lint types web unit

# Before a commit: what needs neither Node's packages nor a browser, and no toolchain. The types are checked beside the tests.
quick: lint
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types quick-unit

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: setup
	$(BIN)/pyright

web: web/node_modules/.ready
	cd web && npx vue-tsc --noEmit
	cd web && npx vitest run

unit: setup weights weights-default servers clients extras image page trainer
	$(BIN)/python -m pytest -n 2 --dist loadfile

# What is compiled stays, whatever the environment says: or each run begins with compiling all tests again.
quick-unit: setup
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --quick -n 3 --dist loadfile

coverage: setup weights weights-default servers clients extras image page trainer
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n 2 --dist loadfile
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

bench: setup
	$(BIN)/python -m bench

# The site of the documentation, in build/site.
docs: setup
	@$(BIN)/python scripts/docs_site.py

# The packages of a release, with the web page inside.
dist: setup page
	@rm -rf dist
	@for package in . adapters; do $(BIN)/uv build --quiet --no-build-isolation --out-dir dist $$package; done
	@ls dist

# Pins every dependency, those of all extras too, with its hashes. The output names no package host.
pin: setup
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --all-extras --no-emit-package toolpost-adapters --group dev pyproject.toml -o requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate requirements/uv.in -o requirements/uv.txt
	for version in 0 1; do $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate requirements/clients-anthropic-$$version.in -o requirements/clients-anthropic-$$version.txt; done
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate --no-deps requirements/trainer.in -o requirements/trainer.txt
	$(BIN)/uv pip compile --quiet --python-version 3.12 --python-platform x86_64-manylinux_2_28 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate requirements/training.in -o requirements/training.txt

clean:
	rm -rf $(VENV) build dist web/node_modules $(dir $(PAGE)) tests/mcp/servers/node_modules $(dir $(NODE_CLIENTS)) $(CLIENTS)/python_modules $(WHEELS) $(ENVIRONMENTS) $(dir $(TRAINER)) .coverage* .pytest_cache .ruff_cache .hypothesis
