"""How much memory there is for a model: of the machine, or of the container."""

import pytest

from toolpost.models.embedded.choice import memory_available

GB = 1_000_000_000


@pytest.fixture
def machine(tmp_path):
    """A machine with 8 GB, as the kernel tells it."""
    (tmp_path / "proc" / "self").mkdir(parents=True)
    (tmp_path / "proc" / "meminfo").write_text(f"MemTotal: 99 kB\nMemAvailable:   {8 * GB // 1024} kB\n")
    (tmp_path / "cgroups" / "app").mkdir(parents=True)
    return tmp_path


def available(machine) -> int | None:
    return memory_available(proc=machine / "proc", cgroups=machine / "cgroups")


def write(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(f"{text}\n")


def test_without_a_container_it_is_what_the_kernel_calls_available(machine):
    assert available(machine) == 8 * GB // 1024 * 1024
    (machine / "proc" / "self" / "cgroup").write_text("0::/app\n")
    write(machine / "cgroups" / "app", memory__max="max", memory__current="5")
    assert available(machine) == 8 * GB // 1024 * 1024


def test_the_limit_of_a_container_holds_and_files_that_were_read_give_way(machine):
    (machine / "proc" / "self" / "cgroup").write_text("0::/app\n")
    write(machine / "cgroups" / "app", memory__max=3 * GB, memory__current=2 * GB)
    assert available(machine) == GB
    write(machine / "cgroups" / "app", memory__stat=f"anon 1\ninactive_file {GB}\n")
    assert available(machine) == 2 * GB


def test_the_limit_of_an_older_container_holds(machine):
    place = machine / "cgroups" / "memory"
    place.mkdir()
    write(place, memory__limit_in_bytes=2 * GB, memory__usage_in_bytes=GB)
    assert available(machine) == GB


def test_a_system_that_does_not_tell_has_what_is_installed(tmp_path):
    assert (available(tmp_path) or 0) > 100_000_000
