#include "app/memory.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "app/memory_parts.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/cost.h"
#include "cost/model_view.h"
#include "hwest/reading.h"
#include "pass/caches.h"
#include "plan/liveness.h"
#include "plan/memory_needs.h"
#include "plan/memory_plan.h"

namespace hwest::app {
namespace {

constexpr int64_t kMostValuesTried = 64;  // of a range, where no formula decides
constexpr double kWorthIt = 0.99;         // of the peak, for a change to be listed

ModelView ViewOf(const Analysis& analysis) {
  return {GraphAsRead(analysis), analysis.facts, analysis.classes, analysis.work, *analysis.dims};
}

absl::StatusOr<std::shared_ptr<const Analysis>> Analysed(const Analyzer& analyzer, const RequestDraft& draft) {
  HWEST_ASSIGN_OR_RETURN(const AnalysisRequest request, RequestFor(draft, *analyzer.graph()));
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, analyzer.Analyze(request));
  return std::make_shared<const Analysis>(std::move(analysis));
}

int64_t ActivationsOf(const Analysis& analysis) {
  return PeakOfActivations(analysis.plan->lifetimes, analysis.plan->groups.size());
}

std::string Bytes(int64_t bytes) { return FormatBytes(static_cast<double>(bytes)); }

// Memories

std::optional<int64_t> SizeOf(const hwest::Memory& memory) {
  const std::optional<double> size =
      memory.usable_bytes.known() ? memory.usable_bytes.value() : memory.capacity_bytes.value();
  return size.has_value() ? std::optional<int64_t>(static_cast<int64_t>(*size)) : std::nullopt;
}

// Largest live bytes of what one run hands to the next.
int64_t CacheBytes(const Analysis& analysis, uint32_t memory) {
  const Graph& graph = GraphAsRead(analysis);
  std::vector<uint8_t> is_cache(graph.values().size(), 0);
  for (const Cache& cache : FindCaches(graph, analysis.facts)) {
    for (const ValueId value : {cache.input, cache.output}) is_cache[value.index()] = 1;
  }
  std::vector<Lifetime> rows;
  for (const Lifetime& row : analysis.plan->lifetimes) {
    if (row.memory == memory && is_cache[row.value.index()] != 0) rows.push_back(row);
  }
  return PeakLiveBytes(rows, analysis.plan->groups.size());
}

int64_t WeightsIn(const Analysis& analysis, const hwest::Memory& memory) {
  for (const MemoryNeed& need : analysis.memory_needs) {
    if (need.memory == memory.name) return need.weight_bytes;
  }
  return 0;
}

std::vector<MemoryUse> MemoriesOf(const Analysis& analysis) {
  const Target& target = *analysis.target;
  std::map<uint32_t, ArenaUse> arenas;
  for (const ArenaUse& use : ArenasOf(analysis.plan->lifetimes, analysis.plan->groups.size())) arenas[use.memory] = use;
  std::vector<MemoryUse> uses;
  for (uint32_t m = 0; m < target.memories.size(); ++m) {
    const hwest::Memory& memory = target.memories[m];
    MemoryUse use{.name = memory.name,
                  .holds = memory.read_only    ? "flash"
                           : memory.scratchpad ? "scratchpad"
                                               : "shared",
                  .size_bytes = SizeOf(memory),
                  .weights_bytes = WeightsIn(analysis, memory)};
    if (const auto arena = arenas.find(m); arena != arenas.end()) {
      use.activations_bytes = arena->second.bytes;
      use.least_bytes = arena->second.least_bytes;
      use.cache_bytes = CacheBytes(analysis, m);
    }
    if (use.used_bytes() > 0) uses.push_back(std::move(use));
  }
  return uses;
}

void SetVerdict(MemoryReport* report) {
  const MemoryUse* unknown = nullptr;
  for (const MemoryUse& use : report->memories) {
    if (!use.fits().has_value()) unknown = &use;
    if (use.fits().value_or(true)) continue;
    report->verdict = FitVerdict::kDoesNotFit;
    report->reason = absl::StrCat(Bytes(use.used_bytes()), " in ", use.name, ", which has ", Bytes(*use.size_bytes));
    return;
  }
  const auto& lifetimes = report->analysis->plan->lifetimes;
  const auto sizeless =
      std::count_if(lifetimes.begin(), lifetimes.end(), [](const Lifetime& row) { return !row.bytes.has_value(); });
  const std::vector<MemoryNeed>& needs = report->analysis->memory_needs;
  if (FitsIn(needs) == false) {
    report->verdict = FitVerdict::kDoesNotFit;
    report->reason = MissingMemoryText(needs);
    return;
  }
  const bool is_known = unknown == nullptr && sizeless == 0 && (needs.empty() || FitsIn(needs).has_value());
  report->verdict = is_known ? FitVerdict::kFits : FitVerdict::kUnknown;
  if (sizeless > 0) {
    report->reason = absl::StrCat(sizeless, sizeless == 1 ? " value has" : " values have", " no known size");
  } else if (unknown != nullptr) {
    report->reason = absl::StrCat("the size of ", unknown->name, " is not stated");
  } else if (!is_known) {
    report->reason = UnknownFitText(needs);
  }
}

void SetPeak(MemoryReport* report) {
  const Plan& plan = *report->analysis->plan;
  const std::vector<int64_t> alive = LiveBytesOf(plan.lifetimes, plan.groups.size());
  report->peak_bytes = PeakOfActivations(plan.lifetimes, plan.groups.size());
  report->lower_bound_bytes = PeakLiveBytes(plan.lifetimes, plan.groups.size());
  if (alive.empty()) return;
  report->peak_group = GroupId(static_cast<size_t>(std::max_element(alive.begin(), alive.end()) - alive.begin()));
  for (const Lifetime& row : plan.lifetimes) {
    const bool is_alive = row.first <= report->peak_group && report->peak_group <= row.last;
    if (is_alive && row.bytes.value_or(0) > 0) report->at_peak.push_back(row);
  }
  std::stable_sort(report->at_peak.begin(), report->at_peak.end(),
                   [](const Lifetime& a, const Lifetime& b) { return *a.bytes > *b.bytes; });
}

// What would take less

// Of the groups that may run next, the one that frees most.
class Reordering {
 public:
  explicit Reordering(const Plan& plan) : plan_(plan), bytes_(), readers_(), waits_(plan.groups.size(), 0) {
    for (size_t g = 0; g < plan.groups.size(); ++g) {
      for (const Access& write : plan.groups[g].writes) made_by_[write.value] = g;
    }
    for (size_t g = 0; g < plan.groups.size(); ++g) {
      for (const Access& read : plan.groups[g].reads) {
        bytes_[read.value] = read.bytes.value_or(0);
        ++readers_[read.value];
        const auto maker = made_by_.find(read.value);
        if (maker == made_by_.end() || maker->second == g) continue;
        after_[maker->second].push_back(g);
        ++waits_[g];
      }
    }
  }

