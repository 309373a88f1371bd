import os
import threading
from pathlib import Path

import pytest

from ragstone.atomic import atomic_write


def test_a_file_is_written(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "a.txt") as file:
        file.write(b"new")
        assert not (tmp_path / "a.txt").exists()
    assert (tmp_path / "a.txt").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_bytes(b"old")

    def fail() -> None:
        with atomic_write(target) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_new_file_mode_is_0600_and_existing_mode_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    with atomic_write(target):
        pass
    assert target.stat().st_mode & 0o777 == 0o600
    target.chmod(0o640)
    with atomic_write(target):
        pass
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.touch()
    link.symlink_to(real)
    with atomic_write(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_a_pipe_is_written_to_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with atomic_write(pipe) as file:
        file.write(b"new")
    reader.join(10)
    assert read == [b"new"]
