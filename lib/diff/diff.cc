#include "diff/diff.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "analysis/request_text.h"
#include "base/enumerators.h"
#include "base/text.h"
#include "diff/match.h"
#include "report/document.h"
#include "report/read_json.h"

namespace hwest {
namespace {

// Sums of the same times in another order differ by less.
constexpr double kRounding = 1e-12;

double LatencyOf(const DiffSide& side) {
  const Cell* latency = FindMember(side.summary, "latency_s");
  return latency != nullptr && latency->is_number() ? latency->figure() : 0;
}

// A group's time stands at its root; its other nodes take 0 s.
std::optional<double> RootSeconds(const DiffNode& node) {
  return node.is_root ? node.time_s : std::optional<double>(0);
}

std::string OrNone(const std::string& text) { return text.empty() ? "none" : text; }

class Comparer {
 public:
  Comparer(const DiffSide& a, const DiffSide& b)
      : a_(a), b_(b), match_(MatchNodes(a, b)), tolerance_s_(kRounding * std::max(LatencyOf(a), LatencyOf(b))) {}

  DiffResult Run() {
    Totals();
    Modules();
    for (size_t i = 0; i < a_.nodes.size(); ++i) {
      if (match_.b_of_a[i] < 0) {
        Removed(i);
      } else {
        Paired(i, static_cast<size_t>(match_.b_of_a[i]));
      }
    }
    for (size_t i = 0; i < b_.nodes.size(); ++i) {
      if (match_.a_of_b[i] < 0) Added(i);
    }
    result_.segments_delta_s = b_.segments_s - a_.segments_s;
    const bool totals_same = std::all_of(result_.totals.begin(), result_.totals.end(), [&](const TotalChange& total) {
      return DumpJson(total.a) == DumpJson(total.b);
    });
    result_.same = result_.nodes.empty() && totals_same && std::fabs(result_.segments_delta_s) <= tolerance_s_;
    result_.b_of_a = match_.b_of_a;
    result_.is_llm = a_.is_llm && b_.is_llm;
    return std::move(result_);
  }

 private:
  void Totals() {
    if (a_.summary.object() == nullptr) return;
    for (const auto& [key, a] : *a_.summary.object()) {
      const Cell* b = FindMember(b_.summary, key);
      const Cell other = b != nullptr ? *b : Cell();
      if (a.is_structured() || other.is_structured() || key == "convention") continue;
      AddTotal(key, a, other);
    }
    if (b_.summary.object() == nullptr) return;
    for (const auto& [key, b] : *b_.summary.object()) {
      if (FindMember(a_.summary, key) == nullptr && !b.is_structured() && key != "convention") AddTotal(key, Cell(), b);
    }
  }

  void AddTotal(const std::string& key, const Cell& a, const Cell& b) {
    const ColumnInfo& figure = SummaryFigure(key);
    TotalChange total{key, a, b, IsWhole(a_, figure), IsWhole(b_, figure), figure.bound, std::nullopt, std::nullopt};
    if (a.is_number() && b.is_number() && total.a_whole && total.b_whole) {
      total.delta = b.figure() - a.figure();
      if (a.figure() != 0) total.share = *total.delta / a.figure();
    }
    result_.totals.push_back(std::move(total));
  }

  void Modules() {
    std::unordered_map<std::string, std::optional<double>> of_b(b_.modules.begin(), b_.modules.end());
    std::unordered_map<std::string, bool> in_a;
    for (const auto& [path, a_s] : a_.modules) {
      in_a[path] = true;
      const auto b = of_b.find(path);
      AddModule(path, a_s, b != of_b.end() ? b->second : std::nullopt, true, b != of_b.end());
    }
    for (const auto& [path, b_s] : b_.modules) {
      if (!in_a.contains(path)) AddModule(path, std::nullopt, b_s, false, true);
    }
  }

  void AddModule(const std::string& path, std::optional<double> a_s, std::optional<double> b_s, bool in_a, bool in_b) {
    ModuleChange module{path, a_s, b_s, std::nullopt};
    const bool known = (a_s.has_value() || !in_a) && (b_s.has_value() || !in_b);
    if (known) module.delta_s = b_s.value_or(0) - a_s.value_or(0);
    if (known && std::fabs(*module.delta_s) <= tolerance_s_) return;
    if (!known && a_s == b_s) return;
    result_.modules.push_back(std::move(module));
  }

  // The name in b of the node that makes a value of a.
  std::string TakerOf(const DiffNode& node) const {
    for (const DiffEdge& edge : node.inputs) {
      if (edge.node < 0) continue;
      const int64_t pair = match_.b_of_a[static_cast<size_t>(edge.node)];
      return pair >= 0 ? b_.nodes[static_cast<size_t>(pair)].name : "";
    }
    return "";
  }

