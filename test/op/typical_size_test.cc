#include "op/typical_size.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

// The names under which rules ask for data-dependent sizes.
std::set<std::string> NamesInRules() {
  std::set<std::string> names;
  const std::regex ask("(FreshSize|EitherSize|CountUpTo)\\((ctx_?, )?\"([a-z]+)\"");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HWEST_SOURCE_DIR "/lib/op")) {
    if (entry.path().extension() != ".cc") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string source = text.str();
    for (std::sregex_iterator it(source.begin(), source.end(), ask), end; it != end; ++it) names.insert((*it)[3].str());
  }
  return names;
}

TEST_CASE("every data-dependent size that a rule makes has a documented typical value") {
  std::set<std::string> documented;
  for (const TypicalSize& row : TypicalSizes()) {
    INFO(row.name);
    CHECK(documented.insert(std::string(row.name)).second);
    CHECK((!row.makers.empty() && !row.size.empty() && !row.reason.empty()));
  }
  CHECK(documented == NamesInRules());
}

TEST_CASE("shares leave small bounds as they are") {
  DimPool dims;
  CHECK(TypicalCandidates(dims, 8) == Dim(8));
  CHECK(TypicalCandidates(dims, 500) == Dim(10));
  CHECK(TypicalCandidates(dims, 8732) == Dim(88));
  CHECK(TypicalKept(dims, 400, 1000) == Dim(100));
  CHECK(TypicalKept(dims, 400, 50) == Dim(50));
  CHECK(TypicalKept(dims, 7, 50) == Dim(7));
  CHECK(TypicalTop(dims, 30) == Dim(30));
  CHECK(TypicalTop(dims, 3000) == Dim(100));
  CHECK(TypicalTrips(dims, 0, 1) == Dim(1));
  CHECK(TypicalTrips(dims, 1, 448) == Dim(224));
  CHECK(TypicalTrips(dims, 0, Dim::Unknown()) == Dim(1));
}

}  // namespace
}  // namespace hwest
