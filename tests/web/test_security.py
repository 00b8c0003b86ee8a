"""Who may ask what: hosts, origins, tokens, passwords, caps and headers."""

import gzip
import json
import socket

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from client import Tab, get, line, running


def refused(port, **headers):
    """The status with which a socket is refused."""
    url = f"ws://127.0.0.1:{port}/socket"
    with pytest.raises(InvalidStatus) as found, connect(url, additional_headers=headers):
        pass
    return found.value.response.status_code


def test_the_page_has_the_token_and_no_inline_scripts_are_allowed(server):
    port, settings = server
    status, headers, body = get(port, "/play")
    assert status == 200
    assert f'<meta name="ludus-token" content="{settings.token}">' in body.decode()
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/play", "/analyse", "/school", "/school/demo:td", "/arena", "/arena/x"])
def test_every_page_is_the_same_application(port, path):
    assert get(port, path)[0] == 200


def test_long_answers_are_compressed(port):
    _, headers, body = get(port, "/api/openings?game=draughts", Accept_Encoding="gzip")
    assert headers["content-encoding"] == "gzip"
    assert b"9-14" in gzip.decompress(body)


def test_files_of_the_page_may_be_kept(port):
    status, headers, body = get(port, "/assets/a.js")
    assert (status, body) == (200, b"1;")
    assert "immutable" in headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/assets/../../settings.py", "/assets/%2e%2e/%2e%2e/x", "/..%2f..%2fetc/passwd", "//etc/passwd"],
)
def test_there_is_nothing_else(port, path):
    assert get(port, path)[0] == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.1", "a@127.0.0.1", "[", ""]
)
def test_foreign_hosts_are_refused(port, host):
    assert get(port, "/", Host=host)[0] in (400, 421)
    assert get(port, "/api/token", Host=host)[0] in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "LOCALHOST:99", "[::1]:8710"])
def test_names_of_this_machine_are_accepted(port, host):
    assert get(port, "/", Host=host)[0] == 200


def test_two_hosts_are_refused(port):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        assert connection.recv(100).split()[1] in (b"400", b"421")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://", "http://[", "https://localhost"]
)
def test_foreign_origins_are_refused(port, origin):
    assert get(port, "/api/token", Origin=origin)[0] == 403
    assert refused(port, Origin=origin) == 403


def test_the_own_origin_is_accepted(server):
    port, settings = server
    assert get(port, "/api/token", Origin=f"http://127.0.0.1:{port}")[0] == 200
    with Tab(port, settings.token, Origin=f"http://127.0.0.1:{port}") as tab:
        assert tab.ask("look", line=line())["type"] == "board"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_other_sites_may_link_here_and_nothing_else(port, site):
    assert get(port, "/play", Sec_Fetch_Site=site)[0] == 200
    assert get(port, "/api/players?game=draughts", Sec_Fetch_Site=site)[0] == 403
    assert get(port, "/login", "POST", b"password=x", Sec_Fetch_Site=site)[0] == 403


def test_a_socket_with_a_foreign_host_is_refused(port):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(
            b"GET /socket HTTP/1.1\r\nHost: evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert connection.recv(100).split()[1] == b"403"


@pytest.mark.parametrize(
    "first",
    [
        {"type": "hello", "token": "wrong"},
        {"type": "hello", "token": "\u00e9\ud800"},
        {"type": "hello"},
        {"type": "look", "id": 1, "line": line()},
        [],
    ],
)
def test_a_socket_without_the_token_is_closed(port, first):
    with connect(f"ws://127.0.0.1:{port}/socket") as sock:
        sock.send(json.dumps(first))
        with pytest.raises(ConnectionClosed) as found:
            sock.recv(10)
        assert found.value.rcvd.code == 4401


def test_large_bodies_are_refused(port):
    assert get(port, "/login", "POST", b"x" * (2 << 20))[0] == 413
    with socket.create_connection(("127.0.0.1", port)) as connection:  # without saying how long it is
        connection.sendall(b"POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        try:
            for _ in range(200):
                connection.sendall(chunk)
        except OSError:
            pass  # the server had enough
    assert get(port, "/")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"])
def test_lists_are_only_read(port, method):
    assert get(port, "/api/players?game=draughts", method)[0] in (403, 405)


@pytest.mark.parametrize("query", ["", "?game=", "?game=chess", "?game=%00", "?game=draughts%27", "?game=<b>"])
def test_bad_addresses_are_a_sentence(port, query):
    status, headers, body = get(port, f"/api/players{query}")
    assert status == 400
    assert headers["content-type"] == "application/json"
    assert "there is no game" in json.loads(body)["message"]


def test_about_names_no_paths(server, tmp_path):
    port, settings = server
    body = get(port, "/api/about")[2].decode()
    assert str(settings.runs.parent) not in body
    assert json.loads(body)["training"] is True


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server with a password."""
    with running(
        tmp_path_factory.mktemp("guarded"), password="secret word", hosts=frozenset({"board"}), any_address=True
    ) as found:
        yield found


def test_a_server_with_a_password_says_nothing_without_it(guarded):
    port, settings = guarded
    status, headers, _ = get(port, "/play")
    assert (status, headers["location"]) == (303, "/login")
    for path in ("/api/players?game=draughts", "/api/token", "/api/about", "/api/runs"):
        assert get(port, path)[0] == 401
    assert get(port, "/assets/a.js", Sec_Fetch_Dest="script")[0] == 401
    assert refused(port) == 403
    assert refused(port, Cookie="ludus=wrong") == 403
    assert refused(port, Cookie=f"ludus={settings.token}") == 403


def test_the_right_password_opens_the_page_and_the_socket(guarded):
    port, settings = guarded
    status, _, body = get(port, "/login", "POST", b"password=wrong")
    assert (status, b"not the password" in body) == (403, True)
    status, headers, _ = get(port, "/login", "POST", b"password=secret+word")
    cookie = headers["set-cookie"]
    assert status == 303 and "HttpOnly" in cookie and "SameSite=strict" in cookie
    session = cookie.partition(";")[0]
    assert get(port, "/play", Cookie=session)[0] == 200
    assert get(port, "/api/token", Cookie=session)[0] == 200
    with Tab(port, settings.token, Cookie=session) as tab:
        assert tab.ask("look", line=line())["type"] == "board"


def test_a_server_for_others_goes_by_its_name_and_its_addresses(guarded):
    port, _ = guarded
    assert get(port, "/login", Host="board:8710")[0] == 200
    assert get(port, "/login", Host="192.168.1.7:8710")[0] == 200
    assert get(port, "/login", Host="evil.example")[0] == 421