  static bool IsQuantization(const DiffNode& node) {
    return (node.traits & (trait::kQuantizes | trait::kDequantizes)) != 0;
  }

  // The purpose of a node that only one side has.
  std::vector<std::string> Reason(const DiffNode& node, const std::string& taker, bool removed) const {
    if (IsQuantization(node)) return {removed ? "Q/DQ removed" : "Q/DQ inserted"};
    if ((node.traits & trait::kFoldsIntoWeights) != 0 && !taker.empty()) {
      return {absl::StrCat(removed ? "folded into " : "no longer folded into ", taker)};
    }
    if ((node.traits & trait::kIdentity) != 0) return {removed ? "passed its input on" : "passes its input on"};
    return {};
  }

  void Removed(size_t a) {
    const DiffNode& node = a_.nodes[a];
    NodeChange change{ChangeKind::kRemoved, static_cast<int64_t>(a), std::nullopt, node.op, node.name, "", {},
                      RootSeconds(node)};
    if (change.delta_s.has_value()) change.delta_s = 0 - *change.delta_s;
    change.what = Reason(node, TakerOf(node), true);
    result_.nodes.push_back(std::move(change));
  }

  void Added(size_t b) {
    const DiffNode& node = b_.nodes[b];
    std::string taker;
    for (const DiffEdge& edge : node.inputs) {
      if (edge.node < 0) continue;
      if (match_.a_of_b[static_cast<size_t>(edge.node)] >= 0) taker = b_.nodes[static_cast<size_t>(edge.node)].name;
      break;
    }
    NodeChange change{ChangeKind::kAdded, std::nullopt, static_cast<int64_t>(b), node.op, "",
                      node.name,          {},           RootSeconds(node)};
    change.what = Reason(node, taker, false);
    result_.nodes.push_back(std::move(change));
  }

  // Details that both sides can have.
  void AddDetails(const DiffNode& a, const DiffNode& b, std::vector<std::string>* what) const {
    if (a_.from_report != b_.from_report) return;
    std::map<std::string, std::pair<std::string, std::string>> both;
    for (const auto& [key, text] : a.details) both[key].first = text;
    for (const auto& [key, text] : b.details) both[key].second = text;
    for (const auto& [key, texts] : both) {
      if (texts.first != texts.second)
        what->push_back(absl::StrCat(key, ": ", OrNone(texts.first), " -> ", OrNone(texts.second)));
    }
  }

  void AddInputs(const DiffNode& a, const DiffNode& b, std::vector<std::string>* what) const {
    if (a.inputs.size() != b.inputs.size()) {
      what->push_back(absl::StrCat("inputs: ", a.inputs.size(), " -> ", b.inputs.size()));
    }
  }

  void Paired(size_t i, size_t j) {
    const DiffNode& a = a_.nodes[i];
    const DiffNode& b = b_.nodes[j];
    NodeChange change{
        ChangeKind::kChanged, static_cast<int64_t>(i), static_cast<int64_t>(j), b.op, a.name, b.name, {}, 0};
    std::vector<std::string>* const what = &change.what;
    if (a.op != b.op) what->push_back(absl::StrCat("op: ", a.op, " -> ", b.op));
    AddDetails(a, b, what);
    AddInputs(a, b, what);
    const bool is_edited = !what->empty();
    if (a.precision != b.precision && !a.precision.empty() && !b.precision.empty()) {
      what->push_back(absl::StrCat("precision: ", a.precision, " -> ", b.precision));
    }
    if (a.unit != b.unit) what->push_back(absl::StrCat("unit: ", OrNone(a.unit), " -> ", OrNone(b.unit)));
    if (a.pattern != b.pattern) what->push_back(absl::StrCat("group: ", OrNone(a.pattern), " -> ", OrNone(b.pattern)));
    const std::optional<double> a_s = RootSeconds(a), b_s = RootSeconds(b);
    if (a_s.has_value() && b_s.has_value()) {
      if (std::fabs(*b_s - *a_s) > tolerance_s_) change.delta_s = *b_s - *a_s;
    } else {
      change.delta_s.reset();
    }
    const bool other_time = change.delta_s.has_value() ? *change.delta_s != 0 : a_s.has_value() != b_s.has_value();
    if (other_time && what->empty())
      what->push_back(a.is_root == b.is_root ? "time" : "another node of its group ends it");
    if (what->empty()) return;
    if (!is_edited && a.pattern != b.pattern) change.kind = ChangeKind::kFused;
    if (!is_edited && a.unit != b.unit) change.kind = ChangeKind::kMoved;
    result_.nodes.push_back(std::move(change));
  }

