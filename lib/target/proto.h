// Gives the generated messages of target.proto a short name. Only this folder includes them.
#pragma once

#include "hwest/target/v1/target.pb.h"

namespace hwest {
namespace proto = ::hwest::target::v1;
}  // namespace hwest
