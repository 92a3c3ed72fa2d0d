/* Stands in for PyTorch's names of std::optional. */
#pragma once
#include <optional>
namespace c10 {
using std::optional;
using std::nullopt;
using std::nullopt_t;
using std::make_optional;
}
namespace at { using std::optional; using std::nullopt; }
namespace torch { using std::optional; using std::nullopt; }
