"""Who may ask what: checks of Host, Origin and the password, caps on bodies, and the headers of every answer.

- Host: a page of another name whose address was turned to this machine (DNS rebinding) is refused.
- Origin and Sec-Fetch-Site: pages of other sites may link to this one, and nothing else.
- A password, if there is one: a cookie from the login form, for all but the form.
- Bodies have a cap, whatever their headers say.
"""

import hashlib
import hmac
import ipaddress
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.web.settings import Settings

MOST_BYTES = 1 << 20  # of a body
COOKIE = "ludus"
OPEN_PATHS = ("/login", "/login.css")  # need no password

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def host_of(header: str) -> str | None:
    """The name in a Host header, without the port, in lower case; None if it is none."""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port  # raises for a bad one
    except ValueError:
        return None
    has_more = parts.path or parts.query or parts.fragment or parts.username is not None
    return None if has_more else (parts.hostname or "").rstrip(".") or None


def is_known_host(header: str, settings: Settings) -> bool:
    """Whether the server goes by this name.

    An address in numbers belongs to no name that somebody could turn elsewhere, so any is good where other machines may
    ask at all.
    """
    host = host_of(header)
    if host is None:
        return False
    if host in _LOOPBACK or host in settings.hosts:
        return True
    try:
        return settings.any_address and bool(ipaddress.ip_address(host))
    except ValueError:
        return False


def is_same_origin(headers: Headers) -> bool:
    """Whether the request does not come from a page of another site. Programs other than browsers say nothing."""
    site = headers.get("sec-fetch-site", "none")
    origin = headers.get("origin")
    if site not in ("none", "same-origin"):
        return False
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == headers.get("host", "").lower()


def session_of(password: str) -> str:
    """What the cookie holds for those who know the password. It is the same after a restart with the same password."""
    return hashlib.scrypt(password.encode(), salt=b"ludus web session", n=2**14, r=8, p=1, dklen=32).hex()


def cookie_in(headers: Headers) -> str:
    """The session that a request brings; empty if it brings none."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value


def is_equal(one: str, other: str) -> bool:
    """Compares secrets in a time that does not depend on them."""
    return hmac.compare_digest(one.encode(errors="surrogatepass"), other.encode(errors="surrogatepass"))


class TooLarge(Exception):
    """A body beyond the cap."""


class Guard:
    """Checks each request before the application sees it, and sets the headers of each answer."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.session = None if settings.password is None else session_of(settings.password)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if scope["type"] == "websocket":
            if refusal is None:
                await self.app(scope, receive, send)
            else:
                await receive()  # the request to connect
                await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        size = 0

        async def receive_some() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > MOST_BYTES:
                raise TooLarge
            return message

        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
            return
        try:
            await self.app(scope, receive_some, send_with_headers)
        except TooLarge:
            await PlainTextResponse("The body is too large.", 413)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not is_known_host(hosts[0], self.settings):
            return PlainTextResponse("This server does not go by that name.", 421)
        is_page = scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and not _is_api(scope["path"])
        if not is_page and not is_same_origin(headers):
            return PlainTextResponse("Pages of other sites may not ask this.", 403)
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length[:12]) > MOST_BYTES:
            return PlainTextResponse("The body is too large.", 413)
        if self.session is None or scope["path"] in OPEN_PATHS or is_equal(cookie_in(headers), self.session):
            return None
        if is_page and headers.get("sec-fetch-dest", "document") == "document":
            return RedirectResponse("/login", 303)
        return PlainTextResponse("Log in first.", 401)


def _is_api(path: str) -> bool:
    return path.startswith("/api/") or path == "/socket"
