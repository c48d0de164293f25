# The set-up is done once and skipped while nothing that it depends on has changed.
#
#   make demo    set up, build an example, run it
#   make test    set up, run all tests; with CPUINFO=tests/cpuinfo/zen2, as if on that CPU
#   make thorough all of these tests, with the variants that make test leaves out; half an hour
#   make quick   all unit tests and one of each other file, in under a minute
#   make check   linters, formatters, types, import layers, rules of the layout
#   make tidy    clang-tidy, on the files under native/ that changed since they passed
#   make bench   the benchmarks, as a table of ratios (downloads 440 MB)
#   make probe   check the table of targets against all installed compilers
#   make soak    a minute of load from many threads: right results, memory that does not grow
#   make fuzz    500 examples of every property that tests state, changed inputs for every reader,
#                then random kernels (make differential); TIME=600 for ten minutes of the last two,
#                READERS=syclbin,archive for some readers only, COUNT=1000 for so many inputs each
#                and kernels, SEED=2 for others
#   make differential random kernels compared with the host; COUNT=100000 for so many, TIME=3600 for
#                an hour, SEED=2 for others, LEVELS=0,2 for some levels, JOBS=2 for two at once
#   make chaos   five minutes of killed builds, full disks, damaged caches; TIME=60 for one
#   make changelog what the next release would say of changes
#   make interop examples against Intel's SYCL headers, kernels on its runtime and requirements
#                against its compiler (downloads 380 MB)

PYTHON ?= python3
SYSTEM_PACKAGES ?= yes
# Compiled modules and tests are kept: otherwise each process would compile them again.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
BUILT := setup/develop $(shell find native src/dovetail/tablegen src/dovetail/targets -type f \
  -name '*.td' -o -path 'native/*' -type f -o -path '*/tablegen/*.py')
CXX_FILES = $(shell find native include benchmarks differential examples tests interop soak -name '*.cpp' -o -name '*.h' -o -name '*.hpp')

# Files that clang-tidy has to pass. A stamp in build/tidy says that a file did, as it is now.
TIDY_FILES = $(wildcard $(TIDY_FOLDERS:%=native/%/*.cpp))
TIDY_FOLDERS = bridge plugin start

# A worker gets half of the tests, in order, and takes from the others what they have left at the
# end: what a file's tests share is built once.
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal

.PHONY: setup demo test thorough quick check tidy changelog bench probe soak fuzz differential chaos interop format clean

demo: setup
	$(BIN)/python examples/demo.py

test: setup
	$(if $(CPUINFO),tests/support/with-cpuinfo $(CPUINFO)) $(PYTEST)

thorough: setup
	$(PYTEST) --thorough

quick: setup
	$(PYTEST) --quick

check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/basedpyright --warnings
	clang-format-22 --dry-run --Werror $(CXX_FILES)
	$(MAKE) --no-print-directory tidy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -q --noconftest tests/unit/test_layout.py
	@setup/check-set-names

# Two files at a time.
tidy: setup
	@$(if $(TIDY_FILES),$(MAKE) --no-print-directory -j2 -O $(TIDY_FILES:native/%.cpp=build/tidy/%))

# Compilers' arguments and precompiled headers come from the set-up.
.SECONDEXPANSION:
build/tidy/%: native/%.cpp $$(wildcard native/$$(*D)/*.h) native/.clang-tidy
	clang-tidy-22 --quiet -p build/develop $<
	@mkdir -p $(@D)
	@touch $@

changelog: setup
	$(BIN)/towncrier build --draft --version next

interop: setup
	$(BIN)/python -m interop

probe: setup
	$(BIN)/dovetail targets probe

soak: setup
	$(BIN)/python -m soak

fuzz: setup
	$(if $(READERS),,$(PYTEST) --thorough -m hypothesis --hypothesis-profile=fuzz)
	$(BIN)/python -m fuzz $(if $(READERS),--readers $(READERS)) $(if $(TIME),--time $(TIME)) \
	  $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))
	$(if $(READERS),,$(MAKE) differential)

differential: setup
	$(BIN)/python -m differential $(if $(COUNT),--count $(COUNT)) $(if $(TIME),--time $(TIME)) \
	  $(if $(SEED),--seed $(SEED)) $(if $(LEVELS),--levels $(LEVELS)) $(if $(JOBS),--jobs $(JOBS)) \
	  $(if $(WITHOUT),--without $(WITHOUT))

chaos: setup
	$(BIN)/python -m chaos $(if $(TIME),--seconds $(TIME))

bench: setup
	$(BIN)/python -m benchmarks

format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	clang-format-22 -i $(CXX_FILES)

setup: $(VENV)/.installed

# Each stamp stands for a step that is done.
$(VENV)/.system: setup/apt-packages.txt setup/system-packages
ifeq ($(SYSTEM_PACKAGES),yes)
	@setup/system-packages
endif
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Dovetail needs Python 3.11 or newer; name one with: make PYTHON=python3.12")'
	@mkdir -p $(VENV)
	@touch $@

$(VENV)/.packages: $(VENV)/.system setup/requirements.txt
	@$(PYTHON) -m venv $(VENV)
	@setup/step "Python packages (300 MB the first time)" \
	  $(BIN)/python -m pip install --disable-pip-version-check -r setup/requirements.txt
	@touch $@

# For development the package stays where it is: the native parts are put beside its modules, and
# one line tells Python where it is. (Pip's editable installs put a finder before every import.)
$(VENV)/.installed: $(VENV)/.packages pyproject.toml $(BUILT)
	@setup/step "native parts (minutes the first time)" setup/develop $(VENV)
	@touch $@

clean:
	rm -rf build $(VENV) src/dovetail/_native*.so src/dovetail/_plugin.so src/dovetail/targets/_targets.py \
	  src/dovetail/targets/_aspects.py src/dovetail/targets/_names.py src/dovetail/driver/_clang_options.py
