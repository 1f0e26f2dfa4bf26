#include "report/answer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "plan/memory_needs.h"
#include "report/text_parts.h"
#include "report/text_table.h"

namespace hwest {
namespace {

bool IsPartial(const View& view) { return view.summary.incomplete.value_or(false); }

std::string EnergyText(const SummaryView& s) {
  const PlanEnergy& parts = *s.energy;
  const auto share = [&](double joules) { return Percent(*s.energy_j > 0 ? joules / *s.energy_j : 0); };
  return absl::StrCat("compute ", share(parts.compute_j), ", on-chip ", share(parts.onchip_j), ", DRAM ",
                      share(parts.dram_j), ", static ", share(parts.static_j), ", moves ", share(parts.moves_j));
}

std::string RangeText(const std::optional<double>& low, const std::optional<double>& high,
                      std::string (*format)(double)) {
  return low && high ? absl::StrCat(format(*low), " to ", format(*high)) : std::string();
}

constexpr char kWithoutMemory[] = "with memory that the target lacks";

bool Lacks(const View& view) { return !view.summary.fits.value_or(true); }
// Times of what does not fit.
std::string WouldBe(const View& view, const std::string& figure) {
  return Lacks(view) ? absl::StrCat("would be ", figure) : figure;
}

std::string OfKnown(const View& view) { return IsPartial(view) ? ", of what is known" : ""; }

// The answer as it grows.
class Answer {
 public:
  void Add(std::string name, std::string figure, const std::vector<std::string>& rest, bool is_part = false) {
    AnswerLine line{std::move(name), std::move(figure), {}, is_part};
    for (const std::string& text : rest) {
      if (!text.empty()) line.rest.push_back(text);
    }
    lines_.push_back(std::move(line));
  }
  void AddPart(std::string name, std::string figure, const std::vector<std::string>& rest) {
    Add(std::move(name), std::move(figure), rest, true);
  }
  std::vector<AnswerLine> Take() { return std::move(lines_); }

