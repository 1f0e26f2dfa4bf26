// Like lib/base/precompiled.h, for tests.
#pragma once

#include "base/precompiled.h"
#include "support/catch.h"
