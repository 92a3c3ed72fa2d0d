"""Which root reports speak of, in real git repositories."""

from __future__ import annotations

import doctest
import os
import subprocess
from pathlib import Path

import pytest

from drano.output import checkout
from drano.output.checkout import SourceRoot, repository_uri, source_root


def git(directory: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", "-C", str(directory), *identity, *arguments],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    top = tmp_path / "my repo"
    (top / "src").mkdir(parents=True)
    (top / "src" / "a.cu").write_text("")
    git(top, "init", "-q", "-b", "main")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "first")
    return top


def test_the_checkout_we_are_in(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "src")
    root = source_root([str(repository / "src" / "a.cu")])
    assert root.path == str(repository)
    assert root.uri_of(str(repository / "src" / "a.cu")) == ("src/a.cu", True)
    assert root.uri == f"file://{str(repository).replace(' ', '%20')}/"
    assert root.revision is not None
    assert root.revision.commit == git(repository, "rev-parse", "HEAD")
    assert root.revision.branch == "main"
    assert root.revision.uri == root.uri.rstrip("/")


def test_the_checkout_of_the_files(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    root = source_root([str(repository / "src" / "a.cu")])
    assert (root.path, root.revision is not None) == (str(repository), True)


def test_remotes_lose_their_secrets(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    git(repository, "remote", "add", "origin", "https://me:s3cret@example.org:8443/a/b.git")
    git(repository, "checkout", "-q", "--detach")
    revision = source_root([]).revision
    assert revision is not None
    assert (revision.uri, revision.branch) == ("https://example.org:8443/a/b.git", "")


@pytest.mark.parametrize(
    "remote",
    ["", "../up", "/srv/git/a", "ext::sh -c evil", "file:///x", "https://", "https://[x/y",
     "javascript:alert(1)//x", "-oProxyCommand=x", "https://h:port/x"],
)  # fmt: skip
def test_remotes_that_are_no_addresses(remote: str) -> None:
    uri = repository_uri(remote)
    assert uri == "" or uri.startswith(("ssh://", "https://"))
    assert "@" not in uri


def test_a_repository_without_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q")
    monkeypatch.chdir(tmp_path)
    assert source_root([str(tmp_path / "a.cu")]) == SourceRoot(str(tmp_path))


def test_without_git_the_working_directory(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.chdir(tmp_path)
    inside = str(repository / "src" / "a.cu")
    assert source_root([inside]) == SourceRoot(str(tmp_path))
    monkeypatch.chdir(repository / ".git")
    assert source_root([inside]) == SourceRoot(str(repository / "src"))


def test_paths_outside_and_paths_that_are_no_text(tmp_path: Path) -> None:
    root = SourceRoot("/src")
    assert root.uri_of("/other/a.cu") == ("file:///other/a.cu", False)
    assert root.uri_of("/src/../etc/a.cu")[1] is False
    assert root.uri_of(os.fsdecode(b"/src/\xff#?.cu")) == ("%FF%23%3F.cu", True)
    assert root.uri_of("/src/a:b%20.cu") == ("a%3Ab%2520.cu", True)


def test_doctests() -> None:
    assert doctest.testmod(checkout).failed == 0
