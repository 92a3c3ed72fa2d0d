/* Stands in for the library's header of the same name. */
#pragma once
#include <nlohmann/json.hpp>
