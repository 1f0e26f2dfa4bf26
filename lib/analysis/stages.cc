#include "analysis/stages.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "analysis/alternatives.h"
#include "analysis/coverage.h"
#include "analysis/fit_advice.h"
#include "analysis/model_cache.h"
#include "analysis/precisions.h"
#include "analysis/reading_notes.h"
#include "analysis/tokens.h"
#include "analysis/unsettled.h"
#include "analysis/unused_rules.h"
#include "analysis/variants.h"
#include "base/status_macros.h"
#include "fuse/fuse.h"
#include "fuse/fusion_rules.h"
#include "fuse/read.h"
#include "fuse/readings.h"
#include "hwest/generation.h"
#include "hwest/reading.h"
#include "op/rule.h"
#include "partition/names.h"
#include "partition/support.h"
#include "pass/classify.h"
#include "pass/convention.h"
#include "pass/infer.h"
#include "pass/infer_bound.h"
#include "pass/limit.h"
#include "pass/modules.h"
#include "pass/runs.h"
#include "pass/settle.h"
#include "pass/weights.h"
#include "plan/least.h"
#include "plan/memory_needs.h"
#include "plan/mode_cap.h"
#include "plan/plan.h"
#include "plan/weight_copies.h"
#include "profile/match.h"

namespace hwest {
namespace {

Dim Evaluated(Dim dim, DimPool& dims) {
  const auto number = Evaluate(dim, dims);
  return number.has_value() ? Dim(*number) : dim;
}

// What to bind where an output continues an input: the sizes of one step behind a context.
std::vector<std::pair<std::string, int64_t>> StepSizes(const Analysis& a) {
  constexpr int64_t kContext = 512;
  const absl::StatusOr<KeyValueCache> cache = FindCache(a.graph, a.request);
  if (!cache.ok()) return {};
  return StepOf(*cache, a.request, cache->fixed_step, kContext).bind.dims;
}

absl::Status RunBind(Workspace& w) {
  HWEST_ASSIGN_OR_RETURN(w.bound, Bind(*w.analysis.graph, w.analysis.request.bind, *w.analysis.dims));
  if (!HasTarget(w.analysis.request)) return absl::OkStatus();
  for (const Type& input : w.bound.inputs) {
    const bool unranked = input.is_tensor() && !input.shape.ranked();
    if (unranked || !FreeSymbols(w.bound, *w.analysis.dims).empty()) {
      return FreeDimsError(*w.analysis.graph, w.bound, *w.analysis.dims, StepSizes(w.analysis));
    }
  }
  return absl::OkStatus();
}

bool IsExpected(const AnalysisRequest& request, const Symbol& symbol) {
  for (const auto& [name, value] : request.bind.expect) {
    if (name == symbol.text || FitsPattern(symbol.name, name)) return true;
  }
  return false;
}

// Loops that nothing bounds count with an assumed number of runs.
void NoteOpenLoops(Analysis& a) {
  for (size_t g = 1; g < a.graph->bodies().size(); ++g) {
    const auto trips = a.facts.trips.find(GraphId(g));
    const SymbolId id = trips == a.facts.trips.end() ? SymbolId() : a.dims->AsSymbol(trips->second);
    if (!id.valid() || !a.dims->symbol(id).data_dependent) continue;
    const Symbol& symbol = a.dims->symbol(id);
    if (symbol.max.has_value() || !symbol.max_expr.is_unknown() || IsExpected(a.request, symbol)) continue;
    const NamedOption expect("--expect", {absl::StrCat(symbol.name, "=N")});
    a.diagnostics.push_back(
        {.code = Code::kAssumed,
         .message = absl::StrCat("nothing bounds how often the body runs; counted as ", symbol.assumed.value_or(1)),
         .remedy = absl::StrCat("state it with ", expect.text()),
         .node = symbol.cause,
         .options = {expect}});
  }
}

absl::Status RunRules(Workspace& w) {
  HWEST_ASSIGN_OR_RETURN(w.rules, OpRules::Parse(w.analysis.request.op_rules, "op-rules"));
  NoteUnusedOpRules(w.rules, &w.analysis);
  return absl::OkStatus();
}

// A file that takes one image without a batch is no error; more images are, and one that became the size of another
// dim.
absl::Status TakeBatch(Workspace& w) {
  Analysis& a = w.analysis;
  const std::optional<int64_t>& asked = a.request.bind.batch;
  if (!HasTarget(a.request) && !asked.has_value()) return absl::OkStatus();
  const BatchDecision found = DecideBatch(*a.graph, a.request.bind, w.bound, a.facts, *a.dims, a.diagnostics, &w.rules);
  a.batch = std::max<int64_t>(1, found.images);
  if (found.missing.empty()) return absl::OkStatus();
  const std::string remedy = BatchRemedy(*a.graph, w.bound.inputs, *a.dims);
  const std::string message = absl::StrCat("the file has no batch: ", found.missing);
  if (asked.has_value() && (*asked > 1 || (w.bound.batch.found() && !w.bound.batch.fixed))) {
    return MakeError(Code::kBindConflict, message, absl::StrCat(remedy, ", or leave out --batch"), {"--batch"});
  }
  a.diagnostics.push_back({.code = Code::kAssumed,
                           .message = absl::StrCat(message, "; batch 1 is one run"),
                           .remedy = absl::StrCat("for more per run, ", remedy)});
  return absl::OkStatus();
}

absl::Status RunInfer(Workspace& w) {
  Analysis& a = w.analysis;
  HWEST_ASSIGN_OR_RETURN(a.facts, InferBound(*a.graph, a.request.bind, w.bound, *a.dims, a.diagnostics, &w.rules));
  HWEST_RETURN_IF_ERROR(SettleSymbols(a.request.bind.expect, *a.dims));
  NoteOpenLoops(a);
  return TakeBatch(w);
}

// Constants that only such nodes read go with them.
void NoteDeadNodes(Analysis& a) {
  NodeId first;
  int64_t count = 0;
  for (size_t n = 0; n < a.classes.size(); ++n) {
    const NodeId node(n);
    if (a.classes[node] != NodeClass::kDead || a.graph->inputs(node).empty()) continue;
    if (count++ == 0) first = node;
  }
  if (count == 0) return;
  a.diagnostics.push_back({.code = Code::kDeadNodes,
                           .message = count == 1 ? "no output of the model needs this node: it is counted nowhere"
                                                 : absl::StrCat("no output of the model needs ", count,
                                                                " nodes, this one the first: they are counted nowhere"),
                           .remedy = "",
                           .node = a.graph->Label(first)});
}

absl::Status RunClassify(Workspace& w) {
  w.analysis.classes = Classify(*w.analysis.graph, w.analysis.facts, *w.analysis.dims, &w.rules);
  NoteDeadNodes(w.analysis);
  NoteUnsettled(&w.analysis);
  return absl::OkStatus();
}

absl::Status RunWork(Workspace& w) {
  Analysis& a = w.analysis;
  const int64_t overflows = a.dims->overflows();
  WorkTables tables = CountWork(*a.graph, a.facts, a.classes, *a.dims, &w.rules);
  w.runs = CountRuns(*a.graph, a.facts, tables.work, *a.dims);
  a.totals = SumTotals(*a.graph, tables, a.classes, w.runs, *a.dims);
  a.counts = CountNodes(*a.graph, tables, w.runs, *a.dims);
  a.params = CountParams(*a.graph, a.facts);
  if (a.dims->overflows() > overflows) {
    a.diagnostics.push_back(
        {.code = Code::kOverflow,
         .message = absl::StrCat(a.dims->overflows() - overflows, " counts do not fit 64 bits and are unknown"),
         .remedy = "check the sizes bound to the inputs"});
  }
  // With a target every total is a number: data-dependent sizes at their assumed value.
  if (HasTarget(a.request)) {
    for (Dim* total : {&a.totals.macs, &a.totals.int_macs, &a.totals.flops, &a.totals.causal_macs})
      *total = Evaluated(*total, *a.dims);
  }
  a.work = std::move(tables.work);
  a.traffic = std::move(tables.traffic);
  return absl::OkStatus();
}

absl::Status RunConvention(Workspace& w) {
  Analysis& a = w.analysis;
  if (!a.request.flops_as.has_value()) return absl::OkStatus();
  a.flops_as = CountAs(*a.request.flops_as, *a.graph, a.facts, a.classes, a.work, w.runs, *a.dims);
  if (!HasTarget(a.request)) return absl::OkStatus();
  a.flops_as->total = Evaluated(a.flops_as->total, *a.dims);
  for (ConventionRow& row : a.flops_as->rows) {
    for (Dim* count : {&row.native_macs, &row.native_flops, &row.theirs}) *count = Evaluated(*count, *a.dims);
  }
  return absl::OkStatus();
}

absl::Status RunModules(Workspace& w) {
  Analysis& a = w.analysis;
  a.modules = RollUpModules(*a.graph, a.classes, a.work, w.runs, *a.dims);
  if (!HasTarget(a.request)) return absl::OkStatus();
  for (ModuleRow& row : a.modules) {
    row.macs = Evaluated(row.macs, *a.dims);
    row.flops = Evaluated(row.flops, *a.dims);
  }
  return absl::OkStatus();
}

// Counts of the model are those of what is written; what units do follows from what compilers read.
absl::Status RunRead(Workspace& w) {
  Analysis& a = w.analysis;
  if (!HasTarget(a.request)) return absl::OkStatus();
  a.reading = MakeReading(*a.graph, *a.dims, {a.facts, a.classes, a.work});
  w.index = std::make_shared<const ModelIndex>(MakeIndex(ViewOf(w)));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const Target>> TargetOf(const AnalysisRequest& request) {
  if (request.loaded == nullptr && request.toolchains.empty()) return SharedTarget(request.target, request.mode);
  Target target;
  if (request.loaded != nullptr) target = *request.loaded;
  if (request.loaded == nullptr) {
    HWEST_ASSIGN_OR_RETURN(target, LoadTarget(request.target));
  }
  for (const auto& [unit, toolchain] : request.toolchains) {
    HWEST_ASSIGN_OR_RETURN(target, UseToolchain(target, unit, toolchain));
  }
  HWEST_ASSIGN_OR_RETURN(target, ApplyMode(target, request.mode));
  return std::make_shared<const Target>(std::move(target));
}

absl::Status RunTarget(Workspace& w) {
  HWEST_ASSIGN_OR_RETURN(w.analysis.target, TargetOf(w.analysis.request));
  w.analysis.mode = w.analysis.target->mode;
  return absl::OkStatus();
}

// Layers of the request with a precision of their own.
absl::Status NameLayersOf(Workspace& w) {
  Analysis& a = w.analysis;
  if (a.request.precision_of.empty()) return absl::OkStatus();
  HWEST_ASSIGN_OR_RETURN(const std::vector<LayerFormat> formats,
                         ParseLayerFormats(a.request.precision_of, "precision-of"));
  const ModelView model = ViewOf(w);
  NamedLayers layers;
  for (const LayerFormat& row : formats) {
    HWEST_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, FindNodes(model, row.node));
    for (const NodeId node : nodes) layers.emplace_back(node, row.format);
  }
  for (const std::string& note : NameLayers(model, *a.target, layers, &w.precisions)) {
    a.diagnostics.push_back({.code = Code::kAssumed,
                             .message = note,
                             .remedy = "name another format there",
                             .options = {"--precision-of"}});
  }
  return absl::OkStatus();
}

absl::Status RunPrecision(Workspace& w) {
  Analysis& a = w.analysis;
  HWEST_ASSIGN_OR_RETURN(PrecisionChoice choice,
                         ChoosePrecisions(*a.target, a.request.precision, FilePrecisionOf(ViewOf(w)), a.request.only));
  a.precision = choice.name;
  w.precisions = std::move(choice.units);
  HWEST_RETURN_IF_ERROR(NameLayersOf(w));
  if (a.request.sparsity == Sparsity::kTwoOfFour) AssumeSparse(*a.target, &w.precisions);
  for (const std::string& note : choice.notes) {
    a.diagnostics.push_back({.code = Code::kAssumed,
                             .message = note,
                             .remedy = "choose another with --precision",
                             .options = {"--precision"}});
  }
  return absl::OkStatus();
}

absl::Status RunFuse(Workspace& w) {
  if (!w.analysis.request.fusion_rules.empty()) {
    HWEST_ASSIGN_OR_RETURN(w.analysis.fusion_rules,
                           FusionRules::Parse(w.analysis.request.fusion_rules, "fusion-rules"));
  }
  const Fusing fusing = w.analysis.request.fusions == "none" ? Fusing::kNo : Fusing::kYes;
  HWEST_ASSIGN_OR_RETURN(w.analysis.overlays, MakeOverlays(w, fusing));
  NoteUnusedFusions(w.analysis.overlays, &w.analysis);
  return absl::OkStatus();
}

ToolchainStats StatsOfToolchain(const Toolchain& toolchain) {
  const SupportStats counts = StatsOf(toolchain);
  ToolchainStats stats{.toolchain = toolchain.name, .typed = counts.typed, .noted = counts.noted};
  if (toolchain.runs_everything) return stats;
  const auto is_new = [&](size_t i) { return i == 0 || counts.ops[i] != counts.ops[i - 1]; };
  stats.not_stated = NumStandardOps();
  for (size_t i = 0; i < counts.ops.size(); ++i) stats.not_stated -= is_new(i) && HasRule("", counts.ops[i]) ? 1 : 0;
  return stats;
}

absl::Status RunSupport(Workspace& w) {
  w.analysis.toolchain_stats.clear();
  for (const Toolchain& toolchain : w.analysis.target->toolchains) {
    w.analysis.toolchain_stats.push_back(StatsOfToolchain(toolchain));
  }
  Analysis& a = w.analysis;
  NoteAssumedReadings(a);
  HWEST_ASSIGN_OR_RETURN(a.support, CheckSupportOf(w, a.overlays));
  return absl::OkStatus();
}

// What the figures came to before the mode's cap, where that lowered them.
void NoteModeCap(Analysis& a) {
  const double kept = a.plan->kept_energy;
  if (kept > 1 - 1e-3 || a.plan->interval_s <= 0) return;
  const double watts = a.plan->energy_j / a.plan->interval_s;
  a.diagnostics.push_back(
      {.code = Code::kAssumed,
       .message = absl::StrFormat("power adds up to %.3g W, of which mode %s allows %.3g W: energies "
                                  "are scaled down to that",
                                  watts / kept, a.target->mode, watts),
       .remedy = ""});
}

absl::Status RunPlan(Workspace& w) {
  Analysis& a = w.analysis;
  const Overlays overlays = a.overlays;
  const SupportTable support = a.support;
  HWEST_RETURN_IF_ERROR(MakePlan(w));
  NoteModeCap(a);
  HWEST_RETURN_IF_ERROR(NoteDefaults(w, overlays, support));
  a.plan->tokens_per_s = TokensPerSecond(a, *a.plan);
  const ModelView model = ViewOf(w);
  const WeightCopies weights = WeightCopiesOf(model, *a.target, *a.plan);
  if (const auto repeated = weights.Repeated(*a.target)) {
    a.diagnostics.push_back({.code = Code::kAssumed, .message = *repeated, .remedy = ""});
  }
  a.memory_needs = MemoryNeedsOf(model, *a.target, *a.plan, weights);
  if (std::optional<Diagnostic> missing = DoesNotFit(w)) a.diagnostics.insert(a.diagnostics.begin(), *missing);
  FillPrecisions(w);
  FillSparsity(w);
  AddModuleTimes(*a.graph, a.counts, *a.plan, a.modules);
  return absl::OkStatus();
}

absl::Status RunMeasured(Workspace& w) {
  Analysis& a = w.analysis;
  if (a.request.measured_profile == nullptr) return absl::OkStatus();
  auto times =
      std::make_shared<const MeasuredTimes>(MatchProfile(*a.request.measured_profile, *a.graph, *a.plan, a.counts));
  if (std::optional<Diagnostic> note = UnmatchedNote(*times)) a.diagnostics.push_back(*std::move(note));
  a.measured = std::move(times);
  return absl::OkStatus();
}

absl::Status RunCoverage(Workspace& w) {
  w.analysis.coverage = CoverageOf(w.analysis);
  return absl::OkStatus();
}

constexpr AnalysisStage kStages[] = {
    {"target", "the accelerator in its power mode", Needs::kTarget, SetOf(), SetOf(Table::kTarget), RunTarget},
    {"bind", "what the caller fixed about the inputs", Needs::kModel, SetOf(), SetOf(Table::kBound), RunBind},
    {"rules", "shape and cost of custom operators, as the caller wrote them", Needs::kModel, SetOf(),
     SetOf(Table::kRules), RunRules},
    {"infer", "type, shape and known contents of every value", Needs::kModel, SetOf(Table::kBound, Table::kRules),
     SetOf(Table::kFacts), RunInfer},
    {"classify", "compute, layout, view, shape, constant, control, opaque or dead", Needs::kModel,
     SetOf(Table::kRules, Table::kFacts), SetOf(Table::kClasses), RunClassify},
    {"work", "hardware-free counts of every node", Needs::kModel, SetOf(Table::kRules, Table::kFacts, Table::kClasses),
     SetOf(Table::kWork), RunWork},
    {"convention", "counts as another tool makes them", Needs::kModel,
     SetOf(Table::kFacts, Table::kClasses, Table::kWork), SetOf(Table::kConvention), RunConvention},
    {"modules", "counts by module of the source program", Needs::kModel, SetOf(Table::kClasses, Table::kWork),
     SetOf(Table::kModules), RunModules},
    {"read", "what compilers read the nodes as", Needs::kModel, SetOf(Table::kFacts, Table::kClasses, Table::kWork),
     SetOf(Table::kReading), RunRead},
    {"precision", "what each unit computes in", Needs::kTarget,
     SetOf(Table::kTarget, Table::kFacts, Table::kClasses, Table::kWork, Table::kReading), SetOf(Table::kPrecisions),
     RunPrecision},
    {"fuse", "one overlay of groups per unit", Needs::kTarget,
     SetOf(Table::kTarget, Table::kFacts, Table::kClasses, Table::kReading, Table::kPrecisions),
     SetOf(Table::kOverlays), RunFuse},
    {"support", "which unit runs which node, or why not", Needs::kTarget,
     SetOf(Table::kTarget, Table::kFacts, Table::kClasses, Table::kWork, Table::kReading, Table::kPrecisions,
           Table::kOverlays),
     SetOf(Table::kSupport), RunSupport},
    // Plans of a part of the batch, and without fusions, bring the tables that decided them.
    {"plan", "placement, timeline, memory and energy", Needs::kTarget,
     SetOf(Table::kTarget, Table::kFacts, Table::kClasses, Table::kWork, Table::kModules, Table::kReading,
           Table::kPrecisions, Table::kOverlays, Table::kSupport),
     SetOf(Table::kPlan, Table::kSupport, Table::kOverlays, Table::kModules), RunPlan},
    {"measured", "times of another runtime, beside the groups that they are of", Needs::kTarget,
     SetOf(Table::kWork, Table::kPlan), SetOf(Table::kMeasured), RunMeasured},
    {"coverage", "how much was understood", Needs::kModel,
     SetOf(Table::kFacts, Table::kClasses, Table::kWork, Table::kPlan), SetOf(Table::kCoverage), RunCoverage},
};

// What analyses with other targets found; null when there is none, or when patterns of the caller's have a part in it.
TargetTables* KnownOf(const Workspace& w) {
  if (w.of_variants != nullptr) return w.of_variants;
  const bool is_own = w.analysis.request.loaded != nullptr || w.analysis.fusion_rules != nullptr;
  return w.tables == nullptr || is_own ? nullptr : &w.tables->of_targets;
}

}  // namespace

absl::Span<const AnalysisStage> Stages() { return kStages; }

namespace {

ModelView ViewOf(const Workspace& w, DimPool& dims) {
  const Analysis& a = w.analysis;
  return {GraphAsRead(a), a.facts, a.classes, a.work, dims, w.index.get(), true, a.reading.get(), a.graph.get()};
}

}  // namespace

ModelView ViewOf(const Workspace& w) { return ViewOf(w, *w.analysis.dims); }

absl::Status MakePlan(Workspace& w) {
  Analysis& a = w.analysis;
  HWEST_ASSIGN_OR_RETURN(a.plan, PlanOf(w, a.overlays, a.support));
  TakeUnfused(w);
  HWEST_RETURN_IF_ERROR(TakeImages(w));
  HWEST_RETURN_IF_ERROR(TakeEngines(w));
  KeepModeCap(*a.target, &*a.plan);
  return absl::OkStatus();
}

absl::StatusOr<SupportTable> CheckSupportOf(const Workspace& w, const Overlays& overlays) {
  const Analysis& a = w.analysis;
  SupportCache* const known = KnownOf(w) != nullptr ? &KnownOf(w)->support : nullptr;
  return CheckSupport(ViewOf(w), *a.target, overlays, a.request, w.precisions, known);
}

namespace {

PlanInput InputOf(const Workspace& w, DimPool& dims, const IdMap<GraphId, int64_t>& runs, const Overlays& overlays,
                  const SupportTable& support, GroupCache* groups) {
  const Analysis& a = w.analysis;
  TargetTables* const known = KnownOf(w);
  return {.model = ViewOf(w, dims),
          .runs = runs,
          .target = *a.target,
          .overlays = overlays,
          .precisions = w.precisions,
          .support = support,
          .request = a.request,
          .batch = a.batch,
          .finds_best = a.request.finds_best && groups == nullptr,
          .known_groups = known != nullptr ? &known->groups : groups,
          .known_frames = known != nullptr ? &known->frames : nullptr};
}

}  // namespace

double LeastSecondsOf(const Workspace& w, const Overlays& unfused, const SupportTable& support, double enough,
                      GroupCache* groups) {
  const IdMap<GraphId, int64_t> runs = EvaluateRuns(w.runs, *w.analysis.dims);
  DimPool dims(w.analysis.dims.get());
  return LeastUnfusedSeconds(InputOf(w, dims, runs, unfused, support, groups), enough);
}

absl::StatusOr<Plan> PlanOf(const Workspace& w, const Overlays& overlays, const SupportTable& support,
                            GroupCache* groups) {
  const Analysis& a = w.analysis;
  const IdMap<GraphId, int64_t> runs = EvaluateRuns(w.runs, *a.dims);
  if (!HasDataDependent(*a.dims)) return PlaceAndPlan(InputOf(w, *a.dims, runs, overlays, support, groups));
  // A child each: a child does not know what its parent learns after it was made.
  DimPool own(a.dims.get()), dims(a.dims.get());
  const PlanInput input = InputOf(w, own, runs, overlays, support, groups);
  const bool is_bounded = SettleLargest(dims);
  const IdMap<GraphId, int64_t> largest_runs = EvaluateRuns(w.runs, dims);
  ModelView model = ViewOf(w, dims);
  model.has_elements = false;
  const PlanInput largest{model, largest_runs, *a.target, overlays, w.precisions, support, a.request, a.batch};
  HWEST_ASSIGN_OR_RETURN(Plan plan, PlaceAndPlan(input, &largest));
  if (!is_bounded) plan.size_range->high_s.reset();
  return plan;
}

FuseOptions FuseOptionsOf(const Workspace& w, const Toolchain* toolchain, Num precision,
                          const LayerPrecisions* layers) {
  const bool is_of_layers = layers != nullptr && toolchain != nullptr && AsksPrecision(toolchain->fuses);
  return {.toolchain = toolchain,
          .rules = w.analysis.fusion_rules,
          .dims = w.analysis.dims.get(),
          .precision = precision,
          .precisions = is_of_layers ? &layers->seen : nullptr};
}

namespace {

// The overlay of one unit. Those of toolchains of this build, which go by a name and not a path, are kept.
absl::StatusOr<std::shared_ptr<const Overlay>> OverlayOf(const Workspace& w, const Toolchain* toolchain, Num precision,
                                                         const LayerPrecisions* layers) {
  const Analysis& a = w.analysis;
  const OverlayKey key{toolchain != nullptr ? toolchain->name : "", toolchain != nullptr ? precision : Num::kUnset};
  TargetTables* const known = KnownOf(w);
  const FuseOptions options = FuseOptionsOf(w, toolchain, precision, layers);
  const bool is_kept =
      known != nullptr && options.precisions == nullptr && key.toolchain.find_first_of("/.") == std::string::npos;
  if (is_kept) {
    auto overlay = known->overlays.Find([&](const OverlayKey& other) { return other == key; });
    if (overlay != nullptr) return overlay;
  }
  HWEST_ASSIGN_OR_RETURN(Overlay made, Fuse(GraphAsRead(a), a.facts, a.classes, options));
  auto overlay = std::make_shared<const Overlay>(std::move(made));
  if (is_kept) known->overlays.Keep(key, overlay, overlay->groups.size());
  return overlay;
}

}  // namespace

// Units that fuse alike and compute in the same precision share an overlay.
absl::StatusOr<Overlays> MakeOverlays(const Workspace& w, Fusing fusing) {
  const Analysis& a = w.analysis;
  Overlays overlays;
  std::vector<std::tuple<std::string, Num, const LayerPrecisions*>> made;
  for (size_t u = 0; u < a.target->units.size(); ++u) {
    const UnitId id(u);
    const Unit& unit = a.target->units[id];
    const Num precision = w.precisions[id].has_value() ? w.precisions[id]->main.act : Num::kUnset;
    const LayerPrecisions* layers = w.precisions[id].has_value() ? w.precisions[id]->layers.get() : nullptr;
    made.emplace_back(fusing == Fusing::kYes ? unit.toolchain : "", precision, layers);
    const auto same = static_cast<size_t>(std::find(made.begin(), made.end(), made.back()) - made.begin());
    if (same < u) {
      overlays.push_back(overlays[UnitId(same)]);
      continue;
    }
    const Toolchain* toolchain = fusing == Fusing::kYes ? ToolchainOf(*a.target, unit) : nullptr;
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Overlay> overlay, OverlayOf(w, toolchain, precision, layers));
    overlays.push_back(std::move(overlay));
  }
  return overlays;
}

}  // namespace hwest
