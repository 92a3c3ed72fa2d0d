from __future__ import annotations

import doctest
from pathlib import Path
from xml.etree import ElementTree as ET

from drano.model.report import KernelInfo
from drano.model.settings import Config
from drano.output import roofline
from drano.output.checkout import source_root
from drano.output.formats.html import render_html
from drano.output.roofline import ROOFS, plot, points
from drano.output.source_lines import Sources
from drano.run.driver import check

CODE = """\
__global__ void axpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] + a * x[i];
}
__global__ void heavy(double *y) {
  double s = y[threadIdx.x];
  for (int i = 0; i < 100; i++) s = s * s + 1.0;
  y[threadIdx.x] = s;
}
__global__ void copy(int *y, const int *x) { y[threadIdx.x] = x[threadIdx.x]; }
void run(float *y, double *d, int *i) {
  axpy<<<8, 128>>>(y, y, 2.0f, 1024);
  heavy<<<1, 32>>>(d);
  copy<<<1, 32>>>(i, i);
}
"""


def test_operations_and_bytes_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(CODE)
    report = check([str(tmp_path / "a.cu")], Config())
    kernels = {kernel.name: kernel for kernel in report.files[0].kernels}
    assert (kernels["axpy"].operations, kernels["axpy"].bytes) == (2 * 1024, 3 * 4 * 1024)
    assert (kernels["heavy"].operations, kernels["heavy"].bytes) == (200 * 32, 2 * 8 * 32)
    assert kernels["copy"].operations == 0
    assert [kernels[name].operation_bits for name in ("axpy", "heavy", "copy")] == [32, 64, 32]
    found = points(kernels.values(), ROOFS["h100"])
    assert [(point.kernel, point.bound) for point in found] == [
        ("axpy", "memory"), ("heavy", "arithmetic"),  # 12.5 a byte; doubles have their own roof
    ]  # fmt: skip
    assert round(found[0].allowed) == round(3350 * 2 / 12)
    page = render_html(report, Sources(), source_root([report.files[0].path]), ROOFS["t4"])
    assert page.count('<svg class="roofline"') == 1
    assert "Roofline of T4" in page


def test_the_plot_is_well_formed_whatever_the_names() -> None:
    kernels = [
        KernelInfo("a<b&\"'>" * 9, "s1", None, operations=1e-9, bytes=1e9),
        KernelInfo("k", "s2", None, operations=1e12, bytes=1.0),
        KernelInfo("idle", "s3", None),
    ]
    found = points(kernels, ROOFS["t4"])
    assert [point.bound for point in found] == ["memory", "arithmetic"]
    root = ET.fromstring(plot(found, ROOFS["t4"]))
    circles = [e for e in root.iter() if e.tag.endswith("circle")]
    assert len(circles) == 2
    assert all(0 <= float(e.get("cx", "-1")) <= 640 for e in circles)


def test_kernels_at_one_place_have_one_dot() -> None:
    kernels = [
        KernelInfo(f"k{n}<{m}>", f"s{n}_{m}", None, operations=2.0**n, bytes=64.0)
        for n in range(12)
        for m in range(100)
    ]
    page = plot(points(kernels, ROOFS["t4"]), ROOFS["t4"])
    assert page.count("<circle") == 12
    assert page.count("and 99 more kernels") == 12
    assert len(page) < 10_000


def test_doctests() -> None:
    assert doctest.testmod(roofline).failed == 0
