// Golden files: test/golden/NAME holds a report's expected text. HWEST_UPDATE_GOLDEN=1 rewrites them.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest::test {

inline void CheckGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(HWEST_SOURCE_DIR) + "/test/golden/" + name;
  const char* update = std::getenv("HWEST_UPDATE_GOLDEN");
  if (update != nullptr && *update == '1') std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream want;
  want << file.rdbuf();
  INFO("golden file " << path << " (HWEST_UPDATE_GOLDEN=1 rewrites it)");
  CHECK(text == want.str());
}

}  // namespace hwest::test
