"""The viewer's server: pages, sockets and files on one port."""

import asyncio
import errno
import os
import secrets
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI
from nicegui import app, ui
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from pliant.runtime.errors import PliantError
from pliant.viewer.panels.drop_element import Drop
from pliant.viewer.panels.exhibit_page import ExhibitPage
from pliant.viewer.panels.gallery_page import PICTURES, GalleryPage
from pliant.viewer.panels.viewport_element import MODULES
from pliant.viewer.server.guard import UPLOAD_PATH, Guard, check_token, is_loopback
from pliant.viewer.server.preparation import Preparation
from pliant.viewer.server.sessions import Sessions
from pliant.viewer.server.stream import beside
from pliant.viewer.server.timeouts import TimedProtocol
from pliant.viewer.server.uploads import Uploads
from pliant.viewer.simulation.opened import Opened

STYLE_SHEETS = [Path(__file__).parent / "styles" / f"{name}.css" for name in ("colours", "weights", "timeline", "page")]
ICON = Path(__file__).parent / "icon.svg"
PORTS = 50  # tried one after the other
LARGEST_MESSAGE = 65_536  # bytes that a page may send at once


def run(
    target: str | Opened | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    open_browser: bool = True,
    token: str | None = None,
) -> None:
    """Serve until interrupted. `target` is the exhibit or the file to open, None the gallery; port 0 takes a free one.

    A host beyond this machine needs a token; one is made unless it is given, and printed with the address.
    """
    if token is not None:
        check_token(token)
    elif not is_loopback(host):
        token = secrets.token_urlsafe(16)
    listener = listen(host, port)
    opened = target if isinstance(target, Opened) else None
    address = address_of(listener, host, target.name if isinstance(target, Opened) else target, token)
    preparation = Preparation()
    sessions = Sessions(preparation)
    app.on_shutdown(sessions.flush)
    if opened is not None:
        sessions.open(opened)
    uploads = Uploads(sessions)
    app.on_shutdown(uploads.remove)  # the server ends the process itself when it is told to terminate
    app.on_shutdown(sessions.temporary_files.remove)
    site = Guard(beside(make_site(sessions, uploads), sessions), host, token)
    print(f"Pliant is at {address}   (Ctrl+C ends it)", flush=True)
    # Not before the site has started: it looks through all objects there are, and one that a module is just making in
    # another thread does not stand that.
    app.on_startup(preparation.start)
    if open_browser:
        threading.Thread(target=show, args=(address,), daemon=True).start()
    config = uvicorn.Config(
        site,
        http=TimedProtocol,
        log_level="warning",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,  # particles hardly compress, and the attempt costs more than the step
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    try:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])
    finally:
        sessions.flush()
        uploads.remove()
        sessions.temporary_files.remove()


def _add_styles() -> None:
    for style in STYLE_SHEETS:
        ui.add_css(style)


def make_site(sessions: Sessions, uploads: Uploads) -> FastAPI:
    """All pages and files, not guarded yet."""
    preparation = sessions.preparation
    site = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    async def texture(request: Request) -> Response:
        image = sessions.image(request.path_params["digest"])
        if image is None:
            return Response(status_code=404)
        return Response(image.data, media_type=image.mime, headers={"Cache-Control": "private, max-age=86400"})

    async def work_picture(request: Request) -> Response:
        work = sessions.works.of(request.path_params["name"])
        if work is None or not work.picture.is_file():
            return Response(status_code=404)
        return FileResponse(work.picture, media_type="image/jpeg", headers={"Cache-Control": "no-cache"})

    site.add_route("/texture/{digest}", texture)
    site.add_route(UPLOAD_PATH, uploads.take, methods=["POST"])
    site.mount("/viewport", Fresh(directory=MODULES))
    site.add_route("/made/{name}.jpg", work_picture)
    if PICTURES.is_dir():
        site.mount("/pictures", Fresh(directory=PICTURES))

    @ui.page("/", title="Pliant")
    async def gallery() -> None:
        await _listed(preparation)
        _add_styles()
        GalleryPage(preparation, sessions)
        Drop()

    @ui.page("/exhibit/{name}")
    async def exhibit(name: str) -> None:
        await _listed(preparation, patience=60.0)
        _add_styles()
        session = await asyncio.to_thread(sessions.of, name)
        if session is None:
            ui.navigate.to("/")
            return
        ui.page_title(f"{session.exhibit.title} · Pliant")
        ExhibitPage(session, sessions.works, uploads.shape)
        Drop()

    ui.run_with(
        site,
        title="Pliant",
        favicon=ICON,
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=30.0,  # seconds: a busy computer is slow to answer, and a page that is given up loads anew
    )
    return site


async def _listed(preparation: Preparation, patience: float = 0.5) -> None:
    await asyncio.to_thread(preparation.listed.wait, patience)


def show(address: str) -> None:
    """Open the user's browser, or say that there is none."""
    if not webbrowser.open(address):
        print("pliant: no browser was found; open the address above in one", file=sys.stderr)


def listen(host: str, port: int) -> socket.socket:
    """A socket on the port, or on the next one that is free, which is told."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = min(port + PORTS, 65536) if port else 1
    for candidate in range(port, last):
        listener = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":  # a port just given up counts as free; elsewhere this would share a busy one
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host.strip("[]"), candidate))
            listener.listen(128)
            if port and candidate != port:
                print(f"pliant: port {port} is taken, so {candidate} serves; --port gives another", file=sys.stderr)
            return listener
        except OSError as error:
            listener.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                message = f"cannot serve at {host}: {error.strerror}; give an address of this machine"
                raise PliantError(message) from None
    raise PliantError(f"ports {port} to {last - 1} are all taken; give another with --port")


def address_of(listener: socket.socket, host: str, target: str | None, token: str | None) -> str:
    """What to type into a browser."""
    port = listener.getsockname()[1]
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    shown = f"[{shown}]" if ":" in shown and not shown.startswith("[") else shown
    path = f"exhibit/{quote(target)}" if target else ""
    return f"http://{shown}:{port}/{path}" + (f"?token={quote(token, safe='')}" if token else "")


class Fresh(StaticFiles):
    """Files that the browser asks about each time: an update changes them, but not their addresses."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response
