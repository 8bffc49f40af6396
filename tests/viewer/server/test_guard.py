"""Hosts, origins and tokens."""

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from pliant import cli
from pliant.runtime.errors import PliantError
from pliant.viewer import app
from pliant.viewer.app import address_of, listen
from pliant.viewer.server.guard import Guard
from viewer.conftest import serving
from viewer.loops import in_a_loop


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("hello")(scope, receive, send)


class Visitor:
    """A browser of sorts: keeps cookies, follows nothing by itself."""

    def __init__(self, host: str, token: str | None = None, base: str = "http://127.0.0.1:8080") -> None:
        self.transport = httpx.ASGITransport(Guard(page, host, token))
        self.base, self.cookies = base, httpx.Cookies()

    def get(self, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        async def ask() -> httpx.Response:
            options = {"transport": self.transport, "base_url": self.base, "cookies": self.cookies}
            async with httpx.AsyncClient(**options) as client:  # type: ignore[arg-type]
                answer = await client.get(path, headers=headers)
                self.cookies = client.cookies
                return answer

        return in_a_loop(ask())


OWN = ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "127.0.0.1", "LOCALHOST:1"]
FOREIGN = ["", "evil.example", "127.0.0.1.evil.example", "192.168.1.2", "[::1", "localhost@evil.example"]


@pytest.mark.parametrize("name", OWN)
def test_names_of_this_machine(name: str) -> None:
    assert Visitor("127.0.0.1").get("/", headers={"host": name}).status_code == 200


@pytest.mark.parametrize("name", FOREIGN)
def test_other_names(name: str) -> None:
    assert Visitor("127.0.0.1").get("/", headers={"host": name}).status_code == 403


def test_origin_must_be_the_page_itself() -> None:
    viewer = Visitor("127.0.0.1")
    assert viewer.get("/", headers={"origin": "http://127.0.0.1:8080"}).status_code == 200
    for other in ("http://127.0.0.1:8081", "http://localhost:8080", "https://evil.example", "null"):
        assert viewer.get("/", headers={"origin": other}).status_code == 403


def test_token_is_asked_for_once_and_leaves_the_address() -> None:
    viewer = Visitor("0.0.0.0", "secret", base="http://192.168.1.2:8080")
    assert viewer.get("/").status_code == 403
    assert viewer.get("/?token=guess").status_code == 403
    welcome = viewer.get("/exhibit/bar?a=1&token=secret")
    assert (welcome.status_code, welcome.headers["location"]) == (303, "/exhibit/bar?a=1")
    assert "httponly" in welcome.headers["set-cookie"].lower()
    assert viewer.get("/").text == "hello"  # the cookie is kept


@pytest.mark.parametrize("token", ["a+b", "a&b=c", "50% #1", "a b", "ü🐻", "/?token=x", ";\\\"'", "%41", "token"])
def test_the_printed_address_opens_the_page(token: str) -> None:
    """Whatever the token is made of; another one does not."""
    with listen("127.0.0.1", 0) as listener:
        address = address_of(listener, "127.0.0.1", "a bar", token)
    assert address.isascii() and " " not in address
    viewer = Visitor("127.0.0.1", token, base=address.partition("/exhibit")[0])
    welcome = viewer.get(address)
    assert (welcome.status_code, welcome.headers["location"]) == (303, "/exhibit/a%20bar")
    assert viewer.get(welcome.headers["location"]).text == "hello"  # with the cookie
    stranger = Visitor("127.0.0.1", token + "x", base=viewer.base)
    assert stranger.get(address).status_code == 403
    stranger.cookies = viewer.cookies
    assert stranger.get("/").status_code == 403


@pytest.mark.slow
def test_a_whole_server_behind_a_token() -> None:
    with serving("--token=50% + a&b #1") as printed, httpx.Client(timeout=60, follow_redirects=True) as browser:
        alone = printed.partition("?")[0]
        assert browser.get(alone).status_code == 403
        welcome = browser.get(printed)
        assert welcome.status_code == 200 and str(welcome.url) == alone and "Pliant" in welcome.text
        assert browser.get(alone).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "::"])
@pytest.mark.parametrize("token", ["", " ", "\n", "a\tb", "\udcff"])
def test_a_token_that_keeps_nobody_out(host: str, token: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As from a variable that was never set."""
    assert cli.main(["view", "--host", host, "--port", "0", "--no-browser", "--token", token]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and "--token" in told.err


def test_beyond_this_machine_names_are_still_checked() -> None:
    viewer = Visitor("0.0.0.0", "secret", base="http://evil.example:8080")
    assert viewer.get("/?token=secret").status_code == 403


def test_next_free_port(capsys: pytest.CaptureFixture[str]) -> None:
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with listen("127.0.0.1", taken) as second:
            assert taken < second.getsockname()[1] < taken + 50
            told = capsys.readouterr().err
            assert told == f"pliant: port {taken} is taken, so {second.getsockname()[1]} serves; --port gives another\n"
            assert address_of(second, "127.0.0.1", "a bar", "x").endswith("/exhibit/a%20bar?token=x")


def test_an_address_of_another_machine() -> None:
    with pytest.raises(PliantError, match=r"cannot serve at 203\.0\.113\.1"):
        listen("203.0.113.1", 0)


def test_all_ports_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "PORTS", 1)
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with pytest.raises(PliantError, match=f"ports {taken} to {taken} are all taken; give another with --port"):
            listen("127.0.0.1", taken)


@pytest.mark.parametrize("found", [True, False])
def test_without_a_browser_the_address_is_left(
    found: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.webbrowser, "open", lambda _address: found)
    app.show("http://127.0.0.1:8080")
    told = capsys.readouterr().err
    assert told == ("" if found else "pliant: no browser was found; open the address above in one\n")
