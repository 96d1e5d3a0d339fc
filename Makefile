# The commands of closerthan: `make reproduce` runs the study, `make publish` keeps its small files,
# `make test` is for everyone who changes something: it needs Python alone. `make test-all` checks
# everything; as root it installs Chromium and SLURM. `make docs` builds the documentation, `make build` the
# distributions of a release, `make release-check` says whether a release is ready, `make benchmark`
# measures speed, `make court` runs others' methods, `make calibrate` how often intervals hold the truth.
#
#   SCALE=smoke|default|paper  how much of each study to run               (default: default)
#   CORES=N                    how many cores to use                       (default: all)
#   STUDY=svrg_sbb             the study to publish                       (default: all of the run)
#   PROFILE=slurm              on a cluster: a folder of profiles/, which also sets the number of cores
#   PEERS="cblearn"            the packages to measure beside closerthan, folders of survey/benchmarks/peers
#   CONTENDERS="psiz cblearn-ste"  the methods or packages to run in the court   (default: all)
#   EXTRAS="study docs"        the extras that make test-install installs  (default: the small ones)
#   VERSIONS=lowest|newest     the versions of dependencies that make unit-versions tests  (default: lowest)
#   PYTHON=python3.12          the Python that .venv is made from          (3.11 to 3.14)
#
# `make unit-older`, a part of `make test-all`, runs the numerical unit tests as on a processor without AVX-512.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
.PHONY: help set-up alone reproduce test test-all waiting-tests other-tests judge lint build check-tag check-versions \
        check-readme release-check unit test-lab test-survey survey unit-older docs smoke test-workflow test-install test-browser \
        test-cluster unit-versions publish lock benchmark publish-benchmark calibrate court publish-court lock-peers

SCALE := default
CORES := $(shell nproc)
PEERS := cblearn scikit-learn metric-learn
EXTRAS := none data

# Run a tool of .venv. Its caches stay in the checkout.
cache := $(CURDIR)/.cache
unexport PYTHONDONTWRITEBYTECODE # or every job would compile the package anew
run := XDG_CACHE_HOME='$(cache)' MPLCONFIGDIR='$(cache)/matplotlib' \
       IPYTHONDIR='$(cache)/ipython' JUPYTER_RUNTIME_DIR='$(cache)/jupyter' .venv/bin/

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

set-up: .venv/ready

# The stamp comes last. A half-made .venv has none, so it is removed and made again.
.venv/ready: requirements.lock pyproject.toml $(wildcard lab/pyproject.toml survey/pyproject.toml)
	@fail() { echo "closerthan: $$*" >&2; exit 1; }
	case "$$PWD" in *[[:space:]\'\"]*)
	    fail "the path $$PWD has a blank or a quote, with which jobs fail; move this folder to another path." ;;
	esac
	for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11) none; do
	    $$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && break
	done
	[ $$python != none ] || fail "no Python 3.11 to 3.14 here; PYTHON=/path/to/python names one."
	rm -rf .venv
	if uv --version >/dev/null 2>&1; then
	    echo "Making .venv with uv and $$($$python --version)."
	    cache=$$(uv cache dir)
	    { mkdir -p "$$cache" && [ -w "$$cache" ]; } 2>/dev/null || export UV_NO_CACHE=1
	    uv venv --quiet --python "$$($$python -c 'import sys; print(sys.executable)')" .venv
	    # Bytecode is compiled here, because a job that must do it itself takes seconds to start.
	    install="uv pip install --quiet --compile-bytecode --python .venv/bin/python"
	else
	    echo "Making .venv with pip and $$($$python --version); this takes a minute or two."
	    $$python -c 'import ensurepip, venv' 2>/dev/null \
	        || fail "$$python has no venv module; on Debian and Ubuntu: apt install python3-venv."
	    $$python -m venv .venv
	    install=".venv/bin/python -m pip install --quiet --no-input --disable-pip-version-check"
	fi
	$$install --require-hashes -r requirements.lock
	for house in . $(wildcard lab survey); do $$install --no-deps --no-build-isolation -e ./$$house; done
	mkdir -p .cache
	touch $@

