"""A server and a real Chromium for the tests of the page. `make test-browser` runs them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, sync_playwright

WEB = Path(__file__).parents[2] / "web"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT = 30_000  # milliseconds; a busy machine is slow


def chromium() -> str:
    """The browser of this machine, or the one that LUDUS_CHROMIUM names."""
    found = os.environ.get("LUDUS_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.exit("The tests of the page need Chromium: install it, or say where it is with LUDUS_CHROMIUM.", 2)
    return found


class Server:
    """`ludus web` on a free port, which can be stopped and started again."""

    def __init__(self, runs: Path) -> None:
        self.runs = runs
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "ludus", "web", "--no-browser"]
        command += ["--port", str(self.port), "--runs", str(self.runs)]
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        assert self.process.stdout
        said = ""
        for line in self.process.stdout:
            said += line
            if found := re.search(r"http://[^/]+:(\d+)", line):
                self.port = int(found[1])
                return
        raise RuntimeError(f"the server did not start: {said}")

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(20)
            self.process = None


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """The folder of the runs: tests may put runs there before they open a page."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="session")
def server(runs):
    server = Server(runs)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser():
    # Software rendering: the 3D board is drawn on machines without a graphics card too.
    options = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"]
    if os.geteuid() == 0:
        options.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=options)
        yield browser
        browser.close()


@pytest.fixture
def open_page(server, browser):
    """Opens pages in windows of their own. In the end no page may have had an error or have asked another machine."""
    contexts, troubles = [], []

    def watch(page: Page) -> None:
        page.on("console", lambda said: troubles.append(f"console: {said.text}") if said.type == "error" else None)
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("request", lambda request: troubles.extend(outgoing(request.url)))
        page.on("websocket", lambda socket: troubles.extend(outgoing(socket.url)))

    def outgoing(address: str) -> list[str]:
        parts = urlsplit(address)
        own = parts.scheme in ("blob", "data") or parts.netloc == f"127.0.0.1:{server.port}"
        return [] if own else [f"request: {address}"]

    def open_page(path: str = "/play", **options) -> Page:
        # Without motion: a machine without a graphics card draws slowly.
        usual = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
        context = browser.new_context(**(usual | options))
        context.set_default_timeout(WAIT)
        contexts.append(context)
        page = context.new_page()
        watch(page)
        page.goto(server.address + path)
        page.troubles = troubles
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not troubles


@pytest.fixture
def accessible():
    """Says what axe-core finds on a page: nothing, if all is well."""
    source = (WEB / "node_modules" / "axe-core" / "axe.min.js").read_text()

    def accessible(page: Page) -> list[str]:
        page.wait_for_timeout(400)  # colours change in steps
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(source)
        found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        return [
            f"{each['id']}: {each['help']}: {node['html'][:200]} {node.get('failureSummary', '')}"
            for each in found["violations"]
            for node in each["nodes"]
        ]

    return accessible
