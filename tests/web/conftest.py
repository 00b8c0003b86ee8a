import pytest

from client import Tab, running


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The port and the settings of a server that all tests of a file share."""
    with running(tmp_path_factory.mktemp("web"), threads=2) as found:
        yield found


@pytest.fixture
def port(server):
    return server[0]


@pytest.fixture
def tab(server):
    port, settings = server
    with Tab(port, settings.token) as tab:
        yield tab