# A PYTHON named on the command line wins over the one that .venv was made from.
ifdef PYTHON
ifneq ($(shell .venv/bin/python --version 2>/dev/null),$(shell $(PYTHON) --version 2>/dev/null))
.PHONY: .venv/ready
endif
endif

# A killed run continues where it stopped, after all its processes have ended: see workflow/unlock.py.
reproduce: set-up
	@mkdir -p .snakemake
	exec 9> .snakemake/reproduce.lock
	flock --nonblock 9 || { echo "closerthan: waiting for another make reproduce to end."; flock 9; }
	$(run)python workflow/unlock.py --config scale=$(SCALE)
	$(run)snakemake $(if $(PROFILE),--profile profiles/$(PROFILE),--cores $(CORES)) --config scale=$(SCALE)

# Run parts in turn, and print the seconds of each.
define in-turn
	@for part in $(1); do
	    SECONDS=0
	    $(MAKE) --no-print-directory $$part
	    echo "== $$part: $$SECONDS s"
	done
endef

# Without root, and without a network after set-up.
test:
	$(call in-turn,set-up lint unit smoke)

# The root's tests run in a copy without lab/ and survey/. Tests on the cluster mostly wait, so others run beside them.
test-all:
	$(call in-turn,set-up lint alone alone-unit alone-smoke)
	@echo "test-cluster, test-install and others run beside the rest. Each side prints when it ends."
	$(MAKE) --no-print-directory --jobs=2 --output-sync=recurse waiting-tests other-tests

waiting-tests:
	$(call in-turn,alone-test-cluster test-install test-browser test-survey)

other-tests:
	$(call in-turn,alone-test-workflow alone-unit-older alone-docs test-lab)

# A copy of this folder as it is, without the guests, and a target in it.
alone:
	@rm -rf .cache/alone
	git clone -q . .cache/alone
	{ git ls-files --cached --others --exclude-standard -z | xargs -0 ls -d 2>/dev/null || true; } | tar -c -T - | tar -x -C .cache/alone
	rm -rf .cache/alone/{lab,survey}
	git -C .cache/alone add -A
	git -C .cache/alone -c user.name=test -c user.email=test@example.org commit -q --allow-empty -m "Without guests"
	$(MAKE) --no-print-directory -C .cache/alone set-up

alone-%:
	@$(MAKE) --no-print-directory -C .cache/alone $*

lint: set-up
	@$(run)ruff check .
	$(run)ruff format --check .
	$(run)snakefmt --check Snakefile workflow
	# The rules share one environment, environment.yml. An environment for each rule would lack this folder's code.
	lints=$$({ $(run)snakemake --lint 2>&1 || true; } | sed '/Specify a conda environment/d' | grep -A 4 '^    \*\|Error' || true)
	[ -z "$$lints" ] || { echo "$$lints" >&2; exit 1; }
	$(run)lint-imports --no-cache
	$(run)mypy