  // Groups of a segment stay in it: between units the order is that of the plan.
  std::vector<GroupId> Run() {
    std::vector<GroupId> order;
    for (size_t begin = 0; begin < plan_.groups.size();) {
      size_t end = begin;
      while (end < plan_.groups.size() && plan_.groups[end].segment == plan_.groups[begin].segment) ++end;
      for (size_t step = begin; step < end; ++step) {
        const size_t next = Next(begin, end);
        if (next == end) return {};
        Take(next);
        order.emplace_back(next);
      }
      begin = end;
    }
    return order;
  }

 private:
  static constexpr int kTaken = -1;

  int64_t Growth(size_t g) const {
    int64_t growth = 0;
    for (const Access& write : plan_.groups[g].writes) growth += write.bytes.value_or(0);
    for (const Access& read : plan_.groups[g].reads) {
      if (readers_.at(read.value) == 1) growth -= bytes_.at(read.value);
    }
    return growth;
  }
  size_t Next(size_t begin, size_t end) const {
    size_t best = end;
    for (size_t g = begin; g < end; ++g) {
      if (waits_[g] == 0 && (best == end || Growth(g) < Growth(best))) best = g;
    }
    return best;
  }
  void Take(size_t g) {
    waits_[g] = kTaken;
    for (const Access& read : plan_.groups[g].reads) --readers_[read.value];
    const auto after = after_.find(g);
    if (after == after_.end()) return;
    for (const size_t next : after->second) --waits_[next];
  }

