# linpoint: one command for each thing you may want to do. `make help` lists them.
#
# Everything lives in .venv (Python) and target (Rust). Stamp files in .venv remember what was done,
# so a second run starts at once. Exact versions: requirements/dev.txt and Cargo.lock.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

export PATH := $(CURDIR)/.venv/bin:$(PATH):$(HOME)/.cargo/bin
export VIRTUAL_ENV := $(CURDIR)/.venv
export PYO3_PYTHON := $(CURDIR)/.venv/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1

VENV := .venv
RUST := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)
PURE := --workspace --exclude linpoint-python --locked

# make fuzz: SECONDS=60 (the default) or HISTORIES=1000000, and SEED=7 for another stream.
HISTORIES ?=
SEED ?= 0
ifeq ($(origin SECONDS),undefined)
SECONDS := 60
endif

# make mutants: CRATE=spec for another crate, SAMPLE=20 for fewer of its mutants.
CRATE ?= check
SAMPLE ?= 200
MUTANTS := target/tools/bin/cargo-mutants
MUTANTS_VERSION := 27.1.0

stage = @printf '\n\033[1m== %s\033[0m\n' "$(1)"

.PHONY: help demo test lint test-rust test-python fuzz mutants bench build clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: build ## check one good and one bad history, and look at the answers
	$(call stage,A history that is linearizable)
	@linpoint check examples/histories/register.jsonl --model cas-register
	$(call stage,A history that is not: a stale read)
	@linpoint check examples/histories/stale-read.jsonl --model cas-register --report report.html || test $$? -eq 1
	@printf '\nThe whole history as a page: report.html\n'
	@printf '\nNext: .venv/bin/linpoint --help, docs/tutorial.md, examples/\n'

test: lint test-rust test-python ## everything CI runs

lint: build ## style, types, import directions, stubs, clippy
	$(call stage,ruff)
	@ruff check
	@ruff format --check
	$(call stage,mypy --strict)
	@mypy
	$(call stage,import directions)
	@lint-imports --no-logo
	$(call stage,stub of the compiled core)
	@MYPYPATH=python python -m mypy.stubtest linpoint._core --mypy-config-file pyproject.toml
	$(call stage,cargo fmt and clippy)
	@cargo fmt --all --check
	@cargo clippy --workspace --all-targets --locked --quiet -- -D warnings

test-rust: $(VENV)/.ready ## cargo test of the pure crates, and again where every hash collides
	$(call stage,cargo test)
	@cargo test $(PURE) --quiet
	$(call stage,cargo test: every hash collides and every table starts tiny)
	@cargo test --package linpoint-spec --package linpoint-check --package linpoint-explore --package linpoint-equiv --package linpoint-monitor --features collide --lib --tests --locked --quiet

test-python: build ## pytest: rooms, agreement, data, examples, documents
	$(call stage,pytest)
	@tests/explain/install_browser.sh
	@pytest -n auto -q

fuzz: build ## random histories against a brute-force oracle [SECONDS=60 | HISTORIES=1000000] [SEED=0]
	@python -m tests.agreement.fuzz --seed $(SEED) $(if $(HISTORIES),--histories $(HISTORIES),--seconds $(SECONDS))

mutants: $(VENV)/.ready ## would a test notice a wrong line of Rust? [CRATE=check] [SAMPLE=200] [SEED=0]
	@$(MUTANTS) mutants --version 2>/dev/null | grep -qx 'cargo-mutants $(MUTANTS_VERSION)' || \
	    cargo install --quiet --locked --root $(dir $(MUTANTS)).. cargo-mutants@$(MUTANTS_VERSION)
	@nice -n 5 python -m tests.mutants.run --crate $(CRATE) --sample $(SAMPLE) --seed $(SEED)

bench: build ## measure, beside Porcupine on the same files; results go to bench/results
	@python -m bench.run

build: $(VENV)/.built ## the package, in release mode, in .venv

clean: ## forget everything that was built
	rm -rf $(VENV) target python/linpoint/_core*.so .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/.built: $(VENV)/.ready $(RUST) pyproject.toml
	$(call stage,building linpoint in release mode)
	@python -m pip install --quiet --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)/.ready: requirements/dev.txt
	@command -v cargo >/dev/null || { echo "linpoint needs Rust 1.88 or newer (cargo): install it with rustup, see rustup.rs" >&2; exit 1; }
	@command -v cc >/dev/null || { echo "linpoint needs a C linker (cc): install gcc or clang, e.g. the package build-essential" >&2; exit 1; }
	@found=; for name in $${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do \
	    if env PATH="$${PATH#*:}" "$$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	    then found=$$name; break; fi; done; \
	if [ -z "$$found" ]; then \
	    echo "linpoint needs Python 3.11 or newer with venv: install e.g. the packages python3 and python3-venv, or say PYTHON=/path/to/python3 make …" >&2; \
	    exit 1; fi; \
	env PATH="$${PATH#*:}" "$$found" -m venv $(VENV)
	$(call stage,installing the tools of requirements/dev.txt)
	@python -m pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@
