#include "report/text_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "plan/memory_needs.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

std::string SettingsText(const View& view) {
  const RequestView& request = view.request;
  std::vector<std::string> parts;
  if (request.mode) parts.push_back(absl::StrCat("mode ", *request.mode));
  if (request.host) parts.push_back(absl::StrCat("host ", *request.host));
  if (request.precision) parts.push_back(PrecisionText(view));
  if (request.batch) parts.push_back(absl::StrCat("batch ", *request.batch));
  for (const auto& [name, value] : request.dims) parts.push_back(absl::StrCat(name, "=", value));
  if (request.objective == Objective::kEnergy) parts.push_back("least energy");
  if (view.summary.host_competes.value_or(false)) parts.push_back("the host competes");
  return EscapeControl(absl::StrJoin(parts, ", "));
}

// Texts in order of first appearance, with their number.
class Tally {
 public:
  void Add(const std::string& text) {
    const auto [at, is_new] = index_.try_emplace(text, rows_.size());
    if (is_new) rows_.emplace_back(text, 0);
    ++rows_[at->second].second;
  }
  const std::vector<std::pair<std::string, int64_t>>& rows() const { return rows_; }

 private:
  std::vector<std::pair<std::string, int64_t>> rows_;
  absl::flat_hash_map<std::string, size_t> index_;
};

}  // namespace

std::string Wrapped(absl::string_view text, absl::string_view first, absl::string_view rest,
                    const ReportOptions& options) {
  const size_t page = LineWidth(options);
  std::string out(first);
  size_t column = DisplayWidth(first);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const absl::string_view word = text.substr(begin, end - begin);
    const size_t width = DisplayWidth(word);
    if (column > DisplayWidth(rest) && column + 1 + width > page) {
      absl::StrAppend(&out, "\n", rest);
      column = DisplayWidth(rest);
    } else if (begin > 0) {
      out += ' ';
      ++column;
    }
    out.append(word.data(), word.size());
    column += width;
    begin = end + 1;
  }
  return out + "\n";
}

std::string CountText(const Count& count) {
  if (const auto* number = std::get_if<int64_t>(&count)) return FormatCount(static_cast<double>(*number));
  if (const auto* formula = std::get_if<std::string>(&count)) return *formula;
  return "unknown";
}

std::string WithUnit(const Count& count, absl::string_view unit) {
  const std::string text = CountText(count);
  const bool has_prefix = std::holds_alternative<int64_t>(count) && absl::StrContains(text, ' ');
  return absl::StrCat(text, has_prefix ? "" : " ", unit);
}

std::string CausalText(const SummaryView& summary) {
  if (std::holds_alternative<std::monostate>(summary.causal_macs) || summary.causal_macs == summary.macs) return "";
  return absl::StrCat("attention counted dense; causal ", WithUnit(summary.causal_macs, "MACs"));
}

std::string RateText(double per_s) {
  return per_s < 999.5 ? absl::StrFormat("%.4g", per_s) : absl::StrFormat("%.0f", per_s);
}

namespace {

// Pictures of 1, 3 or 4 channels, with or without a leading batch, channels first or last.
bool IsImage(const PortRow& input) {
  if (!input.shape.has_value() || input.dtype.value_or("") == "bool") return false;
  std::vector<int64_t> dims;
  for (const Count& dim : *input.shape)
    dims.push_back(std::holds_alternative<int64_t>(dim) ? std::get<int64_t>(dim) : 0);
  if (dims.size() != 3 && dims.size() != 4) return false;
  const size_t first = dims.size() - 3;
  constexpr int64_t kSmallest = 4;
  const auto fits = [&](size_t channels, size_t height, size_t width) {
    const int64_t c = dims[channels];
    const bool is_colour = c == 3 || c == 4 || (c == 1 && dims.size() == 4);
    return is_colour && dims[height] >= kSmallest && dims[width] >= kSmallest;
  };
  return fits(first, first + 1, first + 2) || fits(first + 2, first, first + 1);
}

// What overlaps with an inference, where the interval between results is shorter than the latency.
std::string OverlapText(const View& view) {
  constexpr double kRounding = 1e-9;
  const SummaryView& s = view.summary;
  if (!s.latency_s || *s.interval_s >= *s.latency_s * (1 - kRounding)) return "";
  const bool is_pipeline =
      std::any_of(view.segments.begin(), view.segments.end(), [](const auto& segment) { return segment.IsPipeline(); });
  return is_pipeline ? ", inferences overlap" : ", the next inputs are copied meanwhile";
}

int64_t TokensOfRun(const SummaryView& summary) { return std::llround(*summary.tokens_per_s * *summary.interval_s); }

// The precisions that kernels run in, for a model without MACs; "" when that is just `name`.
std::string KernelsRunText(const View& view, const std::string& name) {
  std::set<std::string> precisions;
  for (const GroupRow& group : view.groups) {
    if (group.precision.has_value()) precisions.insert(*group.precision);
  }
  if (precisions.empty() || (precisions.size() == 1 && *precisions.begin() == name)) return "";
  return absl::StrCat("kernels run ", absl::StrJoin(precisions, ", "));
}

}  // namespace

