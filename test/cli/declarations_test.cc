// The declarations of verbs and flags, and what is made from them: help, completion, the manual page.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "cli/completions.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/verbs.h"
#include "support/catch.h"
#include "support/onnx_writer.h"
#include "support/run_cli.h"

namespace hwest::test {
namespace {

using Words = std::vector<std::string>;

size_t Widest(const std::string& text) {
  size_t widest = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) widest = std::max(widest, line.size());
  return widest;
}

std::vector<std::string> LinesOf(const std::string& text) { return absl::StrSplit(text, '\n', absl::SkipEmpty()); }

// A command of the verb that lacks nothing but the flag in question.
Words CommandOfVerb(const VerbInfo& verb) {
  Words words = {std::string(verb.name)};
  const size_t least = verb.verb == Verb::kWorkload || verb.verb == Verb::kDiff ? 1 : verb.min_words;
  for (size_t i = 0; i < least; ++i) words.push_back("model.onnx");
  return words;
}

// Examples name files; the flags that read theirs while they are parsed find an empty one.
class Folder {
 public:
  Folder() : before_(std::filesystem::current_path()) {
    char name[] = "/tmp/hwest_flags_XXXXXX";
    path_ = ::mkdtemp(name);
    std::filesystem::current_path(path_);
    for (const char* file : {"mine.rules", "mine.txt", "own.rules", "plan.csv"}) {
      std::ofstream(std::string(file)) << "";
    }
    std::ofstream("profile.json") << R"([{"count": 5}, {"name": "conv", "averageMs": 0.02}])";
  }
  ~Folder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }

 private:
  std::filesystem::path before_, path_;
};

TEST_CASE("a flag has help, a group, and a value to try") {
  for (const Flag* flag : AllFlags()) {
    INFO(flag->name);
    CHECK(absl::StartsWith(flag->name, "--"));
    CHECK_FALSE(flag->help.empty());
    CHECK((!absl::EndsWith(flag->help, ".") || absl::EndsWith(flag->help, "..")));
    CHECK(std::count(std::begin(kFlagGroups), std::end(kFlagGroups), flag->group) == 1);
    CHECK(flag->set != nullptr);
    const bool has_value_to_try = !flag->example.empty() || !ChoicesOf(*flag).empty();
    CHECK(has_value_to_try == !flag->value.empty());
  }
}

TEST_CASE("flags of one name take a value, or none of them does; a conflict names a flag of the same verbs") {
  for (const Flag* flag : AllFlags()) {
    for (const Flag* other : AllFlags()) {
      INFO(flag->name);
      if (flag->name == other->name) CHECK(flag->value.empty() == other->value.empty());
    }
    for (const VerbInfo& verb : AllVerbs()) {
      INFO(flag->name << " " << verb.name);
      const bool is_its = FindFlag(flag->name, verb.verb) == flag && !flag->conflicts.empty();
      if (is_its) CHECK(FindFlag(flag->conflicts, verb.verb) != nullptr);
    }
  }
}

TEST_CASE("every flag belongs to a verb, and a verb knows no name twice") {
  for (const Flag* flag : AllFlags()) {
    INFO(flag->name);
    CHECK(std::any_of(AllVerbs().begin(), AllVerbs().end(),
                      [&](const VerbInfo& verb) { return FindFlag(flag->name, verb.verb) == flag; }));
  }
  for (const VerbInfo& verb : AllVerbs()) {
    std::vector<absl::string_view> names;
    for (const Flag* flag : FlagsOf(verb.verb)) {
      names.push_back(flag->name);
      INFO(verb.name << " " << flag->name);
      CHECK(FindFlag(flag->name, verb.verb) == flag);
    }
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  }
}

TEST_CASE("every example of a flag and every choice is one that it takes, and nonsense is no choice") {
  const Folder folder;
  for (const VerbInfo& verb : AllVerbs()) {
    for (const Flag* flag : FlagsOf(verb.verb)) {
      Words args = CommandOfVerb(verb);
      if (verb.verb == Verb::kGraph && flag->name != "--target") args.insert(args.end(), {"--target", "jetson-orin"});
      const std::string name(flag->name), choices = ChoicesOf(*flag);
      const auto parses = [&](const std::string& value) {
        Words with = args;
        with.push_back(flag->value.empty() ? name : absl::StrCat(name, "=", value));
        const auto options = ParseOptions(ReadCommand(with));
        UNSCOPED_INFO(options.status());
        return options.ok();
      };
      INFO(absl::StrJoin(args, " ") << " " << name);
      if (flag->value.empty() || !flag->example.empty()) CHECK(parses(std::string(flag->example)));
      for (const std::string& word : Words(absl::StrSplit(choices, ' ', absl::SkipEmpty()))) CHECK(parses(word));
      if (!choices.empty()) CHECK_FALSE(parses("nonsense"));
    }
  }
}

TEST_CASE("the words of a format are its name") {
  for (const FormatInfo& info : AllFormats()) {
    const auto options = ParseOptions(ReadCommand({"m.onnx", absl::StrCat("--format=", info.name)}));
    INFO(info.name);
    REQUIRE(options.ok());
    CHECK((*options)->format == info.format);
  }
}

