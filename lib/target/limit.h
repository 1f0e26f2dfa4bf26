// Typed limits of op support, read from their text form.
#pragma once

#include <string>

#include "hwest/target.h"
#include "target/proto.h"

namespace hwest {

// ReadLimit parses row.of() ("dim:0:-1", "attr:strides", ...). Returns an empty text, or what is wrong.
std::string ReadLimit(const proto::Limit& row, Limit* out);

}  // namespace hwest