std::string RateUnit(const View& view) {
  if (view.summary.tokens_per_s) return "tokens/s";
  return std::any_of(view.model.inputs.begin(), view.model.inputs.end(), IsImage) ? "FPS" : "inferences/s";
}

std::string RateFigure(const View& view) {
  const SummaryView& s = view.summary;
  return absl::StrCat(RateText(s.tokens_per_s ? *s.tokens_per_s : *s.throughput_per_s), " ", RateUnit(view));
}

std::string RateRest(const View& view) {
  const SummaryView& s = view.summary;
  const std::string every = absl::StrCat(" every ", FormatSeconds(*s.interval_s), OverlapText(view));
  const int64_t batch = view.request.batch.value_or(1);
  if (!s.tokens_per_s) return absl::StrCat(batch > 1 ? absl::StrCat("a batch of ", batch) : "a result", every);
  const int64_t tokens = TokensOfRun(s);
  if (tokens == 1) return absl::StrCat("a new token", every);
  if (tokens == batch) return absl::StrCat("a new token of each of ", batch, " sequences", every);
  return absl::StrCat("of a prompt: ", tokens, " tokens processed", every);
}

std::string BytesText(const std::optional<int64_t>& bytes) {
  return bytes ? FormatBytes(static_cast<double>(*bytes)) : "unknown";
}

std::string PrecisionText(const View& view) {
  const std::string& name = *view.request.precision;
  const std::string& file = view.model.file_precision;
  std::vector<std::string> parts;
  const bool assumed = view.request.asked_precision == "auto" && name != file;
  if (assumed && !file.empty()) parts.push_back(absl::StrCat("assumed ", name, ", file is ", file));
  const auto& shares = view.summary.precisions;
  if (shares.size() > 1 || (shares.size() == 1 && shares[0].first != name)) {
    std::vector<std::string> texts;
    for (const auto& [precision, share] : shares) texts.push_back(absl::StrCat(Percent(share), " ", precision));
    parts.push_back(absl::StrCat("MACs run ", absl::StrJoin(texts, ", ")));
  } else if (shares.empty() && view.summary.macs == Count(int64_t{0})) {
    if (const std::string runs = KernelsRunText(view, name); !runs.empty()) parts.push_back(runs);
  }
  return absl::StrCat("precision ", name, parts.empty() ? "" : absl::StrCat(" (", absl::StrJoin(parts, "; "), ")"));
}

std::string LatencyText(const View& view) {
  const SummaryView& summary = view.summary;
  const bool is_partial = summary.incomplete.value_or(false);
  const double latency_s = summary.latency_s.value_or(0);
  std::vector<std::string> parts;
  if (summary.latency_low_s && summary.latency_high_s) {
    parts.push_back(
        absl::StrCat(FormatSeconds(*summary.latency_low_s), " to ", FormatSeconds(*summary.latency_high_s)));
  }
  if (const std::string grades = GradesText(summary); !grades.empty()) parts.push_back(grades);
  return absl::StrCat(AtLeast(FormatSeconds(latency_s), latency_s, is_partial),
                      parts.empty() ? "" : absl::StrCat(" (", absl::StrJoin(parts, ", "), ")"));
}

std::string AtLeast(const std::string& figure, double known, bool is_partial) {
  if (!is_partial) return figure;
  return known > 0 ? absl::StrCat("at least ", figure) : "unknown";
}

std::string MissingText(const View& view) {
  const int64_t missing = view.coverage.nodes - view.coverage.costed.value_or(view.coverage.nodes);
  return missing > 0 ? absl::StrCat(missing, " of ", view.coverage.nodes, " nodes unknown") : "";
}

