#===- Makefile - the commands a person types -------------------------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Thin on purpose: CMake builds, utils/ prepares and checks. Every target does
# the set-up that it needs, announces what it installs, and repeats nothing.

PYTHON := .venv/bin/python
CONFIGURE := -DPython3_EXECUTABLE=$(CURDIR)/$(PYTHON) -DPython_EXECUTABLE=$(CURDIR)/$(PYTHON)

# $(call build,PRESET,FOLDER): configure once, then let ninja find what changed.
define build
@test -f $(2)/build.ninja || cmake --preset $(1) $(CONFIGURE)
@cmake --build $(2)
endef

.PHONY: help quickstart build test test-full debug asan self-contained gcc tidy format docs clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /	/' | expand -t 18

quickstart: ## prepare the machine, build, run the reference operator on the CPU
	@utils/setup.sh build
	$(call build,release,build)
	@$(PYTHON) utils/quickstart.py

build: ## prepare the machine and build
	@utils/setup.sh build
	$(call build,release,build)

test: ## prepare the machine, build, run every test suite
	@utils/setup.sh test
	$(call build,release,build)
	@$(PYTHON) utils/run_tests.py

test-full: ## as test, with the long sweeps
	@utils/setup.sh test
	$(call build,release,build)
	@$(PYTHON) utils/run_tests.py --full

debug: ## build and test the debug preset
	@utils/setup.sh test
	$(call build,debug,build-debug)
	@$(PYTHON) utils/run_tests.py --build build-debug --skip style tidy

asan: ## build and test with AddressSanitizer and UndefinedBehaviorSanitizer
	@utils/setup.sh asan
	$(call build,asan,build-asan)
	@$(PYTHON) utils/run_tests.py --build build-asan --skip style tidy

gcc: ## build with g++, warnings being errors, and run the tests
	@utils/setup.sh test
	$(call build,gcc,build-gcc)
	@$(PYTHON) utils/run_tests.py --build build-gcc --skip style tidy

self-contained: ## build one library without visible LLVM symbols, and test it
	@utils/setup.sh test
	$(call build,self-contained,build-self-contained)
	@$(PYTHON) utils/run_tests.py --build build-self-contained pytest

tidy: ## clang-tidy over every file (FIX=1 repairs what it can)
	@utils/setup.sh test
	$(call build,release,build)
	@$(PYTHON) utils/tidy.py $(if $(FIX),--fix)

format: ## clang-format every file in place
	@utils/setup.sh test
	@$(PYTHON) utils/check_style.py --fix

docs: ## regenerate the reference pages under docs/ from the .td files
	@utils/setup.sh build
	@test -f build/build.ninja || cmake --preset release $(CONFIGURE)
	@cmake --build build --target hyena-docs

clean: ## remove the build folders (not .venv)
	rm -rf build build-debug build-asan build-gcc build-self-contained
