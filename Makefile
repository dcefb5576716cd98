# Every target does its own set-up: a virtual environment in .venv with the locked dependencies, checked by hash.
# It needs Python 3.11 or newer (with venv), git and make. The first call takes a minute, later ones start at once.

GAME ?= age-of-steam
MAP ?= rust_belt
PLAYERS ?=
SEED ?=
PLAN ?=
REPLY ?=
LANGUAGES ?=
NEEDS ?=
STORM ?=
# Tests wait for the programs they start: it takes four processes to keep two processors busy.
JOBS ?= 4
COUNT ?=
IMAGE ?=
ONLY ?=
VERSION ?=
PORT ?= 8000

# The first that can make a virtual environment, of those that were built with optimisation; pyenv, unless told, builds
# without, and such a Python is slower. It is taken where there is no other: make PYTHON=… says which one is wanted.
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11 python /usr/bin/python3
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
OPTIMISED := import ensurepip, sys, sysconfig, venv; built = sysconfig.get_config_var("CONFIG_ARGS") or ""; \
	sys.exit(sys.version_info < (3, 11) or not (sys.base_prefix == "/usr" or "--enable-optimizations" in built))
PYTHON ?= $(shell for wanted in '$(OPTIMISED)' '$(NEW_ENOUGH)'; do for python in $(PYTHONS); do \
	"$$python" -c "$$wanted" >/dev/null 2>&1 && echo "$$python" && exit; done; done)
VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip --disable-pip-version-check --require-virtualenv install --quiet --no-input
# What make starts in this way ends with make, also when make is killed ($$PPID: make itself).
LEASHED = $(RUN) -I pbem/runtime/leash.py $$PPID $(RUN)
RUNTIME := $(VENV)/runtime.stamp
DEV := $(VENV)/dev.stamp

