// Mutates the inputs kept for each entry and runs the entry on them. Works with any compiler and build: a release build
// is the fastest, one with sanitizers sees more. It ignores coverage and tries many times as many inputs as libFuzzer
// in the same time.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "fuzz/campaign.h"
#include "fuzz/entries.h"
#include "fuzz/mutation.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

namespace fs = std::filesystem;

constexpr char kUsage[] =
    "usage: onnx-hwest-mutate [--entry NAME].. [--seconds N] [--executions N] [--seed N] [--findings FOLDER]\n"
    "       onnx-hwest-mutate --entry NAME --input FILE|FOLDER\n"
    "\n"
    "  --entry NAME        this entry, else all of them\n"
    "  --seconds N         for each entry, 10 unless said otherwise\n"
    "  --executions N      at most so many of each entry\n"
    "  --seed N            another one makes other inputs; 1 unless said otherwise\n"
    "  --findings FOLDER   where an input that an entry does not survive is kept; . unless said otherwise\n"
    "  --input FILE        the entry on this file as it is, once; of a folder on every file\n"
    "\n"
    "Exit status: 0 nothing found, 1 findings, 2 wrong words.\n";

// Folders with inputs of an entry beside the kept ones; `most_bytes` and `every` keep small ones, and of those a part.
struct Source {
  absl::string_view entry;
  absl::string_view folder;
  absl::string_view ends_in;
  uintmax_t most_bytes;
  size_t every;
};

constexpr Source kSources[] = {
    {"model", "/usr/share/libonnx-testdata", "model.onnx", 2048, 3},
    {"model", "test/fuzz/seeds/cases", "", 32768, 1},
    {"model", "test/models/tiny", ".onnx", 32768, 1},
    {"target", "lib/target/data", ".textproto", 32768, 1},
    {"toolchain", "lib/target/toolchain", ".textproto", 32768, 1},
    {"workload", "examples/workloads", ".textproto", 32768, 1},
    {"budget", "examples/ci", ".budget", 32768, 1},
};

std::string BytesOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// The file itself, or those of a folder in order of their names.
std::vector<fs::path> FilesOf(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void AddInputs(const Source& source, std::vector<std::string>* inputs) {
  std::vector<fs::path> files;
  std::error_code none;
  const fs::path folder = fs::path(HWEST_SOURCE_DIR) / std::string(source.folder);
  constexpr auto kFollow = fs::directory_options::follow_directory_symlink;
  for (const auto& file : fs::recursive_directory_iterator(folder, kFollow, none)) {
    const std::string name = file.path().string();
    const bool fits = file.is_regular_file(none) && file.file_size(none) <= source.most_bytes;
    if (fits && absl::EndsWith(name, source.ends_in)) files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  for (size_t i = 0; i < files.size(); i += source.every) inputs->push_back(BytesOf(files[i]));
}

std::vector<std::string> InputsOf(const Entry& entry) {
  std::vector<std::string> inputs;
  for (const absl::string_view kept : {"seeds", "findings"}) {
    const std::string folder = absl::StrCat("test/fuzz/", kept, "/", entry.kept_in);
    AddInputs({entry.kept_in, folder, "", UINTMAX_MAX, 1}, &inputs);
  }
  for (const Source& source : kSources) {
    if (source.entry == entry.kept_in) AddInputs(source, &inputs);
  }
  return inputs;
}

// Of a finding, a name that the same bytes always get.
std::string NameOf(const Entry& entry, absl::string_view input) {
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char byte : input) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return absl::StrCat(entry.name, "-", absl::Hex(hash, absl::kZeroPad16));
}

struct Words {
  std::vector<const Entry*> entries;
  CampaignOptions options;
  fs::path findings = ".";
  std::string input;
};

[[noreturn]] void Refuse(absl::string_view why) {
  std::fprintf(stderr, "%.*s\n\n%sentries:\n", static_cast<int>(why.size()), why.data(), kUsage);
  for (const Entry& entry : Entries()) {
    std::fprintf(stderr, "  %-12s %s\n", std::string(entry.name).c_str(), std::string(entry.bytes_are).c_str());
  }
  std::exit(2);
}

Words Parse(int argc, char** argv) {
  Words words;
  for (int i = 1; i < argc; i += 2) {
    const absl::string_view word = argv[i];
    if (word == "--help") Refuse("");
    if (i + 1 == argc) Refuse(absl::StrCat(word, " needs a value"));
    const absl::string_view value = argv[i + 1];
    bool is_good = true;
    if (word == "--entry") {
      words.entries.push_back(FindEntry(value));
      is_good = words.entries.back() != nullptr;
    } else if (word == "--seconds") {
      is_good = absl::SimpleAtod(value, &words.options.seconds) && words.options.seconds > 0;
    } else if (word == "--executions") {
      is_good = absl::SimpleAtoi(value, &words.options.executions) && words.options.executions > 0;
    } else if (word == "--seed") {
      is_good = absl::SimpleAtoi(value, &words.options.seed);
    } else if (word == "--findings") {
      words.findings = std::string(value);
    } else if (word == "--input") {
      words.input = std::string(value);
    } else {
      Refuse(absl::StrCat("unknown: ", word));
    }
    if (!is_good) Refuse(absl::StrCat(word, " cannot be ", value));
  }
  if (!words.input.empty() && words.entries.size() != 1) Refuse("--input needs one --entry");
  if (words.entries.empty()) {
    for (const Entry& entry : Entries()) words.entries.push_back(&entry);
  }
  return words;
}

int Main(int argc, char** argv) {
  const Words words = Parse(argc, argv);
  if (!words.input.empty()) {
    if (!fs::exists(words.input)) Refuse(absl::StrCat("no file: ", words.input));
    for (const fs::path& file : FilesOf(words.input)) words.entries[0]->run(BytesOf(file));
    return 0;
  }
  const fs::path words_of = fs::path(HWEST_SOURCE_DIR) / "test/fuzz/onnx.dict";
  const std::vector<std::string> dictionary = ParseDictionary(BytesOf(words_of));
  bool found = false;
  for (const Entry* entry : words.entries) {
    const CampaignResult result = RunCampaign(*entry, InputsOf(*entry), dictionary, words.options);
    std::printf("%-12s %10" PRId64 " executions\n", std::string(entry->name).c_str(), result.executions);
    if (!result.finding.has_value()) continue;
    found = true;
    fs::create_directories(words.findings);
    const fs::path file = words.findings / NameOf(*entry, result.finding->input);
    std::ofstream(file, std::ios::binary) << result.finding->input;
    std::printf("  FOUND: it %s. Again: %s --entry %s --input %s\n", result.finding->how.c_str(), argv[0],
                std::string(entry->name).c_str(), file.c_str());
  }
  return found ? 1 : 0;
}

}  // namespace
}  // namespace hwest::test

int main(int argc, char** argv) { return hwest::test::Main(argc, argv); }
