"""Find the installed dependencies of a project: the packages of its virtual environment, and `node_modules`."""

from toolpost.guard.paths import FileAccess, ResolvedPath

ENVIRONMENTS = (".venv", "venv", "env")


def dependency_folders(project_files: FileAccess) -> list[ResolvedPath]:
    """Find those in the project itself: for one that a link leads out of it a person would have to be asked."""
    folders = [
        f"{name}/{packages}" for name in environments(project_files) for packages in _packages(project_files, name)
    ]
    places = (project_files.resolve(folder) for folder in (*folders, "node_modules"))
    return [place for place in places if place.inside and project_files.is_folder(place)]


def environments(project_files: FileAccess) -> list[str]:
    """The virtual environments of the project, by the file that makes a folder one."""
    return [
        name for name in ENVIRONMENTS if project_files.stat(project_files.resolve(f"{name}/pyvenv.cfg")) is not None
    ]


def _packages(project_files: FileAccess, name: str) -> list[str]:
    lib = project_files.resolve(f"{name}/lib")
    if not project_files.is_folder(lib):
        return ["Lib/site-packages"]
    return [f"lib/{entry.name}/site-packages" for entry in project_files.scan(lib) if entry.name.startswith("python")]