std::string EvidenceText(const SummaryView& summary) {
  constexpr size_t kMostNamed = 4;
  constexpr double kLeastNamed = 0.005;  // share of the time
  if (!summary.evidence_share.has_value()) return "";
  std::vector<std::string> names;
  for (const UnseenWork& row : summary.unseen) {
    if (row.share >= kLeastNamed) names.push_back(absl::StrCat(EscapeControl(row.what), " ", Percent(row.share)));
  }
  if (names.empty()) return "measurements cover all of the time";
  const size_t more = names.size() > kMostNamed ? names.size() - kMostNamed : 0;
  names.resize(names.size() - more);
  if (more > 0) names.push_back(absl::StrCat(more, " more"));
  return absl::StrCat("measurements cover ", Percent(*summary.evidence_share), " of the time, not ",
                      absl::StrJoin(names, ", "));
}

std::string GradesText(const SummaryView& summary) {
  if (!summary.grades.has_value()) return "";
  const std::pair<double, absl::string_view> shares[] = {{summary.grades->measured, "fitted to this device"},
                                                         {summary.grades->family, "fitted to its family"},
                                                         {summary.grades->datasheet, "from data sheets"},
                                                         {summary.grades->assumed, "on assumed efficiencies"}};
  std::vector<std::string> parts;
  for (const auto& [share, words] : shares) {
    if (share >= 1) return std::string(words);
    if (share > 0) parts.push_back(absl::StrCat(Percent(share), " ", words));
  }
  return absl::StrJoin(parts, ", ");
}

std::string SizesText(const View& view) {
  struct Kind {
    int64_t sizes = 0;
    int64_t least = INT64_MAX, most = -1;  // assumed
  };
  std::map<std::string, Kind> kinds;
  for (const SymbolRow& symbol : view.symbols) {
    if (!symbol.is_stated || !symbol.assumed.has_value()) continue;
    const size_t end = symbol.name.find_last_not_of("0123456789");
    const bool is_numbered = end + 1 < symbol.name.size() && symbol.name[end] == '_';
    Kind& kind = kinds[is_numbered ? symbol.name.substr(0, end) : symbol.name];
    ++kind.sizes;
    kind.least = std::min(kind.least, *symbol.assumed);
    kind.most = std::max(kind.most, *symbol.assumed);
  }
  std::vector<std::string> parts;
  for (const auto& [name, kind] : kinds) {
    const std::string count = kind.sizes > 1 ? absl::StrCat(kind.sizes, " ") : "";
    const std::string range = kind.least < kind.most ? absl::StrCat(" to ", kind.most) : "";
    parts.push_back(absl::StrCat(count, name, " = ", kind.least, range));
  }
  return absl::StrJoin(parts, ", ");
}

std::string MisfitText(const View& view) {
  for (const Diagnostic& found : view.diagnostics) {
    if (found.code == Code::kDoesNotFit)
      return EscapeControl(absl::StrCat(MissingMemoryText(view.memory_needs), ": ", found.remedy));
  }
  return "";
}

std::string HeaderText(const View& view, const ReportOptions& options) {
  const RequestView& request = view.request;
  const std::string target = request.target ? absl::StrCat(" on ", *request.target) : "";
  std::string model = EscapeControl(request.model);
  if (options.width > 0) {
    const size_t left = options.width - std::min(options.width / 2, target.size());
    model = Shorten(model, left, options.glyphs);
  }
  std::string text;
  if (const std::string misfit = MisfitText(view); !misfit.empty())
    text = Paint(Wrapped(misfit, "DOES NOT FIT: ", "  ", options), Style::kBad, options.color);
  absl::StrAppend(&text, Paint(absl::StrCat(model, target), Style::kBold, options.color), "\n");
  const std::string settings = SettingsText(view);
  if (!settings.empty()) absl::StrAppend(&text, Wrapped(settings, "  ", "  ", options));
  return text;
}

