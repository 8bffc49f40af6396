"""What a page says while it waits."""

from typing import TYPE_CHECKING

from nicegui import ui

from pliant.viewer.server.preparation import Progress

if TYPE_CHECKING:
    from pliant.viewer.server.session import Session

COMPILING = "Compiling the kernels for this machine, once"


def waiting_for(session: "Session") -> tuple[str, Progress]:
    """What a session is busy with before there is something to see; nothing once it plays or has failed."""
    if session.status.phase in ("ready", "failed"):
        return "", Progress()
    if session.preparation.progress.total:
        return COMPILING, session.preparation.progress
    if session.status.phase == "settling":
        return "Settling: looking for the shape in which it is at rest", Progress()
    if session.progress.total:
        return f"Filling {session.exhibit.title} with particles", session.progress
    return f"Opening {session.exhibit.title}", Progress()


class Notice:
    """A line, a bar and what is under way; hidden while there is nothing to say."""

    def __init__(self) -> None:
        self._said: tuple[str, Progress] = ("", Progress())
        with ui.element("div").classes("notice").props('role="status"') as self.box:
            self.text = ui.label().classes("notice-text")
            self.bar = ui.linear_progress(value=0.0, show_value=False, size="4px").props("rounded")
            self.detail = ui.label().classes("notice-detail")
        self.box.set_visibility(False)

    def show(self, text: str, progress: Progress | None = None) -> None:
        """Say something, with a measured bar if there is progress; nothing at all for an empty text."""
        progress = progress or Progress()
        if (text, progress) == self._said:
            return
        self._said = (text, progress)
        self.box.set_visibility(bool(text))
        self.text.set_text(text)
        measured = progress.total > 0
        self.bar.props(remove="indeterminate") if measured else self.bar.props("indeterminate")
        self.bar.set_value(progress.part)
        if measured:
            kernel = f": {progress.kernel}" if progress.kernel else ""
            self.detail.set_text(f"{progress.done + 1} of {progress.total}{kernel}")
        else:
            self.detail.set_text("")