 private:
  std::vector<AnswerLine> lines_;
};

// What one input of a batch takes, below what the batch does.
void AddPerInput(const View& view, double of_batch, std::string (*format)(double), Answer& answer) {
  const int64_t batch = view.request.batch.value_or(1);
  if (batch <= 1 || view.summary.tokens_per_s) return;
  const double figure = of_batch / static_cast<double>(batch);
  answer.AddPart("per input", WouldBe(view, AtLeast(format(figure), figure, IsPartial(view))),
                 {absl::StrCat("above: the batch of ", batch)});
}

void AddLatency(const View& view, Answer& answer) {
  const SummaryView& s = view.summary;
  if (!s.latency_s && !IsPartial(view)) return;
  const double latency_s = s.latency_s.value_or(0);
  const std::string grades = GradesText(s);
  answer.Add("Latency", WouldBe(view, AtLeast(FormatSeconds(latency_s), latency_s, IsPartial(view))),
             {Lacks(view) ? kWithoutMemory : "", MissingText(view),
              RangeText(s.latency_low_s, s.latency_high_s, FormatSeconds),
              grades.empty() ? "" : absl::StrCat(grades, OfKnown(view))});
  AddPerInput(view, latency_s, FormatSeconds, answer);
  if (const std::string evidence = EvidenceText(s); !evidence.empty()) answer.AddPart("evidence", "", {evidence});
}

void AddSizes(const View& view, Answer& answer) {
  const std::optional<SizeRange>& range = view.summary.size_range;
  if (!range) return;
  const std::string sizes = EscapeControl(SizesText(view));
  if (!sizes.empty()) answer.Add("Sizes", "", {absl::StrCat("assumed where contents decide: ", sizes)});
  answer.AddPart("at most", range->high_s ? FormatSeconds(*range->high_s) : "unknown",
                 {range->high_s ? "with these at their upper bounds, as peak memory is; --expect sets them"
                                : "one of these has no upper bound; --expect sets them"});
}

void AddOverlapped(const View& view, Answer& answer) {
  const std::optional<double>& latency_s = view.summary.overlap_latency_s;
  if (!latency_s) return;
  answer.Add("Overlapped", AtLeast(FormatSeconds(*latency_s), *latency_s, IsPartial(view)),
             {"latency with independent branches side by side; all else here is the serial plan"});
}

void AddThroughput(const View& view, Answer& answer) {
  if (!view.summary.throughput_per_s) return;
  answer.Add("Throughput", WouldBe(view, absl::StrCat(IsPartial(view) ? "at most " : "", RateFigure(view))),
             {absl::StrCat(RateRest(view), IsPartial(view) ? " or more" : "")});
}

void AddEnergy(const View& view, Answer& answer) {
  const SummaryView& s = view.summary;
  if (!s.energy_j) {
    answer.Add("Energy", "unknown", {s.latency_s ? "the target states no energy figures" : ""});
    return;
  }
  const std::string of = s.power_of ? absl::StrCat(" of ", *s.power_of) : "";
  answer.Add("Energy", AtLeast(FormatJoules(*s.energy_j), *s.energy_j, IsPartial(view)),
             {RangeText(s.energy_low_j, s.energy_high_j, FormatJoules),
              s.power_w ? absl::StrFormat("%.3g W on average", *s.power_w) + of : ""});
  AddPerInput(view, *s.energy_j, FormatJoules, answer);
  answer.AddPart("by part", "", {absl::StrCat(EnergyText(s), OfKnown(view))});
}

void AddPeakMemory(const View& view, Answer& answer) {
  const SummaryView& s = view.summary;
  if (!s.peak_memory_bytes) return;
  const ModelFacts& model = view.model;
  const auto bytes = static_cast<double>(*s.peak_memory_bytes);
  const int64_t deployed = model.deployed_bytes.value_or(0);
  // Factors and masks of a few elements are not worth a line.
  constexpr int64_t kLeastShare = 100;
  const bool has_others = model.constant_bytes.value_or(0) > deployed / kLeastShare;
  const int64_t others = has_others ? *model.constant_bytes : 0;
  answer.Add("Peak memory", AtLeast(FormatBytes(bytes), bytes, s.bytes_partial),
             {absl::StrCat("weights ", BytesText(deployed - others), " as deployed, ",
                           BytesText(model.params.stored_bytes), " in the file")});
  if (const std::string why = UnknownFitText(view.memory_needs); !why.empty() && !view.memory_needs.empty())
    answer.AddPart("fits", "unknown", {EscapeControl(why)});
  if (!has_others) return;
  answer.AddPart(
      "", "",
      {absl::StrCat("other constants ", BytesText(others), ", the largest ", EscapeControl(model.largest_constant))});
}

std::string TrafficText(const SummaryView& s) {
  if (!s.dram_bytes || !s.onchip_bytes) return "";
  return absl::StrCat(", DRAM ", BytesText(s.dram_bytes),
                      *s.onchip_bytes > 0 ? absl::StrCat(", on chip ", BytesText(s.onchip_bytes)) : "");
}

void AddWork(const View& view, Answer& answer) {
  const SummaryView& s = view.summary;
  const std::string limit = s.counts_partial ? "at least " : "";
  answer.Add("Work", absl::StrCat(limit, WithUnit(s.macs, "MACs")),
             {absl::StrCat(limit, WithUnit(s.flops, "FLOP"), ", ",
                           FormatCount(static_cast<double>(view.model.params.params)), " parameters")});
  if (const std::string causal = CausalText(s); !causal.empty()) answer.AddPart("", "", {causal});
  if (s.intensity) {
    answer.Add("Intensity", absl::StrFormat("%.4g FLOP/B", *s.intensity),
               {absl::StrCat(BytesText(s.moved_bytes), " moved", TrafficText(s))});
  }
}

void AddBound(const View& view, Answer& answer) {
  const auto most = std::max_element(view.bounds.begin(), view.bounds.end(),
                                     [](const BoundRow& a, const BoundRow& b) { return a.time_s < b.time_s; });
  const double latency_s = view.summary.latency_s.value_or(0);
  if (most == view.bounds.end() || most->time_s <= 0) return;
  answer.Add("Bound", std::string(BoundName(most->bound)),
             {absl::StrCat(latency_s > 0 ? Percent(most->time_s / latency_s) : "-",
                           IsPartial(view) ? " of the known time" : " of the time"),
              view.summary.utilisation ? absl::StrCat("utilisation ", Percent(*view.summary.utilisation)) : ""});
}

void AddCompiled(const View& view, Answer& answer) {
  const SummaryView& s = view.summary;
  answer.Add("Placement", "as compiled", {absl::StrCat("by ", *s.placed_as, ", which takes all that it supports")});
  if (!s.best_latency_s) return;
  answer.AddPart("at best", AtLeast(FormatSeconds(*s.best_latency_s), *s.best_latency_s, IsPartial(view)),
                 {absl::StrCat("−", Percent(1 - *s.best_latency_s / *s.latency_s), " with --placement best",
                               s.best_means ? absl::StrCat(", by ", *s.best_means) : "")});
}

void AddPlacement(const View& view, Answer& answer) {
  const SummaryView& s = view.summary;
  if (s.placed_as && (view.segments.size() > 1 || s.best_latency_s)) return AddCompiled(view, answer);
  if (s.placed_as || !s.gap || view.segments.size() < 2) return;
  const std::string of = *s.gap <= 0 ? "under the cost model" : "of the proven optimum";
  answer.Add("Placement", *s.gap <= 0 ? "optimal" : absl::StrCat("within ", Percent(*s.gap)),
             {absl::StrCat(of, IsPartial(view) ? ", for what is known" : "")});
}

// The share of the known latency.
std::string ShareText(const View& view, double seconds) {
  const double latency_s = view.summary.latency_s.value_or(0);
  if (!(latency_s > 0)) return "";
  return absl::StrCat(Percent(seconds / latency_s), IsPartial(view) ? " of the known time" : " of the time");
}

void AddFallback(const View& view, Answer& answer) {
  std::vector<FallbackRow> rows = FallbackRows(view);
  if (rows.empty()) {
    answer.Add("Falls back", "nothing",
               {HasAccelerator(view) ? "every kernel runs on an accelerator"
                                     : "the target has no accelerator to fall back from"});
    return;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const FallbackRow& a, const FallbackRow& b) { return a.known_s > b.known_s; });
  double known_s = 0;
  bool is_partial = false;
  std::vector<std::string> reasons;
  for (const FallbackRow& row : rows) {
    known_s += row.known_s;
    is_partial = is_partial || row.is_partial;
    reasons.push_back(absl::StrCat(row.kernel, ": ", row.why));
  }
  answer.Add("Falls back", AtLeast(FormatSeconds(known_s), known_s, is_partial),
             {known_s > 0 ? ShareText(view, known_s) : "", absl::StrJoin(reasons, "; ")});
}

void AddHelp(const View& view, Answer& answer) {
  if (view.what_if == nullptr) {
    answer.Add("Would help", "not asked", {"--what-if tries it"});
    return;
  }
  const std::vector<WhatIfRow>& rows = *view.what_if;
  if (rows.empty()) {
    answer.Add("Would help", "nothing", {"no change that was tried saves time"});
    return;
  }
  const double latency_s = view.summary.latency_s.value_or(0);
  answer.Add("Would help", latency_s > 0 ? absl::StrCat("−", Percent(rows[0].saving_s / latency_s)) : "unknown",
             {rows[0].kind == WhatIfKind::kBatch ? "per input" : "", rows[0].change});
}

// Three digits are enough for a sentence: "86.7", "1802".
std::string RoundText(double figure) {
  return std::fabs(figure) < 999.5 ? absl::StrFormat("%.3g", figure) : absl::StrFormat("%.0f", figure);
}

std::string RateWords(const View& view, double per_s) { return absl::StrCat(RoundText(per_s), " ", RateUnit(view)); }

// "99.6 % of the MACs on accelerators"; "" where that says nothing.
std::string AcceleratedText(const View& view) {
  int64_t all = 0, accelerated = 0;
  for (const GroupRow& group : view.groups) {
    if (!group.macs.has_value()) return "";
    all += *group.macs;
    if (!FallsBack(view, group)) accelerated += *group.macs;
  }
  if (all == 0 || !HasAccelerator(view)) return "";
  return absl::StrCat(Percent(static_cast<double>(accelerated) / static_cast<double>(all)),
                      " of the MACs on accelerators");
}

// "Softmax falls back", "three operators fall back".
std::string FallsBackText(const View& view) {
  std::set<std::string> kernels;
  for (const FallbackRow& row : FallbackRows(view)) kernels.insert(row.kernel);
  if (!HasAccelerator(view)) return "";
  if (kernels.empty()) return "nothing falls back";
  if (kernels.size() == 1) return absl::StrCat(*kernels.begin(), " falls back");
  constexpr const char* kWords[] = {"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
  const size_t at = kernels.size() - 2;
  return absl::StrCat(at < std::size(kWords) ? std::string(kWords[at]) : absl::StrCat(kernels.size()),
                      " kinds of operators fall back");
}

// "Softmax on c7x-mma would give 114 FPS", "batch 8 instead of 1 would give 772 FPS, 10.4 ms per batch".
std::string BetterText(const View& view) {
  constexpr double kLeastGain = 1.01;  // of the rate
  if (view.what_if == nullptr || !view.summary.throughput_per_s) return "";
  const double now_per_s = *view.summary.throughput_per_s;
  for (const WhatIfRow& row : *view.what_if) {
    if (!(row.interval_s > 0)) continue;
    const double per_s = static_cast<double>(row.batch) / row.interval_s;
    if (per_s < kLeastGain * now_per_s) continue;
    const double tokens = view.summary.tokens_per_s ? *view.summary.tokens_per_s / now_per_s : 1;
    // What a larger batch takes, or a rule does, follows a colon.
    return absl::StrCat(
        row.kind == WhatIfKind::kRewrite ? "rewriting by " : "", row.change.substr(0, row.change.find(": ")),
        " would give ", RateWords(view, per_s * tokens),
        row.kind == WhatIfKind::kBatch ? absl::StrCat(", ", FormatSeconds(row.latency_s), " per batch") : "");
  }
  return "";
}

}  // namespace

std::string VerdictText(const View& view) {
  const SummaryView& s = view.summary;
  const std::string on = absl::StrCat(" on ", *view.request.target);
  const std::optional<double> per_s = s.tokens_per_s ? s.tokens_per_s : s.throughput_per_s;
  std::string text = Lacks(view) ? absl::StrCat("Does not fit into the memory of ", *view.request.target) : "";
  if (per_s.has_value()) {
    const std::string rate = absl::StrCat(IsPartial(view) ? "at most " : "", RateWords(view, *per_s));
    absl::StrAppend(&text, Lacks(view) ? "; with enough of it " : "", rate, Lacks(view) ? "" : on);
  } else if (s.latency_s == 0.0 && !IsPartial(view)) {
    absl::StrAppend(&text, Lacks(view) ? "; no" : "No", " node takes time", Lacks(view) ? "" : on);
  } else {
    absl::StrAppend(&text, Lacks(view) ? "; its" : "The", " time is unknown", Lacks(view) ? "" : on);
  }
  for (const std::string& part : {MissingText(view), AcceleratedText(view), FallsBackText(view)}) {
    if (!part.empty()) absl::StrAppend(&text, ", ", part);
  }
  if (const std::string better = BetterText(view); !better.empty()) absl::StrAppend(&text, "; ", better);
  if (!text.empty()) text[0] = absl::ascii_toupper(static_cast<unsigned char>(text[0]));
  return EscapeControl(text);
}

std::vector<AnswerLine> AnswerLines(const View& view) {
  Answer answer;
  for (const auto add : {AddLatency, AddSizes, AddOverlapped, AddThroughput, AddEnergy, AddPeakMemory, AddWork,
                         AddBound, AddPlacement}) {
    add(view, answer);
  }
  return answer.Take();
}

std::vector<AnswerLine> AdviceLines(const View& view) {
  Answer answer;
  AddFallback(view, answer);
  AddHelp(view, answer);
  return answer.Take();
}

}  // namespace hwest
