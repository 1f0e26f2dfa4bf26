// What a target's accelerators refuse, by reason, and what ends it.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/text.h"
#include "partition/support.h"
#include "report/getters.h"
#include "report/text_parts.h"
#include "report/text_table.h"

namespace hwest {
namespace {

constexpr size_t kPage = 80;
constexpr char kWritten[] = "better.onnx";
constexpr char kLayersFile[] = "layers.csv";
constexpr char kRulesFile[] = "relu.rules";

std::string PythonText(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}}), "'");
}

std::string PythonList(const std::vector<std::string>& names) {
  const auto add = [](std::string* to, const std::string& name) { *to += PythonText(name); };
  return absl::StrCat("[", absl::StrJoin(names, ", ", add), "]");
}

std::string FlagWords(const std::vector<std::string>& flags) {
  std::string words;
  for (const std::string& flag : flags) absl::StrAppend(&words, " ", ShellQuoted(flag));
  return words;
}

// Between double quotes where a shell leaves the text as it is there.
template <class Change>
std::string CutCommand(const Change& cut, const std::string& model) {
  const std::string code =
      absl::StrCat("import onnx.utils; onnx.utils.extract_model(", PythonText(model), ", ", PythonText(kWritten), ", ",
                   PythonList(cut.inputs), ", ", PythonList(cut.outputs), ")");
  const bool is_plain = code.find_first_of("\"\\$`!") == std::string::npos;
  return absl::StrCat("python3 -c ", is_plain ? absl::StrCat("\"", code, "\"") : ShellQuoted(code));
}

std::string ModelOf(const View& view) {
  const std::string& path = view.request.model;
  return absl::StrCat(path.size() > 1 && path[0] == '-' ? "./" : "", path);
}

// Writes the lines into a file, and goes on.
std::string FileCommand(absl::string_view text, absl::string_view file) {
  const std::vector<std::string> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
  return absl::StrCat("printf '%s\\n'", FlagWords(lines), " > ", file, " && ");
}

// The command's own flags, without those that `changed` gives once more; what may repeat stays.
std::vector<std::string> FlagsBeside(const std::vector<std::string>& own, const std::vector<std::string>& changed) {
  std::vector<std::string> flags;
  for (size_t i = 0; i < own.size();) {
    const size_t end = i + 1 < own.size() && !absl::StartsWith(own[i + 1], "--") ? i + 2 : i + 1;
    const bool is_given = std::find(changed.begin(), changed.end(), own[i]) != changed.end();
    const bool repeats = own[i] == "--assume" || own[i] == "--toolchain";
    if (!is_given || repeats)
      flags.insert(flags.end(), own.begin() + static_cast<std::ptrdiff_t>(i),
                   own.begin() + static_cast<std::ptrdiff_t>(end));
    i = end;
  }
  return flags;
}

std::string CommandOfCure(const Cure& cure, const View& view) {
  const std::string model = ModelOf(view);
  if (cure.kind == CureKind::kCut) return EscapeControl(CutCommand(cure, model));
  const bool writes = cure.kind == CureKind::kRewrite || cure.kind == CureKind::kFold || cure.kind == CureKind::kOpset;
  const std::string output = writes ? absl::StrCat(" --output ", kWritten) : "";
  return EscapeControl(absl::StrCat("onnx-hwest ", writes ? "rewrite " : "support ", ShellQuoted(model),
                                    FlagWords(FlagsBeside(view.request.flags, cure.flags)), FlagWords(cure.flags),
                                    output));
}

// A command over several lines, which a shell takes as one: a flag a line, or an argument of Python's.
std::string CommandLines(absl::string_view command, absl::string_view indent) {
  const bool is_python = absl::StartsWith(command, "python3 ");
  const absl::string_view mark = is_python ? ", [" : " --", end = is_python ? ",\n" : " \\\n";
  std::string lines, line(indent);
  while (!command.empty()) {
    const absl::string_view part = command.substr(0, command.find(mark, 1));
    command.remove_prefix(part.size());
    const bool fits = line == indent || DisplayWidth(line) + DisplayWidth(part) + 2 <= kPage;
    if (!fits) absl::StrAppend(&lines, line, end);
    line = fits ? absl::StrCat(line, part)
                : absl::StrCat(indent, "    ", absl::StripLeadingAsciiWhitespace(part.substr(1)));
  }
  return absl::StrCat(lines, line, "\n");
}

std::string CureText(const RefusalRow& row, const View& view, const ReportOptions& page) {
  if (row.evidence == EvidenceKind::kRequest) return "";
  if (!row.cure.has_value()) return "    cure: no rewrite known\n";
  const size_t helped = row.cure->nodes.size(), all = row.nodes.size();
  const std::string some = helped < all ? absl::StrCat(", for ", helped, " of ", all, " nodes") : "";
  return absl::StrCat(Wrapped(EscapeControl(absl::StrCat("cure: ", row.cure->change, some)), "    ", "      ", page),
                      CommandLines(CommandOfCure(*row.cure, view), "      "));
}

