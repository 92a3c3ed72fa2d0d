/* Stands in for GoogleMock, of which only what GoogleTest has is declared. */
#pragma once
#include <gtest/gtest.h>