  const Plan& plan_;
  std::map<ValueId, int64_t> bytes_;
  std::map<ValueId, int> readers_;
  std::map<ValueId, size_t> made_by_;
  std::map<size_t, std::vector<size_t>> after_;
  std::vector<int> waits_;  // for groups before; kTaken = it ran
};

constexpr size_t kMostReordered = 4096;  // groups

void AddOrder(const MemoryReport& report, std::vector<MemoryCure>* cures) {
  const Plan& plan = *report.analysis->plan;
  if (plan.groups.size() > kMostReordered) return;
  const ModelView model = ViewOf(*report.analysis);
  std::vector<GroupId> order(plan.groups.size());
  for (size_t g = 0; g < order.size(); ++g) order[g] = GroupId(g);
  const auto peak_in = [&](const std::vector<GroupId>& groups) {
    return PeakOfActivations(PlanMemoryInOrder(model, *report.analysis->target, plan, groups), groups.size());
  };
  // Of sizes that only the data decide, the plan has the largest and this the usual ones.
  if (peak_in(order) != report.peak_bytes) return;
  const std::vector<GroupId> other = Reordering(plan).Run();
  if (other.size() != order.size() || other == order) return;
  const auto moved = std::mismatch(order.begin(), order.end(), other.begin());
  const NodeId node = plan.groups[moved.second->index()].group.root;
  cures->push_back({.what = absl::StrCat("another order of independent branches, from ",
                                         GraphAsRead(*report.analysis).Label(node), " on"),
                    .peak_bytes = peak_in(other),
                    .cost = ""});
}

void AddRun(const Analyzer& analyzer, const RequestDraft& draft, std::string what, std::string cost,
            std::string command, std::vector<MemoryCure>* cures) {
  const absl::StatusOr<std::shared_ptr<const Analysis>> analysis = Analysed(analyzer, draft);
  if (!analysis.ok()) return;  // the model or the target does not take it
  cures->push_back({std::move(what), ActivationsOf(**analysis), std::move(cost), std::move(command)});
}

// The height of the largest image among the inputs; none = there is none.
std::optional<int64_t> ImageSize(const Analysis& analysis) {
  std::optional<int64_t> size;
  for (const ValueId input : analysis.graph->main().inputs) {
    const Shape& shape = analysis.facts.values[input].type.shape;
    if (!shape.ranked() || shape.rank() != 4 || !shape.dim(2).is_constant()) continue;
    size = std::max(size.value_or(0), shape.dim(2).value());
  }
  return size;
}

void AddRuns(const Analyzer& analyzer, const RequestDraft& draft, const Analysis& analysis,
             std::vector<MemoryCure>* cures) {
  if (const std::optional<int64_t> size = ImageSize(analysis); size.has_value() && !draft.image_size.has_value()) {
    RequestDraft smaller = draft;
    smaller.image_size = *size * 3 / 4 / 32 * 32;
    if (*smaller.image_size > 0) {
      AddRun(analyzer, smaller, absl::StrCat("images of ", *smaller.image_size, " in place of ", *size),
             "accuracy on small objects", absl::StrCat("--size ", *smaller.image_size), cures);
    }
  }
  if (analysis.batch > 1) {
    RequestDraft smaller = draft;
    smaller.bind.batch = analysis.batch / 2;
    AddRun(analyzer, smaller, absl::StrCat("batch ", *smaller.bind.batch, " in place of ", analysis.batch), "",
           absl::StrCat("--batch ", *smaller.bind.batch), cures);
  }
  for (const char* precision : {"fp16", "int8"}) {
    RequestDraft narrower = draft;
    narrower.precision = precision;
    if (analysis.precision == precision) continue;
    AddRun(analyzer, narrower, absl::StrCat(precision, " in place of ", analysis.precision),
           std::string(precision) == "int8" ? "calibration" : "rounding", absl::StrCat("--precision ", precision),
           cures);
  }
}

std::vector<MemoryCure> CuresOf(const Analyzer& analyzer, const RequestDraft& draft, const MemoryReport& report) {
  std::vector<MemoryCure> cures;
  AddOrder(report, &cures);
  AddParts(report, &cures);
  AddRuns(analyzer, draft, *report.analysis, &cures);
  const double enough = kWorthIt * static_cast<double>(report.peak_bytes);
  cures.erase(std::remove_if(cures.begin(), cures.end(),
                             [&](const MemoryCure& cure) { return static_cast<double>(cure.peak_bytes) > enough; }),
              cures.end());
  std::stable_sort(cures.begin(), cures.end(),
                   [](const MemoryCure& a, const MemoryCure& b) { return a.peak_bytes < b.peak_bytes; });
  return cures;
}

ArenaFit FitOf(const MemoryReport& report, int64_t bytes) {
  ArenaFit fit{.bytes = bytes, .verdict = FitVerdict::kFits};
  if (report.peak_bytes <= bytes) {
    fit.advice = absl::StrCat(Bytes(bytes - report.peak_bytes), " are left");
    return fit;
  }
  fit.verdict = FitVerdict::kDoesNotFit;
  fit.advice = absl::StrCat(Bytes(report.peak_bytes - bytes), " too much");
  // The least change that is enough.
  const auto cure = std::find_if(report.cures.rbegin(), report.cures.rend(),
                                 [&](const MemoryCure& row) { return row.peak_bytes <= bytes; });
  const bool is_found = cure != report.cures.rend();
  absl::StrAppend(&fit.advice, is_found ? absl::StrCat("; ", cure->what, " takes ", Bytes(cure->peak_bytes))
                                        : "; no single change that was tried is enough");
  return fit;
}

// Ranges

RequestDraft At(RequestDraft draft, const DimRange& range, int64_t value) {
  draft.bind.dims.emplace_back(range.name, value);
  return draft;
}

SymbolId SymbolNamed(const DimPool& dims, absl::string_view name) {
  for (uint32_t i = 0; i < dims.num_symbols(); ++i) {
    const hwest::Symbol& symbol = dims.symbol(SymbolId(i));
    if (symbol.name == name || symbol.text == name) return SymbolId(i);
  }
  return SymbolId();
}

// With sizes that the data decide at their upper bound, as plans take them.
Dim AtLargest(DimPool& dims, Dim elements) {
  Binding largest;
  for (const SymbolId id : dims.SymbolsOf(elements)) {
    if (!dims.symbol(id).max_expr.is_unknown()) largest[id] = dims.symbol(id).max_expr;
  }
  return largest.empty() ? elements : dims.Substitute(elements, largest);
}

// Whether no tensor shrinks when the symbol grows, so that a plan for a larger value serves every smaller one. `why`
// names the tensor of which this is not proven.
bool AllGrow(const Analyzer& analyzer, const RequestDraft& draft, const DimRange& range, std::string* why) {
  RequestDraft free = draft;
  free.target.clear();
  free.loaded = nullptr;
  const absl::StatusOr<std::shared_ptr<const Analysis>> analysis = Analysed(analyzer, free);
  if (!analysis.ok()) return *why = "the model has no such formula", false;
  const Analysis& formulas = **analysis;
  DimPool& dims = *formulas.dims;
  const SymbolId symbol = SymbolNamed(dims, range.name);
  if (!symbol.valid()) return *why = absl::StrCat(range.name, " is no symbol of the model"), false;
  const Binding next = {{symbol, dims.Add(dims.OfSymbol(symbol), 1)}};
  for (uint32_t v = 0; v < formulas.facts.values.size(); ++v) {
    const Shape& shape = formulas.facts.values[ValueId(v)].type.shape;
    const NodeId producer = formulas.graph->value(ValueId(v)).producer;
    if (!shape.ranked() || (producer.valid() && IsFolded(formulas.classes[producer]))) continue;
    const Dim elements = AtLargest(dims, dims.Product(shape.dims()));
    if (dims.LessEqual(elements, dims.Substitute(elements, next)) == Tri::kTrue) continue;
    *why = absl::StrCat("it is not proven that ", formulas.graph->name(ValueId(v)), " grows with ", range.name);
    return false;
  }
  return true;
}

struct Tried {
  FitVerdict verdict;
  int64_t used;     // of the memory that decides
  bool is_certain;  // no other addresses would fit, either
  std::string reason;
  std::shared_ptr<const Analysis> analysis;
};

absl::StatusOr<Tried> TryAt(const Analyzer& analyzer, const RequestDraft& draft, const DimRange& range, int64_t value) {
  MemoryReport report;
  HWEST_ASSIGN_OR_RETURN(report.analysis, Analysed(analyzer, At(draft, range, value)));
  report.memories = MemoriesOf(*report.analysis);
  SetVerdict(&report);
  Tried tried{report.verdict, 0, false, report.reason, report.analysis};
  for (const MemoryUse& use : report.memories) {
    if (use.fits().value_or(true)) continue;
    tried.used = use.used_bytes();
    tried.is_certain = use.weights_bytes + use.least_bytes > *use.size_bytes;
    return tried;
  }
  for (const MemoryUse& use : report.memories) tried.used = std::max(tried.used, use.used_bytes());
  return tried;
}

// Finds the first value that does not fit.
class RangeSearch {
 public:
  RangeSearch(const Analyzer& analyzer, const RequestDraft& draft, const DimRange& range)
      : analyzer_(analyzer), draft_(draft), range_(range) {
    fit_ = {.dim = range.name, .first = range.first, .last = range.last};
  }