TEST_CASE("a verb's page lists the formats that the verb takes, and no others") {
  const Folder folder;
  std::ofstream("model.onnx") << ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> m (float[1, 4] x) => (float[1, 4] y) { y = Relu(x) }");
  const std::vector<std::pair<absl::string_view, Words>> kWhole = {
      // what else a verb asks for before its format
      {"calibrate", {"--measurements", "plan.csv", "--models", ".", "--output", "mine.textproto"}},
      {"check", {"model.onnx", "--max-latency", "1s"}},
      {"diff", {"model.onnx"}},
      {"rewrite", {"--output", "better.onnx"}},
      {"rules", {"own.rules"}},
      {"validate", {"--measurements", "plan.csv", "--models", "."}}};
  for (const VerbInfo& verb : AllVerbs()) {
    const Flag* flag = FindFlag("--format", verb.verb);
    if (flag == nullptr) continue;
    const Words choices = absl::StrSplit(ChoicesOf(*flag, verb.verb), ' ', absl::SkipEmpty());
    CHECK(absl::StrContains(HelpOnVerb(verb, 1000),
                            absl::StrCat("`onnx-hwest describe formats` (", absl::StrJoin(choices, ", "), "; ")));
    for (const FormatInfo& info : AllFormats()) {
      Words words = CommandOfVerb(verb);
      words.insert(words.end(), {"--format", std::string(info.name)});
      for (const auto& [name, more] : kWhole) {
        if (name == verb.name) words.insert(words.end(), more.begin(), more.end());
      }
      if (verb.verb == Verb::kExplore) words[1] = "ethos-u85-1024";
      if (verb.verb == Verb::kExplain) words[2] = "#0";
      if (verb.verb == Verb::kRules) words[1] = "lint";
      if (FindFlag("--target", verb.verb) != nullptr) words.insert(words.end(), {"--target", "ethos-u85-1024"});
      INFO(absl::StrJoin(words, " "));
      const bool is_listed = std::count(choices.begin(), choices.end(), info.name) == 1;
      CHECK(is_listed != absl::StrContains(RunCommand(words).err, "cannot show"));
    }
  }
}

TEST_CASE("every verb has examples, all of which parse as that verb") {
  for (const VerbInfo& verb : AllVerbs()) {
    const Words lines = LinesOf(std::string(verb.examples));
    CHECK_FALSE(lines.empty());
    CHECK(std::count(std::begin(kPurposes), std::end(kPurposes), verb.purpose) == 1);
    for (const std::string& line : lines) {
      INFO(line);
      Words words = absl::StrSplit(line, ' ');
      REQUIRE(words[0] == "onnx-hwest");
      words.erase(words.begin());
      const Command command = ReadCommand(words);
      CHECK(command.verb == verb.verb);
      CHECK(ParseOptions(command).ok());
    }
  }
}

TEST_CASE("flags and verbs that take files say so") {
  for (const Flag* flag : AllFlags()) {
    INFO(flag->name);
    const bool shows_file = absl::StrContains(flag->value, "FILE") || flag->value == "DIR" || flag->value == "MODEL";
    const bool names_target =
        flag->name == "--target" || flag->name == "--host" || flag->name == "--against" || flag->name == "--toolchain";
    CHECK((flag->path != PathIn::kNone) == (shows_file || names_target));
  }
  for (const VerbInfo& verb : AllVerbs()) {
    INFO(verb.name);
    const bool shows_file = absl::StrContains(verb.words, "MODEL...") || absl::StartsWith(verb.words, "MODEL") ||
                            absl::StartsWith(verb.words, "FILE") || absl::StartsWith(verb.words, "TARGET MODEL") ||
                            verb.words == "EVIDENCE" || absl::StrContains(verb.words, "| MODEL]") ||
                            verb.words == "A [B]" || absl::StartsWith(verb.words, "LOG");
    CHECK((verb.files > 0) == shows_file);
    CHECK(verb.files <= verb.max_words);
  }
}

TEST_CASE("the first page of help fits a terminal of 80 by 24, and names every verb") {
  const std::string page = HelpOnProgram(80);
  CHECK(LinesOf(page).size() <= 24);
  CHECK(std::count(page.begin(), page.end(), '\n') <= 23);  // the prompt takes a line
  CHECK(Widest(page) <= 80);
  for (const VerbInfo& verb : AllVerbs()) CHECK_THAT(page, Catch::Contains(std::string(verb.name)));
  CHECK(Widest(HelpOnProgram(120)) <= 120);
}

// Whether a line of the page begins with the flag.
bool Lists(const std::string& page, absl::string_view flag) {
  return absl::StrContains(page, absl::StrCat("\n  ", flag, " ")) ||
         absl::StrContains(page, absl::StrCat("\n  ", flag, "\n")) ||
         absl::StrContains(page, absl::StrCat(", ", flag, " "));
}