std::string ReasonText(const RefusalRow& row, const View& view, const ReportOptions& page) {
  std::string what = absl::StrCat(row.op, ": ", row.nodes.size(), row.nodes.size() == 1 ? " node, " : " nodes, ",
                                  Percent(row.nodes_share));
  if (row.macs_share.has_value() && *row.macs_share > 0) {
    absl::StrAppend(&what, " and ", Percent(*row.macs_share), " of the MACs");
  }
  absl::StrAppend(&what, ", e.g. ", getters::LabelOf(row.nodes.front(), view));
  return absl::StrCat(Wrapped(EscapeControl(what), "  ", "    ", page),
                      Wrapped(SupportText(row.support, row.evidence), "    ", "    ", page), CureText(row, view, page));
}

// Units of one toolchain refuse the same.
bool IsAs(const RefusalRow& row, const RefusalRow& other, const View& view) {
  return row.unit != other.unit && view.units[row.unit.index()].toolchain == view.units[other.unit.index()].toolchain &&
         row.nodes == other.nodes && row.support == other.support;
}

}  // namespace

std::string RefusalsText(const View& view, const ReportOptions& options) {
  if (view.refusals == nullptr) return "";
  ReportOptions page = options;
  page.width = options.width == 0 ? kPage : std::min(options.width, kPage);
  std::string text;
  UnitId unit;
  for (const RefusalRow& row : *view.refusals) {
    const bool is_told = std::any_of(view.refusals->begin(), view.refusals->end(), [&](const RefusalRow& other) {
      return other.unit < row.unit && IsAs(row, other, view);
    });
    if (is_told) continue;
    if (row.unit != unit) {
      absl::StrAppend(
          &text, "\n",
          Paint(absl::StrCat("What ", view.units[row.unit.index()].name, " refuses"), Style::kBold, options.color),
          "\n");
    }
    unit = row.unit;
    absl::StrAppend(&text, ReasonText(row, view, page));
  }
  if (text.empty()) return "";
  constexpr char kLegend[] =
      "seen = in the compiler; list = in the vendor's list; inferred = in neither. A cure was tried: with it the "
      "nodes are no longer refused.";
  return absl::StrCat(text, Wrapped(kLegend, "  ", "  ", page));
}

namespace getters {

std::optional<std::string> DocumentOf(UnitId unit, const Support& support, const View& view) {
  for (const ToolchainRow& row : view.toolchains) {
    if (row.stats.toolchain != view.units[unit.index()].toolchain) continue;
    for (const FactSource& source : row.sources) {
      if (source.key == support.source) return source.title;
    }
  }
  return std::nullopt;
}

std::string LabelOf(NodeId node, const View& view) { return view.graph->Label(node); }

std::optional<std::string> CommandOf(const RefusalRow& row, const View& view) {
  if (!row.cure.has_value()) return std::nullopt;
  return CommandOfCure(*row.cure, view);
}

std::optional<std::string> CommandOf(const WhatIfRow& row, const View& view) {
  const std::string model = ModelOf(view);
  if (!row.outputs.empty()) return EscapeControl(CutCommand(row, model));
  if (!row.width.empty()) {  // `width` rewrites nothing
    return EscapeControl(absl::StrCat("onnx-hwest width ", ShellQuoted(model),
                                      FlagWords(FlagsBeside(view.request.flags, {"--rules"})), FlagWords(row.width)));
  }
  if (!row.precision_of.empty()) {
    return EscapeControl(absl::StrCat(FileCommand(row.precision_of, kLayersFile), "onnx-hwest ", ShellQuoted(model),
                                      FlagWords(view.request.flags), " --precision-of ", kLayersFile));
  }
  if (row.flags.empty() && !row.writes) return std::nullopt;
  const std::string output = row.writes ? absl::StrCat(" --output ", kWritten) : "";
  const std::string rules = row.rules_text.empty() ? "" : FileCommand(row.rules_text, kRulesFile);
  const std::vector<std::string> by_rules =
      rules.empty() ? std::vector<std::string>() : std::vector<std::string>{"--rules", kRulesFile};
  return EscapeControl(absl::StrCat(rules, "onnx-hwest ", row.writes ? "rewrite " : "", ShellQuoted(model),
                                    FlagWords(FlagsBeside(view.request.flags, row.flags)), FlagWords(row.flags),
                                    FlagWords(by_rules), FlagWords(row.rewrite), output));
}

std::optional<std::string> CureCommandOf(const SupportRowView& row, const View& view) {
  if (view.refusals == nullptr || row.support.verdict != Verdict::kNo) return std::nullopt;
  for (const RefusalRow& refusal : *view.refusals) {
    if (refusal.unit != row.unit || !refusal.cure.has_value()) continue;
    const std::vector<NodeId>& cured = refusal.cure->nodes;
    if (std::binary_search(cured.begin(), cured.end(), row.node)) return CommandOfCure(*refusal.cure, view);
  }
  return std::nullopt;
}

}  // namespace getters
}  // namespace hwest