  absl::StatusOr<RangeFit> Run() {
    std::string why;
    if (range_.last - range_.first < kMostValuesTried) {
      HWEST_RETURN_IF_ERROR(TryEach());
    } else if (AllGrow(analyzer_, draft_, range_, &why)) {
      HWEST_RETURN_IF_ERROR(Bisect());
    } else {
      fit_.reason = absl::StrCat(why, "; a range of at most ", kMostValuesTried, " values is tried one by one");
    }
    std::sort(fit_.tried.begin(), fit_.tried.end());
    return fit_;
  }

 private:
  absl::StatusOr<Tried> Try(int64_t value) {
    HWEST_ASSIGN_OR_RETURN(Tried tried, TryAt(analyzer_, draft_, range_, value));
    fit_.tried.emplace_back(value, tried.used);
    return tried;
  }
  absl::Status TryEach();
  absl::Status Bisect();
  void Fails(int64_t value, const Tried& tried) {
    fit_.verdict = FitVerdict::kDoesNotFit;
    fit_.from = value;
    fit_.reason = tried.reason;
  }

  const Analyzer& analyzer_;
  const RequestDraft& draft_;
  const DimRange& range_;
  RangeFit fit_;
};

absl::Status RangeSearch::TryEach() {
  bool all_fail_after = true;
  fit_.verdict = FitVerdict::kFits;
  for (int64_t value = range_.first; value <= range_.last; ++value) {
    HWEST_ASSIGN_OR_RETURN(const Tried tried, Try(value));
    if (tried.verdict == FitVerdict::kUnknown && fit_.verdict == FitVerdict::kFits) {
      fit_.verdict = FitVerdict::kUnknown;
      fit_.reason = tried.reason;
    }
    if (tried.verdict == FitVerdict::kDoesNotFit && !fit_.from.has_value()) Fails(value, tried);
    if (tried.verdict == FitVerdict::kFits && fit_.from.has_value()) all_fail_after = false;
  }
  if (fit_.from.has_value() && !all_fail_after) absl::StrAppend(&fit_.reason, "; some larger values fit");
  if (fit_.verdict == FitVerdict::kFits) fit_.reason = "each value was planned";
  return absl::OkStatus();
}

absl::Status RangeSearch::Bisect() {
  HWEST_ASSIGN_OR_RETURN(Tried failed, Try(range_.last));
  fit_.verdict = failed.verdict;
  fit_.reason = failed.reason;
  if (failed.verdict == FitVerdict::kFits) {
    fit_.reason = absl::StrCat("no tensor grows when ", range_.name, " shrinks: the plan for ", range_.last,
                               " serves every smaller value");
  }
  if (failed.verdict != FitVerdict::kDoesNotFit) return absl::OkStatus();
  int64_t fits = range_.first - 1, fails = range_.last;
  while (fails - fits > 1) {
    const int64_t middle = fits + (fails - fits) / 2;
    HWEST_ASSIGN_OR_RETURN(Tried tried, Try(middle));
    if (tried.verdict == FitVerdict::kDoesNotFit) {
      fails = middle;
      failed = std::move(tried);
    } else {
      fits = middle;
    }
  }
  Fails(fails, failed);
  absl::StrAppend(&fit_.reason, failed.is_certain ? "; no tensor shrinks above" : "; other addresses might fit");
  return absl::OkStatus();
}

}  // namespace