TEST_CASE("the page of a verb lists the flags that it takes, in lines that fit") {
  for (const VerbInfo& verb : AllVerbs()) {
    for (const size_t width : {60, 80, 120}) {
      for (const std::string& line : LinesOf(HelpOnVerb(verb, width))) {
        INFO(line);
        CHECK((line.size() <= width || absl::StartsWith(line, "  onnx-hwest ") || width == 60));
      }
    }
    const std::string page = HelpOnVerb(verb, 80);
    for (const Flag* flag : AllFlags()) {
      INFO(verb.name << " " << flag->name);
      CHECK(Lists(page, flag->name) == (FindFlag(flag->name, verb.verb) != nullptr));
    }
    CHECK_THAT(page, Catch::Contains(std::string(verb.examples.substr(0, verb.examples.find('\n')))));
  }
}

TEST_CASE("--help-all and the manual page have every flag") {
  const std::string all = HelpOnAll(80), manual = ManualPage();
  for (const Flag* flag : AllFlags()) {
    INFO(flag->name);
    CHECK(Lists(all, flag->name));
    std::string roff(flag->name);
    for (size_t at = 0; (at = roff.find('-', at)) != std::string::npos; at += 2) roff.insert(at, "\\");
    CHECK_THAT(manual, Catch::Contains(roff));
  }
  for (const VerbInfo& verb : AllVerbs()) CHECK_THAT(all, Catch::Contains(absl::StrCat("\n  ", verb.name)));
}

struct AskCase {
  const char* asks;
  Verb verb;
  Action action;
};

TEST_CASE("help is asked for in several ways") {
  const auto c = GENERATE(values<AskCase>({
      {"--help", Verb::kHelp, Action::kHelp},  // kHelp: on the program
      {"-h", Verb::kHelp, Action::kHelp},
      {"m.onnx --target t --help", Verb::kHelp, Action::kHelp},
      {"help", Verb::kHelp, Action::kHelp},
      {"sweep --help", Verb::kSweep, Action::kHelp},
      {"help sweep", Verb::kSweep, Action::kHelp},
      {"analyze m.onnx -h", Verb::kAnalyze, Action::kHelp},
      {"--help-all", Verb::kHelp, Action::kHelpAll},
      {"--version --help", Verb::kHelp, Action::kHelp},
      {"--version", Verb::kHelp, Action::kVersion},
  }));
  const auto options = ParseOptions(ReadCommand(Words(absl::StrSplit(c.asks, ' '))));
  INFO(c.asks);
  REQUIRE(options.ok());
  CHECK((*options)->action == c.action);
  CHECK((*options)->help_on.value_or(Verb::kHelp) == c.verb);
}

TEST_CASE("completion offers every flag of a verb, its values and no others") {
  for (const VerbInfo& verb : AllVerbs()) {
    const Words lines = LinesOf(OffersText({std::string(verb.name), "--"}));
    for (const Flag* flag : AllFlags()) {
      INFO(verb.name << " " << flag->name);
      const auto count = std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.substr(0, line.find('\t')) == flag->name;
      });
      CHECK(count == (FindFlag(flag->name, verb.verb) != nullptr ? 1 : 0));
    }
    for (const Flag* flag : FlagsOf(verb.verb)) {
      for (const std::string& word : Words(absl::StrSplit(ChoicesOf(*flag, verb.verb), ' ', absl::SkipEmpty()))) {
        INFO(verb.name << " " << flag->name << " " << word);
        const Words offers = LinesOf(OffersText({std::string(verb.name), std::string(flag->name), ""}));
        CHECK(std::count(offers.begin(), offers.end(), word) == 1);
      }
    }
  }
}

struct OfferCase {
  const char* words;  // the last one is completed
  const char* offers;
};

TEST_CASE("what is offered behind words") {
  const auto c = GENERATE(values<OfferCase>({
      {"shapes ", ":files"},
      {"shapes m.onnx ", ":nothing"},
      {"explain m.onnx ", ":nothing"},
      {"diff a ", ":files"},
      {"m.onnx --output ", ":files"},
      {"m.onnx --dim ", ":nothing"},
      {"validate --models ", ":folders"},
      {"m.onnx --fusions n", "none :files"},
      {"m.onnx --objective ", "latency energy :nothing"},
      {"diff a b --format ", "text json csv markdown html :nothing"},
      {"m.onnx --objective=l", "--objective=latency :nothing"},
      {"m.onnx --objective = l", "latency :nothing"},  // as bash parts it
      {"m.onnx --objective =", "latency energy :nothing"},
      {"describe target-", "target-format target-example :nothing"},
      {"help ch", "check :nothing"},
      {"targets li", "list lint :files"},
      {"describe completions --shell z", "zsh :nothing"},
      {"shapes m.onnx -- --", ":nothing"},
  }));
  Words offers = LinesOf(OffersText(absl::StrSplit(c.words, ' ')));
  for (std::string& offer : offers) offer.resize(std::min(offer.find('\t'), offer.size()));
  INFO(c.words);
  CHECK(absl::StrJoin(offers, " ") == c.offers);
}

}  // namespace
}  // namespace hwest::test
