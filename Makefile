# SPDX-License-Identifier: Apache-2.0
#
# The everyday commands. Meson does the work; this file only spares typing.

PREFIX ?= /usr/local
MINUTES ?= 1
ROWS ?= 10000000
TIMES ?= 200
N ?= 300
SEED ?= 1

all: build/build.ninja
	meson compile -C build bauta:executable bauta:shared_library

help:
	@echo 'make            build/bauta and build/libbauta.so'
	@echo 'make deps       install what the build needs (Debian packages)'
	@echo 'make demo       install, build, and anonymize a made-up census in demo/'
	@echo 'make check      install, build, and run every test and check'
	@echo 'make lint       include borders, headers, symbols, format, clang-tidy, cppcheck …'
	@echo 'make wheel      the Python package as dist/*.whl'
	@echo 'make coverage   line coverage of src/ and experiments/'
	@echo 'make bench      speed and memory against the bars (ROWS=$(ROWS))'
	@echo 'make fuzz       run every fuzz target for MINUTES=$(MINUTES)'
	@echo 'make campaign   corrupt and kill releases, TIMES=$(TIMES) in each way, and look for leaks;'
	@echo '                what init and anonymize make of TABLES must hold against every attack'
	@echo 'make faults     put faults back, one at a time: the tests of tests/worlds must find each'
	@echo 'make mutants    put N=$(N) random small faults into a copy: the tests must notice each'
	@echo 'make format     format the sources in place'
	@echo 'make install    into PREFIX=$(PREFIX)'
	@echo 'make clean      remove what was built'

build/build.ninja:
	meson setup build

deps:
	tools/deps

demo: deps all
	tools/demo

check:
	tools/deps test
	tools/check

lint:
	tools/deps test
	tools/check lint

wheel:
	tools/deps python
	tools/wheel

coverage:
	tools/deps test
	tools/check coverage

bench: all
	tools/deps bench
	bench/run $(ROWS)

fuzz:
	tools/deps test
	tools/fuzz $(MINUTES)

campaign: all
	tools/deps test
	meson compile -C build trouble
	tests/campaign/mutate build $(TIMES)
	tests/campaign/honest build $(TIMES)
	tests/campaign/kill build $(TIMES)
	tests/campaign/leak build all
	tests/campaign/defaults build $(TABLES)

faults:
	tools/deps test
	tests/worlds/put_back

mutants:
	tools/deps test
	nice -n 19 tools/mutants $(N) --seed $(SEED)

format:
	tools/format

install: all
	meson configure build --prefix=$(abspath $(PREFIX))
	meson compile -C build bauta:executable bauta:shared_library
	meson install -C build --no-rebuild

clean:
	rm -rf build build-python build-wheel dist build-sanitize build-threads build-coverage build-fuzz demo

.PHONY: all help deps demo check lint wheel coverage bench fuzz campaign faults mutants format install clean
