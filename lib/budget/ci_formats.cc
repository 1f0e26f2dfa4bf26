// The forms in which CI services take results. A comment on each says what decides its shape.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "base/enumerators.h"
#include "base/sha256.h"
#include "base/text.h"
#include "budget/report.h"
#include "report/document.h"
#include "report/text_table.h"

namespace hwest {
namespace {

// SARIF takes 20 runs a file.
constexpr size_t kMostRuns = 20;

std::string Message(const LimitLine& line) {
  const std::vector<std::string> help = HelpTexts(line);
  return absl::StrCat(LimitText(line.limit), ": ", FindingText(line), help.empty() ? "" : ". ",
                      absl::StrJoin(help, ". "));
}

// Escapes text for XML 1.0, which cannot hold most control characters.
std::string Xml(absl::string_view text) {
  return absl::StrReplaceAll(EscapeControl(text), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// Where a finding is shown: the line of the budget, or the model if the limits are flags.
struct Place {
  std::string file;
  int line = 1;
};

// Relative to the working folder, as annotations demand.
std::string Relative(const std::string& file) {
  const std::filesystem::path path(file);
  if (path.is_relative()) return path.lexically_normal().generic_string();
  const std::filesystem::path relative = path.lexically_relative(std::filesystem::current_path());
  return relative.empty() || absl::StartsWith(relative.string(), "..") ? path.filename().string()
                                                                       : relative.generic_string();
}

Place PlaceOf(const Budget& budget, const CheckResult& result, const LimitLine& line) {
  return {Relative(budget.path.empty() ? result.check.model : budget.path), std::max(line.limit.line, 1)};
}

// Where a source line, "net.py:12 in forward: ...", is below the working folder: a model was exported elsewhere, so the
// longest end of the path that is a file here counts. None = nowhere.
std::optional<Place> SourcePlaceOf(absl::string_view source_line) {
  for (size_t colon = source_line.find(':'); colon != source_line.npos; colon = source_line.find(':', colon + 1)) {
    const size_t end = std::min(source_line.find_first_not_of("0123456789", colon + 1), source_line.size());
    int line = 0;
    if (!absl::SimpleAtoi(source_line.substr(colon + 1, end - colon - 1), &line) || line < 1) continue;
    const auto path = std::filesystem::path(std::string(source_line.substr(0, colon))).lexically_normal();
    for (auto from = path.begin(); from != path.end(); ++from) {
      if (*from == path.root_path() || *from == "..") continue;
      std::filesystem::path below;
      for (auto part = from; part != path.end(); ++part) below /= *part;
      std::error_code ignored;
      if (std::filesystem::is_regular_file(below, ignored)) return Place{below.generic_string(), line};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

// A path as a relative reference of RFC 3986: all but unreserved characters and slashes percent-encoded.
std::string AsUri(absl::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool is_plain = absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("-._~/", c);
    if (is_plain)
      uri += c;
    else
      absl::StrAppendFormat(&uri, "%%%02X", static_cast<unsigned char>(c));
  }
  return uri;
}

// A finding keeps its fingerprint when its line moves.
std::string Fingerprint(const CheckResult& result, const LimitLine& line) {
  return Sha256Of(absl::StrCat(NameOf(result.check), "\n", InfoOf(line.limit.figure).name)).substr(0, 32);
}

// "exports/detector/jetson-orin:30W": the series that dashboards draw.
std::string SeriesOf(const BudgetCheck& check) {
  std::string model = check.model;
  if (absl::EndsWith(model, ".onnx")) model.resize(model.size() - 5);
  BudgetCheck rest = check;
  rest.model.clear();
  return EscapeControl(absl::StrCat(model, "/", absl::StripPrefix(NameOf(rest), "@")));
}

bool IsFinding(const LimitLine& line) { return line.verdict != BudgetVerdict::kOk; }

std::string Label(absl::string_view name, absl::string_view value) {
  return absl::StrCat(name, "=\"", absl::StrReplaceAll(EscapeControl(value), {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

std::string LabelsOf(const BudgetCheck& check, const std::vector<std::string>& more = {}) {
  std::vector<std::string> labels = {Label("model", check.model), Label("target", check.target)};
  if (!check.mode.empty()) labels.push_back(Label("mode", check.mode));
  if (check.precision != "auto") labels.push_back(Label("precision", check.precision));
  if (check.batch.has_value()) labels.push_back(Label("batch", absl::StrCat(*check.batch)));
  if (!check.dims.empty()) labels.push_back(Label("dims", absl::StrJoin(check.dims, ";", absl::PairFormatter("="))));
  labels.insert(labels.end(), more.begin(), more.end());
  return absl::StrCat("{", absl::StrJoin(labels, ","), "}");
}

Cell RuleCell(const FigureInfo& info) {
  const std::string what = absl::StrReplaceAll(std::string(info.name), {{"_", " "}, {".", " of "}});
  // clang-format off
  return Cell{{"id", absl::StrCat("hwest/", info.name)},
              {"name", absl::StrCat("hwest-", info.name)},
              {"shortDescription", Cell{{"text", absl::StrCat("A model within its budget: ", what)}}},
              {"fullDescription",
                  Cell{{"text",
                      absl::StrCat("The estimate for the model's target is within the limit of the budget file: ",
                                   what)}}},
              {"help", Cell{{"text",
                  "Change the model, the target or its mode, or the limit. onnx-hwest cures MODEL --target T "
                  "lists changes."}}}};
  // clang-format on
}

Cell PhysicalCell(const Place& place) {
  return Cell{{"artifactLocation", Cell{{"uri", AsUri(place.file)}}}, {"region", Cell{{"startLine", place.line}}}};
}

Cell RelatedCell(const Place& place, const std::string& what) {
  return Cell{{"physicalLocation", PhysicalCell(place)}, {"message", Cell{{"text", what}}}};
}

// The finding is at the line of the program that made the most expensive group, where that is known and here, else at
// the line of the budget; what else is known is related to it.
Cell ResultCell(const Budget& budget, const CheckResult& result, const LimitLine& line) {
  const Place limit = PlaceOf(budget, result, line);
  std::optional<Place> source;
  Cell related = Cell::OfList();
  for (const CostlyGroup& group : line.groups) {
    const std::optional<Place> place = SourcePlaceOf(group.source_line);
    if (!place.has_value()) continue;
    related.push_back(RelatedCell(
        *place, absl::StrCat("g", group.id.index(), " ", EscapeControl(group.label), ", ", Percent(group.share))));
    if (!source.has_value()) source = place;
  }
  if (source.has_value()) related.push_back(RelatedCell(limit, LimitText(line.limit)));
  Cell cell{{"ruleId", absl::StrCat("hwest/", InfoOf(line.limit.figure).name)},
            {"level", Refuses(budget, line.verdict) ? "error" : "warning"},
            {"message", Cell{{"text", absl::StrCat(EscapeControl(NameOf(result.check)), ": ", Message(line))}}},
            {"locations", Cell::OfList({Cell{{"physicalLocation", PhysicalCell(source.value_or(limit))}}})},
            {"partialFingerprints", Cell{{"primaryLocationLineHash", absl::StrCat(Fingerprint(result, line), ":1")}}}};
  if (source.has_value()) cell.Set("relatedLocations", std::move(related));
  return cell;
}

Cell RunCell(const Budget& budget, const std::string& id, const std::vector<const CheckResult*>& results) {
  std::set<BudgetFigure> figures;
  Cell found = Cell::OfList();
  for (const CheckResult* result : results) {
    for (const LimitLine& line : result->lines) {
      figures.insert(line.limit.figure);
      if (IsFinding(line)) found.push_back(ResultCell(budget, *result, line));
    }
  }
  Cell rules = Cell::OfList();
  for (const BudgetFigure figure : figures) rules.push_back(RuleCell(InfoOf(figure)));
  return Cell{
      {"tool",
       Cell{{"driver", Cell{{"name", "onnx-hwest"}, {"semanticVersion", HWEST_VERSION}, {"rules", std::move(rules)}}}}},
      {"automationDetails", Cell{{"id", id}}},
      {"results", std::move(found)}};
}

// A passing case prints its figure as output.
absl::string_view JunitTag(const Budget& budget, BudgetVerdict verdict) {
  if (!Refuses(budget, verdict)) return "system-out";
  return verdict == BudgetVerdict::kUnknown ? "error" : "failure";
}

}  // namespace

// GitLab shows the classname and takes equal names of one class for one test; suites are targets.
std::string CheckAsJunit(const Budget& budget, const std::vector<CheckResult>& results) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"onnx-hwest check\">\n";
  std::vector<std::string> targets;
  for (const CheckResult& result : results) {
    if (std::find(targets.begin(), targets.end(), result.target) == targets.end()) targets.push_back(result.target);
  }
  for (const std::string& target : targets) {
    size_t tests = 0, failures = 0, errors = 0;
    std::string cases;
    for (const CheckResult& result : results) {
      if (result.target != target) continue;
      for (const LimitLine& line : result.lines) {
        ++tests;
        const Place place = PlaceOf(budget, result, line);
        absl::StrAppend(&cases, "    <testcase classname=\"", Xml(NameOf(result.check)), "\" name=\"",
                        Xml(LimitText(line.limit)), "\" file=\"", Xml(place.file), "\" line=\"", place.line,
                        "\" time=\"0\"");
        const absl::string_view tag = JunitTag(budget, line.verdict);
        failures += tag == "failure";
        errors += tag == "error";
        const std::string outcome =
            absl::StrCat(" type=\"", BudgetVerdictName(line.verdict), "\" message=\"", Xml(FindingText(line)), "\"");
        absl::StrAppend(&cases, ">\n      <", tag, Refuses(budget, line.verdict) ? outcome : "", ">",
                        Xml(Message(line)), "</", tag, ">\n    </testcase>\n");
      }
    }
    absl::StrAppend(&text, "  <testsuite name=\"", Xml(target), "\" tests=\"", tests, "\" failures=\"", failures,
                    "\" errors=\"", errors, "\" skipped=\"0\" time=\"0\">\n", cases, "  </testsuite>\n");
  }
  return absl::StrCat(text, "</testsuites>\n");
}

// Annotations appear on lines of changed files: of the program, else of the budget.
std::string CheckAsSarif(const Budget& budget, const std::vector<CheckResult>& results) {
  std::map<std::string, std::vector<const CheckResult*>> by_target;
  for (const CheckResult& result : results) by_target[result.target].push_back(&result);
  Cell runs = Cell::OfList();
  if (by_target.size() > kMostRuns) {
    std::vector<const CheckResult*> all;
    for (const CheckResult& result : results) all.push_back(&result);
    runs.push_back(RunCell(budget, "hwest/", all));
  } else {
    for (const auto& [target, own] : by_target)
      runs.push_back(RunCell(budget, absl::StrCat("hwest/", target, "/"), own));
  }
  return absl::StrCat(DumpJson(Cell{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                    {"version", "2.1.0"},
                                    {"runs", std::move(runs)}}),
                      "\n");
}

// GitLab's report: an array of findings.
std::string CheckAsCodeQuality(const Budget& budget, const std::vector<CheckResult>& results) {
  Cell all = Cell::OfList();
  for (const CheckResult& result : results) {
    for (const LimitLine& line : result.lines) {
      if (!IsFinding(line)) continue;
      const Place place = PlaceOf(budget, result, line);
      all.push_back(Cell{{"description", absl::StrCat(EscapeControl(NameOf(result.check)), ": ", Message(line))},
                         {"check_name", absl::StrCat("hwest/", InfoOf(line.limit.figure).name)},
                         {"fingerprint", Fingerprint(result, line)},
                         {"severity", Refuses(budget, line.verdict) ? "major" : "minor"},
                         {"location", Cell{{"path", place.file}, {"lines", Cell{{"begin", place.line}}}}}});
    }
  }
  return absl::StrCat(DumpJson(all), "\n");
}

// Each family is complete and contiguous; digits are fixed, because GitLab compares values as text.
std::string CheckAsOpenMetrics(const Budget& budget, const std::vector<CheckResult>& results) {
  std::string text;
  for (const FigureInfo& info : AllFigures()) {
    std::string samples;
    for (const CheckResult& result : results) {
      for (const LimitLine& line : result.lines) {
        if (line.limit.figure != info.figure || !line.value.has_value()) continue;
        absl::StrAppend(&samples, info.metric, LabelsOf(result.check), absl::StrFormat(" %.6e\n", *line.value));
      }
    }
    if (samples.empty()) continue;
    absl::StrAppend(&text, "# TYPE ", info.metric, " gauge\n");
    if (!info.unit.empty()) absl::StrAppend(&text, "# UNIT ", info.metric, " ", info.unit, "\n");
    absl::StrAppend(&text, "# HELP ", info.metric, " Estimate of onnx-hwest.\n", samples);
  }
  absl::StrAppend(&text, "# TYPE hwest_limit_failed gauge\n# HELP hwest_limit_failed 1 where check refuses a limit.\n");
  for (const CheckResult& result : results) {
    for (const LimitLine& line : result.lines) {
      absl::StrAppend(&text, "hwest_limit_failed",
                      LabelsOf(result.check, {Label("figure", InfoOf(line.limit.figure).name)}),
                      absl::StrFormat(" %.6e\n", Refuses(budget, line.verdict) ? 1.0 : 0.0));
    }
  }
  return absl::StrCat(text, "# EOF\n");
}

// github-action-benchmark reads the file as smaller-is-better, so rates are left out.
std::string CheckAsBenchmark(const std::vector<CheckResult>& results) {
  Cell all = Cell::OfList();
  for (const CheckResult& result : results) {
    for (const LimitLine& line : result.lines) {
      const FigureInfo& info = InfoOf(line.limit.figure);
      if (info.at_least || !line.value.has_value()) continue;
      Cell one{{"name", absl::StrCat(SeriesOf(result.check), "/", info.name)},
               {"unit", info.symbol},
               {"value", *line.value / info.shown}};
      if (line.low.has_value() && line.high.has_value() && line.low != line.high) {
        one.Set("range", absl::StrFormat("%.4g to %.4g", *line.low / info.shown, *line.high / info.shown));
      }
      one.Set("extra", absl::StrCat(LimitText(line.limit), ": ", BudgetVerdictName(line.verdict)));
      all.push_back(std::move(one));
    }
  }
  return absl::StrCat(DumpJson(all), "\n");
}

// Bencher's own measure `latency` is in nanoseconds; the others keep the unit without a prefix.
std::string CheckAsBencher(const std::vector<CheckResult>& results) {
  Cell all = Cell::OfObject();
  for (const CheckResult& result : results) {
    Cell measures = Cell::OfObject();
    for (const LimitLine& line : result.lines) {
      if (!line.value.has_value()) continue;
      const double scale = line.limit.figure == BudgetFigure::kLatency ? 1e9 : 1;
      Cell measure{{"value", *line.value * scale}};
      if (line.low.has_value() && line.high.has_value()) {
        measure.Set("lower_value", *line.low * scale);
        measure.Set("upper_value", *line.high * scale);
      }
      measures.Set(std::string(InfoOf(line.limit.figure).name), std::move(measure));
    }
    all.Set(SeriesOf(result.check), std::move(measures));
  }
  return absl::StrCat(DumpJson(all), "\n");
}

}  // namespace hwest