std::vector<std::string> CoverageLines(const View& view) {
  const CoverageView& c = view.coverage;
  const auto share = [&](int64_t part) {
    return c.nodes == 0 ? "100 %" : Percent(static_cast<double>(part) / static_cast<double>(c.nodes));
  };
  std::vector<std::string> parts = {absl::StrCat("typed ", share(c.typed)), absl::StrCat("counted ", share(c.counted))};
  if (c.costed) parts.push_back(absl::StrCat("costed ", share(*c.costed)));
  if (c.placed) parts.push_back(absl::StrCat("placed ", share(*c.placed)));
  std::vector<std::string> lines = {
      absl::StrCat(absl::StrJoin(parts, ", "), " of ", c.nodes, " nodes; unknown: ", c.unknown_nodes.size())};
  if (c.costed) {
    lines.push_back(absl::StrCat("costed ", c.macs_share ? Percent(*c.macs_share) : "an unknown share", " of MACs"));
  }
  lines.push_back(absl::StrCat("origin: module ", share(c.from_module), ", function ", share(c.from_function),
                               ", unknown ", share(c.from_unknown)));
  const auto name = [&](absl::string_view what, const std::vector<std::string>& names) {
    if (!names.empty()) lines.push_back(absl::StrCat(what, EscapeControl(absl::StrJoin(names, ", "))));
  };
  name("unknown nodes: ", c.unknown_nodes);
  name("data-dependent sizes: ", c.data_dependent);
  return lines;
}

std::string CoverageText(const View& view, const ReportOptions& options) {
  return absl::StrJoin(CoverageLines(view), "", [&](std::string* out, const std::string& line) {
    absl::StrAppend(out, Wrapped(line, "  ", "    ", options));
  });
}

std::vector<std::string> AssumptionLines(const View& view) {
  Tally assumptions;
  for (const GroupRow& group : view.groups) {
    if (!group.estimate) continue;
    for (const std::string& assumption : group.estimate->assumptions) assumptions.Add(EscapeControl(assumption));
  }
  std::vector<std::string> lines;
  for (const auto& [note, count] : assumptions.rows()) {
    lines.push_back(absl::StrCat(note, " (", count, count == 1 ? " group)" : " groups)"));
  }
  return lines;
}

std::string NotesText(const View& view, const ReportOptions& options) {
  Tally tally;
  for (const bool fails_strict : {true, false}) {  // notes that make figures doubtful come first, with what to do
    for (const Diagnostic& diagnostic : view.diagnostics) {
      if ((InfoOf(diagnostic.code).exit_code != 0) != fails_strict || diagnostic.code == Code::kDoesNotFit) continue;
      const std::string where = diagnostic.node.empty() ? "" : absl::StrCat(" (", diagnostic.node, ")");
      const std::string remedy =
          fails_strict && !diagnostic.remedy.empty() ? absl::StrCat(": ", diagnostic.remedy) : "";
      tally.Add(EscapeControl(absl::StrCat(diagnostic.message, where, remedy)));
    }
  }
  constexpr size_t kMost = 20;
  std::string text;
  for (size_t i = 0; i < tally.rows().size() && i < kMost; ++i) {
    const auto& [note, count] = tally.rows()[i];
    const std::string line = count > 1 ? absl::StrCat(note, " (", count, " times)") : note;
    absl::StrAppend(&text, Wrapped(line, "  - ", "    ", options));
  }
  if (tally.rows().size() > kMost) {
    absl::StrAppend(&text, "  - ", tally.rows().size() - kMost, " more notes; --format json lists all\n");
  }
  for (const std::string& line : AssumptionLines(view)) absl::StrAppend(&text, Wrapped(line, "  - ", "    ", options));
  return text;
}

std::string SymbolTableText(const View& view, const ReportOptions& options) {
  if (view.symbols.empty()) return "";
  TextTable table({{.title = "symbol", .style = Style::kAccent},
                   {.title = "min", .align = Align::kRight},
                   {.title = "max", .squeeze = Squeeze::kWrap},
                   {.title = "assumed", .align = Align::kRight},
                   {.title = "made by", .squeeze = Squeeze::kShorten}});
  for (const SymbolRow& symbol : view.symbols) {
    const auto* formula = std::get_if<std::string>(&symbol.max);
    const auto* number = std::get_if<int64_t>(&symbol.max);
    table.Add({symbol.name, absl::StrCat(symbol.min),
               number    ? absl::StrCat(*number)
               : formula ? *formula
                         : "-",
               symbol.assumed ? absl::StrCat(*symbol.assumed) : "-", symbol.cause.value_or("the file")});
  }
  return table.Print(options);
}

}  // namespace hwest