# The files of a release, dist/*. Here they are checked; .github/workflows/release.yml uploads them.
build: set-up
	@rm -rf dist
	for house in . $(wildcard lab); do (cd $$house && '$(CURDIR)'/.venv/bin/python -m hatchling build -d '$(CURDIR)'/dist); done
	$(run)twine check --strict dist/*
	$(run)check-wheel-contents dist/*.whl

# Test files run in parallel. Each file runs in one process, because its tests share fixtures; see tests/conftest.py.
unit: set-up
	@$(run)python -m pytest -q -n $(CORES) --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# The tests of lab/ and of survey/, the latter with a small run of its studies and of the court.
inside = cd $(1) && XDG_CACHE_HOME='$(cache)' MPLCONFIGDIR='$(cache)/matplotlib' IPYTHONDIR='$(cache)/ipython' \
    ../.venv/bin/python -m pytest -q
parallel := -n $(CORES) --maxprocesses 4 --dist loadfile --no-loadscope-reorder
test-lab: set-up
	@$(call inside,lab) $(parallel)
	cd .. && $(run)lint-imports --no-cache --config lab/pyproject.toml
	cd lab && ../.venv/bin/mypy

test-survey: set-up
	@($(call inside,survey) $(parallel))
	$(run)lint-imports --no-cache --config survey/pyproject.toml
	rm -rf .smoke/survey
	$(run)snakemake --snakefile survey/Snakefile --directory .smoke/survey --cores $(CORES) --config scale=smoke
	$(run)python -m closerthan_survey.court --scale smoke --results .smoke/survey/results

# The survey: studies that no paper names, by the same workflow.
survey: set-up
	@$(run)snakemake --snakefile survey/Snakefile --directory survey $(if $(PROFILE),--profile profiles/$(PROFILE),--cores $(CORES)) \
	    --config scale=$(SCALE)

# The numerical tests as on an older processor (x86-64 without AVX-512), where LAPACK, BLAS and numpy round
# differently. numpy is told not to use what newer processors have, OpenBLAS and numba which one to assume.
# Three files with slow references and two pages of fits are enough here: `make unit` runs all of them.
unit-older: set-up
	@case "$$(uname -m)" in
	x86_64 | amd64) ;;
	*) echo "closerthan: unit-older is only for x86-64; this machine is $$(uname -m), so nothing ran."; exit 0 ;;
	esac
	export OPENBLAS_CORETYPE=Haswell NUMBA_CPU_NAME=haswell NUMBA_CPU_FEATURES=
	export NPY_DISABLE_CPU_FEATURES='X86_V4 AVX512_ICL AVX512_SPR' NUMBA_CACHE_DIR='$(cache)/numba-older'
	$(run)python -m pytest -q tests/closerthan/{ordinal,kernels,mds,similarity,optimize,scores} \
	    tests/closerthan_study/baselines/test_{lmnn,mahalanobis,pairs}.py \
	    --ignore=tests/closerthan/{kernels/test_projection,similarity/test_bilinear,optimize/test_objective}.py \
	    tests/test_docs.py::test_the_code_of_a_page_runs_and_prints_what_it_says'[docs/'{maps,probability}'.md]'

# The unit tests with the lowest versions that pyproject.toml allows, or with the newest. The core rests
# on internals of numba, so the newest may be its pre-releases. This needs uv and a network.
VERSIONS := lowest
lowest := --resolution lowest-direct
newest := numba>=0.61rc0 llvmlite>=0.44rc0
unit-versions:
	@env=.cache/$(VERSIONS)
	uv venv --quiet --clear --python $(or $(PYTHON),3.11) $$env
	uv pip install --quiet --python $$env/bin/python '.[study]' ./lab $(patsubst %,'%',$($(VERSIONS))) \
	    pytest pytest-xdist hypothesis
	PYTHONPATH=src:lab/src $$env/bin/python -m pytest -q -n $(CORES) --maxprocesses 4 --dist loadfile \
	    tests/closerthan tests/closerthan_study

# The documentation as a site, site/index.html. Any warning of Sphinx is an error.
docs: set-up
	@rm -rf {.,lab,survey}/docs/api site # pages of what is gone
	$(run)python -m sphinx -q -W --keep-going -b html docs site
	for guest in $(wildcard lab survey); do
	    $(run)python -m sphinx -q -W --keep-going -b html $$guest/docs site/$$guest
	done

# The whole workflow from nothing, apart from the user's own results.
smoke: set-up
	@rm -rf .smoke
	$(run)snakemake --directory .smoke --cores $(CORES) --config scale=smoke

# Only root can install these; others are told how. A command that finds it, its name, its packages.
define need
if ! $(1) >/dev/null 2>&1; then
    install="apt-get install --yes --no-install-recommends $(3)"
    if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "closerthan: $(2) is not installed here. As root: $$install" >&2
        exit 1
    fi
    ( # one part at a time
        flock 8
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive $$install -qq >/dev/null
    ) 8> '$(cache)/apt.lock'
fi
endef

# Whether a tag, as TAG=v0.3.0, is the version that is about to be released. It is for the shell to
# read, as make would put it in the command, and a tag may hold one.
check-tag:
	@version=$$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
	[ "$${TAG:-}" = "v$$version" ] || { echo "closerthan: the tag is $${TAG:-}, the version $$version." >&2; exit 1; }

# Each extra in its own environment ("none": closerthan alone). This needs a network.
test-install: build
	@CLOSERTHAN_EXTRAS='$(EXTRAS)' $(run)python -m pytest -q tests/install
	$(if $(wildcard lab),$(call inside,lab) tests/install)

# README's commands alone, with the wheel in its own environment.
check-readme: build
	@$(run)python -m pytest -q tests/install -k readme

# Whether all files name one version and one date, and no change is unreleased.
check-versions: set-up
	@! grep -n '^## .*Unreleased' CHANGELOG.md || { echo "closerthan: date this section of CHANGELOG.md." >&2; exit 1; }
	$(run)python -m pytest -q tests/test_packaging.py -k versions

# Whether a release is ready, apart from `make test-all`. A part that fails does not stop the others.
release-check: set-up
	@wrong=()
	for part in check-versions build docs check-readme; do
	    $(MAKE) --no-print-directory $$part || wrong+=($$part)
	done
	[ $${#wrong[@]} = 0 ] || { echo "closerthan: not ready for a release: $${wrong[*]}" >&2; exit 1; }
	echo "closerthan: ready for a release."

# Whole runs of a tiny study: what runs when, what a killed run leaves, and the recipes of CONTRIBUTING.md.
test-workflow: set-up
	@$(run)python -m pytest -q -n $(CORES) --maxprocesses 2 --dist loadfile --no-loadscope-reorder tests/workflow

# The pages of the tool in a browser without a window.
test-browser: set-up
	@$(call need,type chromium,Chromium,chromium)
	$(call inside,lab) tests/browser

# A SLURM cluster of two nodes, emulated on this machine. Tests mostly wait, so three run side by side,
# each with a cluster of its own.
test-cluster: set-up
	@$(call need,env PATH=$$PATH:/usr/sbin which munged slurmctld slurmd srun,SLURM,slurm-wlm munge)
	$(run)python -m pytest -q -n 3 --dist worksteal tests/cluster

# Keep the small files of a study in the last run, or of all, to be committed: see docs/study.md.
publish: set-up
	@$(run)python -m closerthan_study.publish $(STUDY)

# Judge the published claims again, from the published scores: a minute, without a fit.
judge: set-up
	@$(run)python -m closerthan_study.publish --judge

# The speed of closerthan and its peers, each in its own environment. Finished measurements are kept:
# remove survey/benchmarks/results to measure again.
benchmark: set-up
	@$(run)python survey/benchmarks --peers $(PEERS)

# How often confidence ellipses hold the truth: the table of lab/docs/uncertainty.md, in ten minutes on two cores.
calibrate: set-up
	@$(run)python lab/calibrate.py
	$(run)python lab/docs/lab_made.py

# Keep the page and the tables of the last benchmark, to be committed.
publish-benchmark:
	@rm -rf results/published/benchmarks
	cp -r survey/benchmarks/results results/published/benchmarks

# Others' methods on the survey's trials, each program in its own environment. Finished ones are kept.
court: set-up
	@$(run)snakemake --snakefile survey/Snakefile --directory survey --cores $(CORES) --config scale=$(SCALE) 'studies=[survey]' -- \
	    results/trials/survey/choices/answers
	$(run)python -m closerthan_survey.court --scale $(SCALE) --cores $(CORES) $(CONTENDERS)

# Keep the tables and the figure of the court, to be committed.
publish-court:
	@rm -rf survey/results/published/court
	mkdir -p survey/results/published/court
	cp survey/results/court/$(SCALE)/{*.csv,run.json,court.png} survey/results/published/court

# Resolve requirements.lock again. Pins that still fit stay; if the file was removed, all are new.
lock:
	@uv pip compile pyproject.toml {lab,survey}/pyproject.toml --extra dev --universal --python-version 3.11 \
	    --generate-hashes --no-emit-package closerthan --no-emit-package closerthan-lab --no-emit-index-url --no-emit-find-links --no-header --no-annotate -q -o requirements.lock

# The same for the environments of the peers.
lock-peers:
	@for peer in survey/benchmarks/peers/*/requirements.in; do
	    uv pip compile $$peer --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	        --no-emit-find-links --no-header --no-annotate -q -o $${peer%.in}.lock
	done
