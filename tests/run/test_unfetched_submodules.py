"""Headers that a submodule would bring, if somebody had fetched it."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.settings import Config
from drano.run.driver import check

MODULES = '[submodule "{name}"]\n\tpath = third_party/{name}\n\turl = https://example.com/{name}\n'


@pytest.mark.parametrize(
    ("header", "named"),
    [("glm/vec3.hpp", "third_party/glm"), ("other.h", "third_party/fmt, third_party/glm")],
)
def test_submodules_of_the_headers_name_are_told_first(
    tmp_path: Path, header: str, named: str
) -> None:
    (tmp_path / ".git").mkdir()
    modules = "".join(MODULES.format(name=name) for name in ("fmt", "glm"))
    (tmp_path / ".gitmodules").write_text(modules)
    source = tmp_path / "k.cu"
    source.write_text(
        f"#include <{header}>\n__global__ void k(float *a) {{ a[threadIdx.x] = 1; }}\n"
    )
    (note,) = check([str(source)], Config()).notes
    assert note.endswith(f"(git submodule update --init): {named}")
