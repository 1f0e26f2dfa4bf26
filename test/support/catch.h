// The one place that names the test library's header, which moved between Catch2 2 and 3.
#pragma once
#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_all.hpp>
using Catch::Approx;
#endif