  const DiffSide& a_;
  const DiffSide& b_;
  const NodeMatch match_;
  const double tolerance_s_;
  DiffResult result_;
};

// The difference, or for a bounded figure of b the least possible difference from a.
std::optional<double> SureDelta(const TotalChange& total) {
  if (total.delta.has_value()) return total.delta;
  const bool is_bounded = total.a_whole && total.bound != BoundKind::kNone;
  if (!total.a.is_number() || !total.b.is_number() || !is_bounded) return std::nullopt;
  const double delta = total.b.figure() - total.a.figure();
  return (total.bound == BoundKind::kAtMost ? delta < 0 : delta > 0) ? std::optional<double>(delta) : std::nullopt;
}

struct ShortKey {
  absl::string_view name, key;
};
constexpr ShortKey kShortKeys[] = {{"latency", "latency_s"}, {"rate", "throughput_per_s"},    {"energy", "energy_j"},
                                   {"power", "power_w"},     {"memory", "peak_memory_bytes"}, {"macs", "macs"}};

}  // namespace

absl::string_view ChangeKindName(ChangeKind kind) {
  constexpr absl::string_view kNames[] = {"removed", "added", "changed", "moved", "fused"};
  static_assert(std::size(kNames) == kNumEnumerators<ChangeKind>);
  return kNames[static_cast<size_t>(kind)];
}

DiffResult CompareSides(const DiffSide& a, const DiffSide& b) { return Comparer(a, b).Run(); }

absl::StatusOr<std::vector<FailOn>> ParseFailOn(absl::string_view flag, absl::string_view text) {
  std::vector<FailOn> limits;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    const std::vector<absl::string_view> sides = absl::StrSplit(part, absl::MaxSplits(':', 1));
    FailOn limit;
    limit.text = std::string(part);
    absl::string_view share = sides.size() == 2 ? sides[1] : absl::string_view();
    const bool has_sign = !share.empty() && (share[0] == '+' || share[0] == '-');
    const bool has_percent = share.size() > 2 && share.back() == '%';
    if (has_percent) share.remove_suffix(1);
    if (!has_sign || !has_percent || !absl::SimpleAtod(share.substr(1), &limit.share) || !(limit.share >= 0)) {
      return BadValue(flag, text, "write KEY:+P%, e.g. latency:+5%,memory:+2%, or rate:-5%");
    }
    limit.share *= share[0] == '-' ? -0.01 : 0.01;
    limit.key = std::string(sides[0]);
    for (const ShortKey& row : kShortKeys) {
      if (row.name == sides[0]) limit.key = std::string(row.key);
    }
    limits.push_back(std::move(limit));
  }
  return limits;
}

absl::Status CheckFailOn(const DiffResult& diff, const std::vector<FailOn>& limits) {
  std::vector<std::string> over, unknown;
  for (const FailOn& limit : limits) {
    const auto total = std::find_if(diff.totals.begin(), diff.totals.end(),
                                    [&](const TotalChange& row) { return row.key == limit.key; });
    if (total == diff.totals.end()) {
      return MakeError(Code::kUsage, absl::StrCat("there is no figure '", EscapeControl(limit.key), "' to limit"),
                       "use latency, rate, energy, power, memory, macs or a number of the summary");
    }
    const std::optional<double> delta = SureDelta(*total);
    const double allowed = delta.has_value() ? limit.share * std::fabs(total->a.figure()) : 0;
    const bool falls = std::signbit(limit.share);
    const bool breaks = delta.has_value() && (falls ? *delta < allowed : *delta > allowed);
    // A figure that is only bounded may still break the limit.
    if (!breaks && !total->delta.has_value()) unknown.push_back(limit.key);
    if (!breaks) continue;
    over.push_back(absl::StrCat(limit.key, total->delta.has_value() ? " by " : " by at least ",
                                total->a.figure() != 0 ? absl::StrFormat("%+.2f %%", *delta / total->a.figure() * 100)
                                                       : std::string("any from 0"),
                                " against ", limit.text));
  }
  if (!over.empty()) {
    return MakeError(Code::kCheckFailed,
                     absl::StrCat("it changes more than it may: ", EscapeControl(absl::StrJoin(over, ", "))),
                     "the report lists the nodes that make the difference");
  }
  if (unknown.empty()) return absl::OkStatus();
  return MakeError(Code::kIncomplete, absl::StrCat("unknown on one side: ", absl::StrJoin(unknown, ", ")),
                   "see what has no time in the report of that side");
}

}  // namespace hwest
