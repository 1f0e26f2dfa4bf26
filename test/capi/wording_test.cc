// Messages through the C ABI name option members where the command line names flags.
#include "wording.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest::capi {
namespace {

TEST_CASE("flags become members") {
  struct Case {
    const char* text;
    const char* want;
  };
  const auto c = GENERATE(values<Case>({
      {"free dims: --dim batch=1 --dim seq=128", "free dims: options.dims = {\"batch=1\", \"seq=128\"}"},
      {"(for a language model, --context sets them)", "(for a language model, hwest_generation_create() sets them)"},
      {"--shape images=1x1", "options.shapes = {\"images=1x1\"}"},
      {"leave --power-cap out, or choose a mode with --mode",
       "leave options.power_cap_w out, or choose a mode with options.mode"},
      {"write --power-cap 12.5 or more", "write options.power_cap_w = 12.5 or more"},
      {"use --batch 1", "use options.batch = 1"},
      {"give it with --op-rules FILE; more", "give it with options.op_rules = FILE; more"},
      {"or try --assume Softmax@dla0.", "or try options.assume = {\"Softmax@dla0\"}."},
      {"`onnx-hwest targets` lists them", "hwest_target_list_create() lists them"},
      {"--op: the model has no operator 'Cnv'", "options.ops: the model has no operator 'Cnv'"},
      {"--start 8 is after --end 3", "options.start = 8 is after options.end = 3"},
      {"--context needs the node it is around: add --around NODE",
       "options.context needs the node it is around: add options.around = NODE"},
      {"--unit: the target has no unit 'x'", "options.units: the target has no unit 'x'"},
      {"on which unit, --unit CPU", "on which unit, --unit CPU"},
      {"list them with `graph MODEL --columns id,module`", "list them with hwest_analysis_module_get()"},
      {"a path/--dim and --dimension stay", "a path/--dim and --dimension stay"},
      {"--strict stays, as the program's own", "--strict stays, as the program's own"},
  }));
  CHECK(InWordsOfC(c.text) == c.want);
}

// Texts of reports and of the program are for its command line.
bool IsMessageSource(const std::filesystem::path& path) {
  const std::string room = path.parent_path().filename().string();
  return path.extension() == ".cc" && room != "cli" && room != "report";
}

TEST_CASE("every flag that a message of the library names has its words in C") {
  std::set<std::string> known, found;
  for (const Wording& row : Wordings()) known.emplace(row.words);
  const std::regex literal("\"(?:[^\"\\\\]|\\\\.)*\""), flag("(^|[ `(\"])(--[a-z][a-z-]*)");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HWEST_SOURCE_DIR "/lib")) {
    if (!IsMessageSource(entry.path())) continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string source = text.str();
    for (std::sregex_iterator at(source.begin(), source.end(), literal), end; at != end; ++at) {
      const std::string quoted = at->str();
      if (quoted.find("trtexec") != std::string::npos) continue;  // flags of that program
      for (std::sregex_iterator word(quoted.begin(), quoted.end(), flag); word != end; ++word) {
        INFO(entry.path() << " " << quoted);
        CHECK(known.count((*word)[2].str()) == 1);
        found.insert((*word)[2].str());
      }
    }
  }
  CHECK(found.size() > 15);
}

}  // namespace
}  // namespace hwest::capi