std::optional<DimRange> ParseDimRange(absl::string_view text) {
  const std::vector<absl::string_view> sides = absl::StrSplit(text, '=');
  if (sides.size() != 2 || sides[0].empty()) return std::nullopt;
  const std::vector<absl::string_view> ends = absl::StrSplit(sides[1], ':');
  DimRange range{.name = std::string(sides[0])};
  if (ends.size() != 2 || !absl::SimpleAtoi(ends[0], &range.first) || !absl::SimpleAtoi(ends[1], &range.last)) {
    return std::nullopt;
  }
  return range.first >= 1 && range.first <= range.last ? std::optional<DimRange>(range) : std::nullopt;
}

absl::StatusOr<MemoryReport> Memory(const Analyzer& analyzer, const MemoryRequest& request) {
  if (request.draft.target.empty() && request.draft.loaded == nullptr) {
    return MakeError(Code::kUsage, "no target was named", "add --target NAME (`onnx-hwest targets` lists them)",
                     {{"--target", {"NAME"}}, "`onnx-hwest targets`"});
  }
  MemoryReport report;
  RequestDraft draft = request.draft;
  if (request.range.has_value()) {
    HWEST_ASSIGN_OR_RETURN(report.range, RangeSearch(analyzer, draft, *request.range).Run());
    draft = At(std::move(draft), *request.range, request.range->last);
  }
  HWEST_ASSIGN_OR_RETURN(report.analysis, Analysed(analyzer, draft));
  report.memories = MemoriesOf(*report.analysis);
  SetPeak(&report);
  SetVerdict(&report);
  report.cures = CuresOf(analyzer, draft, report);
  for (const int64_t bytes : request.arenas) report.arenas.push_back(FitOf(report, bytes));
  if (report.range.has_value()) {
    report.verdict = report.range->verdict;
    report.reason = report.range->reason;
  }
  return report;
}

absl::Status CheckFits(const MemoryReport& report) {
  if (report.verdict == FitVerdict::kFits) return absl::OkStatus();
  if (report.verdict == FitVerdict::kUnknown) {
    return MakeError(Code::kIncomplete, absl::StrCat("it is not known whether it fits: ", report.reason),
                     "leave --strict out to accept that");
  }
  return MakeError(Code::kIncomplete, absl::StrCat("it does not fit: ", report.reason),
                   "the report says what would take less; leave --strict out to accept that");
}

}  // namespace hwest::app
