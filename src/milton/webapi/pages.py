"""The page itself: files that `make web` built, or a line that says how to build them. Knows no API."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_INDEX = "index.html"
_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Milton</title>
<h1>The page is not built</h1>
<p>The server works, its page is missing. <code>make web</code> builds it (Node.js is needed);
then load this address again.</p>
<p>The API is described at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</html>
"""


class PageFiles(StaticFiles):
    """Built files; addresses without an ending are the app's own and get its one page."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, html=True, check_dir=False)
        self.config_checked = True  # it may be built later
        self._index = directory / _INDEX

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path.startswith("api/"):
            raise HTTPException(404, "there is no such address")
        if not self._index.is_file():
            return HTMLResponse(_NOT_BUILT)
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or "." in path.rsplit("/", 1)[-1]:
                raise
            path = _INDEX
            response = await super().get_response(path, scope)
        # Names below assets/ change with their content; the page that names them must be fresh.
        is_lasting = path.startswith("assets/")
        response.headers["Cache-Control"] = "max-age=31536000, immutable" if is_lasting else "no-cache"
        return response
