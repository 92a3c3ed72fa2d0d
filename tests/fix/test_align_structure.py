"""Aligned structures: read at once, laid out as before."""

from __future__ import annotations

import pytest

from tests.fix.units import after, offers

NAME = "align-structure"
SOURCE = """struct Place {  // where
  float lat, lng;
};
__global__ void k(const Place* places, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = places[i].lat + places[i].lng;
}
int main() {
  Place* places;
  float* out;
  cudaMalloc(&places, 1024 * sizeof(Place));
  cudaMalloc((void**)&out, 4096);
  cudaMemset(places, 0, 1024);  // so that it is not split
  Place* host = (Place*)malloc(1024 * sizeof(Place));
  k<<<8, 128>>>(places, out, 1024);
  free(host);
}
"""


def test_a_structure_of_two_floats() -> None:
    (offer, *_) = offers(SOURCE, NAME)
    assert offer.fix.safe, offer.fix.unproved
    assert after(SOURCE) == SOURCE.replace("struct Place {", "struct __align__(8) Place {")


@pytest.mark.parametrize(
    "changed",
    [
        SOURCE.replace("lat, lng;", "lat, lng, height;"),
        SOURCE.replace("lat, lng;", "lat, lng;") + "struct Two { char c; Place p; };\n",
        SOURCE + "struct More : Place { int i; };\n",
        "#pragma pack(push, 1)\n" + SOURCE,
        SOURCE.replace("lng;", "lng;").replace("struct Place {", "struct alignas(4) Place {"),
        SOURCE + "struct Two { char c; Place p[3]; };\n",
    ],
)
def test_not_where_the_layout_would_change(changed: str) -> None:
    assert offers(changed, NAME) == []


@pytest.mark.parametrize(
    "changed",
    [
        SOURCE.replace("k<<<8, 128>>>(places,", "k<<<8, 128>>>((Place*)((char*)places + 4),"),
        SOURCE + "void f(Place* p); void g(float* p) { f(reinterpret_cast<Place*>(p)); }\n",
        SOURCE + "template <class T> T* g(char* p) { return (T*)p; }\n"
        "void f() { g<Place>(nullptr); }\n",
        SOURCE + "void f(void** a) { cudaLaunchKernel((void*)k, 1, 32, a, 0, 0); }\n",
        SOURCE + "bool take(void** p, int n);\n"
        "void f() { Place* p; take((void**)&p, 12); k<<<8, 128>>>(p, nullptr, 9); }\n",
        "__device__ char pool[999];\n"
        + SOURCE
        + "void f() { Place* p; cudaGetSymbolAddress((void**)&p, pool); }\n",
        SOURCE + "using Places = Place*;\nPlaces f(long p) { return Places(p + 4); }\n",
        "#include <new>\n" + SOURCE + "Place* f(char* p) { return new (p + 4) Place[9]; }\n",
        "union Both { float* f; struct Place* p; };\n"
        + SOURCE
        + "Place* f(float* p) { Both b; b.f = p + 1; return b.p; }\n",
        SOURCE + "typedef Place Spot;\nSpot* f(char* p) { return (Spot*)p; }\n",
    ],
)
def test_unsafe_where_an_address_may_not_be_aligned(changed: str) -> None:
    found = offers(changed, NAME)
    assert found and not any(offer.fix.safe for offer in found)
    assert after(changed) == changed
