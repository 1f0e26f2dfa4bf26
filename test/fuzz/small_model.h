// A model for entries that need one besides their bytes.
#pragma once

#include <string>

namespace hwest::test {

// y = MatMul(Relu(my.domain::Op(x, w)), w), x being float[N, 8] and w float[8, 8].
std::string SmallModel();

}  // namespace hwest::test
