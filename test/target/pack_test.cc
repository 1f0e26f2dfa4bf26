#include "target/pack.h"

#include <string>

#include "support/catch.h"
#include "target/convert.h"
#include "target/embedded.h"
#include "target/read.h"

namespace hwest {
namespace {

TEST_CASE("what the library was built with is what its files say") {
  CHECK(PackedTargets().size() == EmbeddedTargets().size());
  for (const EmbeddedFile& file : EmbeddedTargets()) {
    INFO(file.name);
    const auto read = ParseTarget(file.text, "built-in");
    REQUIRE(read.ok());
    const Target loaded = *LoadTarget(file.name);
    CHECK(Pack(loaded) == Pack(*read));
    REQUIRE(loaded.toolchains.size() == read->toolchains.size());
    for (size_t i = 0; i < loaded.toolchains.size(); ++i) {
      CHECK(Pack(loaded.toolchains[i]) == Pack(read->toolchains[i]));
    }
  }
  CHECK(PackedToolchains().size() == EmbeddedToolchains().size());
}

TEST_CASE("the list of targets is what their files say") {
  const std::vector<TargetSummary> rows = ListTargets();
  REQUIRE(rows.size() == EmbeddedTargets().size());
  CHECK(PackedSummaries().size() == rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto read = ReadTarget(EmbeddedTargets()[i].text, "built-in");
    INFO(rows[i].name);
    CHECK(rows[i].name == EmbeddedTargets()[i].name);
    CHECK(Pack(rows[i]) == Pack(SummaryOf(ConvertTarget(read.message))));
  }
}

TEST_CASE("bytes that are no target") {
  const std::string bytes = Pack(*LoadTarget("jetson-orin"));
  Target target;
  REQUIRE(Unpack(bytes, &target));
  CHECK(Pack(target) == bytes);
  for (size_t size = 0; size < bytes.size(); size += 1 + size / 40) {
    Target part;
    CHECK_FALSE(Unpack(absl::string_view(bytes).substr(0, size), &part));
  }
  CHECK_FALSE(Unpack(bytes + "x", &target));
}

TEST_CASE("long texts and tables keep their size") {
  Toolchain toolchain;
  toolchain.name = std::string(300, 'n');
  toolchain.keeps.resize(255);
  toolchain.keeps.back().reading = "last";
  toolchain.max_segments = -1;
  Toolchain read;
  REQUIRE(Unpack(Pack(toolchain), &read));
  CHECK(read.name == toolchain.name);
  REQUIRE(read.keeps.size() == 255);
  CHECK(read.keeps.back().reading == "last");
  CHECK(read.max_segments == -1);
}

}  // namespace
}  // namespace hwest
