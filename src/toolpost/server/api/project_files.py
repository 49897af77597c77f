"""Find files of the project by a few letters of their paths, to mention them in a prompt."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.workspace import Workspace
from toolpost.workspace.project_files import FileIndex

MAX_FILES = 50
MAX_QUERY = 200


class FileQuery(Struct, frozen=True):
    query: Annotated[str, Meta(max_length=MAX_QUERY, description="Letters of the path, in order")] = ""
    limit: Annotated[int, Meta(ge=1, le=MAX_FILES, description="The maximum number of results")] = 20


class ProjectFiles(Struct, frozen=True):
    """Paths in the project, the best match first, without ignored files (.gitignore), hidden files, and files that the
    rules deny or that may contain secrets. `is_whole` is false if not every file was searched."""

    files: list[str]
    is_whole: bool


def routes(workspace: Workspace) -> list[Route]:
    listing = FileIndex(workspace)

    async def files(request: Request) -> None:
        asked = request.query_as(FileQuery)
        found = await listing.files(asked.query, asked.limit)
        await request.reply_json(ProjectFiles(list(found), listing.is_whole))

    doc = Doc("Find files of the project", tag="tools", query=FileQuery, gives=ProjectFiles)
    return [Route("GET", "/api/project-files", files, doc, needs="machine")]
