"""Who may talk to the server: this machine by default, others with a token, and pages of no other site ever.

A page of a foreign site can send requests to 127.0.0.1 from a visitor's browser. It cannot forge the Origin
header, nor, after pointing a name of its own at 127.0.0.1, the Host header; so both are checked, on pages and
on sockets.
"""

import hashlib
import ipaddress
import secrets
import socket
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pliant.runtime.errors import PliantError

COOKIE = "pliant-token"
LARGEST_REQUEST = 65_536  # bytes; what NiceGUI's own socket posts where WebSockets are blocked
SOCKET_PATH = "/_nicegui_ws/"
UPLOAD_PATH = "/upload"
LARGEST_UPLOAD = 200_000_000  # bytes of the files that are dropped on a page together
FORM_BYTES = 100_000  # bytes of a form beside its files
HEADERS = [
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # addresses may carry the token
]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server at this host.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_token(token: str) -> None:
    """That a token keeps strangers out. One that is empty comes from a variable that was never set."""
    if not token.strip():
        raise PliantError("the token is empty; give a secret with --token, or leave it out and one is made")
    if not token.isprintable():
        raise PliantError("the token has characters that cannot be typed; give one of letters and digits with --token")


class Guard:
    """An ASGI application in front of another."""

    def __init__(self, app: ASGIApp, host: str, token: str | None) -> None:
        self.app, self.token = app, token
        # What the browser keeps: it fits into a cookie whatever the token is made of, and does not tell it.
        self._pass = hashlib.sha256((token or "").encode()).hexdigest()
        self._names = {"localhost", host.strip("[]").lower()}
        self._any_address = not is_loopback(host)
        if self._any_address:
            self._names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self.app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)
        elif scope["type"] == "http":
            await refusal(scope, receive, _with_headers(send))
        else:  # closed before it is accepted: the browser sees 403
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._knows(headers.get("host", "")):
            return PlainTextResponse("This address does not belong to the viewer.", 403)
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != headers["host"].lower():
            return PlainTextResponse("Pages of other sites may not use the viewer.", 403)
        if scope["type"] == "http" and (refusal := _check_body(scope, headers)) is not None:
            return refusal
        return self._check_token(scope, headers) if self.token is not None else None

    def _knows(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or self._any_address  # a name can be pointed anywhere, a number cannot

    def _check_token(self, scope: Scope, headers: Headers) -> Response | None:
        assert self.token is not None
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        given = dict(query).get("token", "")
        if scope["type"] == "http" and secrets.compare_digest(given.encode(), self.token.encode()):
            # The address bar, and whatever is copied from it, should not keep the secret.
            rest = urlencode([(key, value) for key, value in query if key != "token"])
            answer = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(COOKIE, self._pass, httponly=True, samesite="strict")
            return answer
        if secrets.compare_digest(_cookie(headers).encode(), self._pass.encode()):
            return None
        return PlainTextResponse("Open the address that the viewer printed: it ends in ?token=…", 403)


def _check_body(scope: Scope, headers: Headers) -> Response | None:
    if scope["method"] in ("GET", "HEAD"):
        return None
    length = headers.get("content-length", "")
    if scope["method"] == "POST" and scope["path"].startswith(SOCKET_PATH) and length.isdecimal():
        return None if int(length) <= LARGEST_REQUEST else PlainTextResponse("Too large.", 413)
    if scope["method"] == "POST" and scope["path"] == UPLOAD_PATH and length.isdecimal():
        return None if int(length) <= LARGEST_UPLOAD + FORM_BYTES else PlainTextResponse("Too large.", 413)
    return PlainTextResponse("The viewer takes nothing here.", 405)


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
        await send(message)

    return send_with_headers