CATALOGUES := $(patsubst %.po,%.mo,$(wildcard templates/messages/*/LC_MESSAGES/*.po))

SYSTEM := demo fuzz mail/test_fits_a_phone.py packaging runtime storm web/turns/test_browser.py web/games/test_browser_whole_games.py workers/test_broker_lost.py # they start programs

export PBEM_NEEDS := $(NEEDS)
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE PIP_REQUIRE_HASHES PIP_USER PIP_TARGET PIP_PREFIX

.PHONY: help demo serve test quick soak storm messages pictures check audit fuzz mutants format bench profile lock wheel release container clean
.DELETE_ON_ERROR:

help:
	@echo "make demo    one whole game, played by robots through web pages and emails; see demo/ afterwards (REPLY=1: they play by replies to their emails alone; LANGUAGES=en,pt,es,pl: each in their own)"
	@echo "make serve   the server for real use (PORT=8000): web, worker and clock; one Ctrl-C ends all"
	@echo "make test    the test suite (NEEDS=all: a missing PostgreSQL, Redis, browser or HTML checker is a failure)"
	@echo "make quick   the test suite without what starts servers, browsers or PostgreSQL"
	@echo "make soak    1,000 random games for every map and player count, 50 of every map by replies alone; hours (PBEM_SOAK=\"rust_belt 50\": a part)"
	@echo "make storm   pull every plug while robots play 200 games; up to 45 minutes (STORM=\"--minutes 5\", \"--hosts\", \"--help\")"
	@echo "make check   format, lint, types, import contracts, bandit"
	@echo "make audit   bandit, and what is known against the locked dependencies (fails where PyPI tells nothing)"
	@echo "make fuzz    parsers, rules and the API with spoiled input; COUNT=100000 random requests to the pages; an hour"
	@echo "make mutants plant a change at every constant and condition and list what no test notices; hours (docs/mutants.md)"
	@echo "make bench   what a turn, a page and the engine cost, beside what they may cost (docs/performance.md)"
	@echo "make profile where the processor's time of one turn goes (docs/performance.md)"
	@echo "make format  let ruff write the format"
	@echo "make lock    resolve the dependencies anew (docs/decisions/locked-dependencies.md)"
	@echo "make messages  bring the catalogues of all languages up to date with the sentences, and compile them (docs/extending.md)"
	@echo "make pictures  take the pictures of the README anew, from a demo"
	@echo "make container build the image with buildah and play games in it, as root; ten minutes (deploy/, docs/hosting.md)"
	@echo "make wheel   build dist/pbem-*.whl"
	@echo "make release everything that is published with the version of this tag, into dist/ (VERSION=1.2.0rc1: on trial; IMAGE=no: without the image)"

demo: $(RUNTIME) $(CATALOGUES)
	@exec $(LEASHED) -m pbem demo "$(GAME)" "$(MAP)" $(if $(PLAYERS),--players "$(PLAYERS)") $(if $(SEED),--seed "$(SEED)") $(if $(PLAN),--plan) $(if $(REPLY),--reply) $(if $(LANGUAGES),--languages "$(LANGUAGES)")

serve: $(RUNTIME) $(CATALOGUES)
	@exec $(LEASHED) -m pbem serve --port "$(PORT)"

test: $(DEV)
	$(RUN) -m pytest --numprocesses $(JOBS) --dist loadfile

quick: $(DEV)
	$(RUN) -m pytest -k "not postgresql" --numprocesses $(JOBS) --dist loadfile $(SYSTEM:%=--ignore=tests/%)

soak: $(DEV)
	$(RUN) -m pytest -m slow --numprocesses $(JOBS)
	$(RUN) -m pytest tests/service --every-database --numprocesses $(JOBS) --dist loadfile
	$(RUN) -m tests.every_map.soak --jobs $(JOBS)

storm: $(DEV)
	$(RUN) -m tests.storm $(STORM)

messages: $(DEV)
	$(RUN) -m tests.messages

pictures: $(DEV)
	$(RUN) -m tests.pictures

check: $(DEV)
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy pbem workers maps tests bench deploy
	$(VENV)/bin/lint-imports
	$(RUN) -m tests.audit code

audit: $(DEV)
	$(RUN) -m tests.audit code dependencies

fuzz: $(DEV)
	$(RUN) -m pytest tests/fuzz --hypothesis-profile fuzz
	$(RUN) -m tests.fuzz.requests --count $(or $(COUNT),100000)

mutants: $(DEV)
	$(RUN) -m tests.mutants --jobs $(JOBS) $(if $(COUNT),--count "$(COUNT)") $(if $(SEED),--seed "$(SEED)") \
		$(foreach path,$(ONLY),--only "$(path)")

format: $(DEV)
	$(RUN) -m ruff format .
	$(RUN) -m ruff check --fix .

bench: $(DEV)
	$(RUN) -m bench

profile: $(DEV)
	$(RUN) -m bench.profile

wheel: $(DEV)
	$(RUN) -m build --no-isolation --wheel

container: $(DEV)
	$(RUN) -m pytest tests/container -m "slow or not slow"

release: $(DEV)
	$(RUN) .ci/release $(if $(VERSION),--version "$(VERSION)") $(if $(filter no,$(IMAGE)),--without-image)

lock: $(DEV)
	.ci/lock

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { \
		echo "pbem needs Python 3.11 or newer, and none is on the PATH. Install one, or say: make PYTHON=/path/to/python3" >&2; \
		exit 1; }
	@echo "Setting up $(VENV) with $(PYTHON) …"
	@rm -rf $(VENV)
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); \
		echo "$(PYTHON) cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2; \
		exit 1; }

$(RUNTIME): requirements.lock requirements-build.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing the locked dependencies …"
	@$(PIP) --require-hashes --only-binary :all: --requirement requirements-build.lock
	@sed -n '/^http-ece==/,/[^\\]$$/p' requirements.lock >$(VENV)/unpacked.lock # of which there is no wheel
	@PIP_USE_PEP517=1 $(PIP) --require-hashes --no-deps --no-build-isolation --requirement $(VENV)/unpacked.lock
	@$(PIP) --require-hashes --only-binary :all: --requirement requirements.lock
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

%.mo: %.po | $(RUNTIME)
	@$(RUN) -m pbem.language.compiling

$(VENV)/vnu.jar: .ci/vnu | $(VENV)/bin/python
	@echo "Fetching the HTML checker …"
	@.ci/vnu $@

$(DEV): requirements-dev.lock $(RUNTIME)
	@echo "Installing what tests and checks need …"
	@$(PIP) --require-hashes --only-binary :all: --requirement requirements-dev.lock
	@touch $@
