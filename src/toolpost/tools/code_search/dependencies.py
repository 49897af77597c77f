"""Where the installed dependencies of a project are: the packages of its virtual environment, and `node_modules`."""

from toolpost.guard.paths import Ground, Place

ENVIRONMENTS = (".venv", "venv", "env")


def dependency_folders(ground: Ground) -> list[Place]:
    """Those that are in the project itself: one that a link leads out of it would have to be asked for."""
    folders = [f"{name}/{packages}" for name in environments(ground) for packages in _packages(ground, name)]
    places = (ground.place(folder) for folder in (*folders, "node_modules"))
    return [place for place in places if place.inside and ground.is_folder(place)]


def environments(ground: Ground) -> list[str]:
    """The virtual environments of the project, by the file that makes a folder one."""
    return [name for name in ENVIRONMENTS if ground.stat(ground.place(f"{name}/pyvenv.cfg")) is not None]


def _packages(ground: Ground, name: str) -> list[str]:
    lib = ground.place(f"{name}/lib")
    if not ground.is_folder(lib):
        return ["Lib/site-packages"]
    return [f"lib/{entry.name}/site-packages" for entry in ground.scan(lib) if entry.name.startswith("python")]
