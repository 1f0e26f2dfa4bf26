// Runs every entry on the inputs kept for it: seeds/ has small examples, findings/ inputs that once broke a promise.
// seeds/cases has models from the tests of operators and passes (see support/keep_model.h), each of which reaches code
// that no other reaches.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/entries.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(HWEST_SOURCE_DIR) / "test/fuzz";

std::vector<fs::path> FilesOf(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string BytesOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

TEST_CASE("kept inputs keep their promises") {
  for (const Entry& entry : Entries()) {
    size_t seeds = 0;
    for (const char* kept : {"seeds", "findings"}) {
      for (const fs::path& file : FilesOf(kFolder / kept / std::string(entry.kept_in))) {
        INFO(file);
        entry.run(BytesOf(file));
        seeds += kept == std::string("seeds");
      }
    }
    INFO(entry.name);
    CHECK(seeds > 0);
  }
}

// Too many for every stage and format.
TEST_CASE("models of other tests keep their promises when they are analysed") {
  const std::vector<fs::path> files = FilesOf(kFolder / "seeds/cases");
  CHECK(!files.empty());
  for (const fs::path& file : files) {
    INFO(file);
    RunModel(BytesOf(file));
  }
}

TEST_CASE("entries take the empty input, and the start and every byte of a seed changed") {
  for (const Entry& entry : Entries()) {
    entry.run("");
    const std::vector<fs::path> seeds = FilesOf(kFolder / "seeds" / std::string(entry.kept_in));
    if (seeds.empty()) continue;
    const std::string bytes = BytesOf(seeds[0]);
    for (size_t i = 0; i < std::min<size_t>(bytes.size(), 200); ++i) {
      entry.run(absl::string_view(bytes).substr(0, i));
      std::string changed = bytes;
      changed[i] = static_cast<char>(~changed[i]);
      entry.run(changed);
    }
  }
}

}  // namespace
}  // namespace hwest::test
