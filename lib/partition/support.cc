#include "partition/support.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "fuse/readings.h"
#include "hwest/diagnostic.h"
#include "hwest/reading.h"
#include "op/rule.h"
#include "partition/names.h"
#include "pass/limit.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr absl::string_view kAssumed = "assumed by request", kDenied = "denied by request";

// Says who refuses operators without a row, and open shapes; null = nobody is named.
const SupportRow* SupportOfRest(const Toolchain& toolchain) { return SupportOf(toolchain, "", "other"); }

Support Violation(const Limit& limit, const LimitCheck& check, Verdict verdict) {
  return {.verdict = verdict,
          .limit = limit.text,
          .found = check.found,
          .allowed = check.allowed,
          .what = LimitWords(limit)};
}

bool Contains(const std::vector<std::string>& names, absl::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Checker decides for one unit and looks up rows once per operator.
class Checker {
 public:
  Checker(const ModelView& model, const Unit& unit, const Toolchain* toolchain, Num precision,
          const IdMap<NodeId, Num>* precisions, SizeQuestions* asked)
      : model_(model),
        context_{model.graph, model.facts, model.classes, &model.dims, precision, precisions, asked},
        unit_(unit),
        toolchain_(toolchain) {
    if (toolchain_ != nullptr) of_all_ = SupportOfAll(*toolchain_);
  }

  Support Check(NodeId node) {
    if (IsFolded(model_.classes[node])) return {.verdict = Verdict::kYes};
    const ReadAs* read = ReadAsOf(node);
    if (read == nullptr) return CheckOne(node);
    const bool keeps = toolchain_ != nullptr && KeepOf(*toolchain_, read->row->match.name) != nullptr;
    Support support = keeps ? Support() : CheckOne(node);
    if (support.verdict != Verdict::kNo) return support;
    Support written = CheckWritten(node, *read);
    return keeps || written.verdict != Verdict::kNo ? written : support;
  }

  // What the host copies around `node`.
  Copies CopiesOf(NodeId node) const {
    Copies copies;
    const Graph& graph = model_.written != nullptr ? *model_.written : model_.graph;
    if (toolchain_ == nullptr || IsFolded(model_.classes[node]) || !graph.domain(node).empty()) return copies;
    const LimitContext context{
        graph, model_.facts, model_.classes, &model_.dims, context_.precision, context_.precisions, context_.asked};
    for (const HostCopy& row : toolchain_->host_copies) {
      const bool is_meant = Contains(row.ops, graph.op(node)) || Contains(row.ops, "*");
      if (!is_meant || !AllHold(context, node, row.limits)) continue;
      const bool is_excepted = std::any_of(row.unless.begin(), row.unless.end(), [&](const std::vector<Limit>& limits) {
        return AllHold(context, node, limits);
      });
      if (is_excepted) continue;
      if (row.before) copies.before = !row.no;
      if (row.after) copies.after = !row.no;
      if (row.given) copies.given = !row.no;
    }
    return copies;
  }

  // Nodes without a row run inside the groups that the toolchain states.
  void CoverGroups(const Overlay& overlay, SharedMap<NodeId, Support>& table) {
    if (toolchain_ == nullptr) return;
    for (const Group& group : overlay.groups) {
      for (const NodeId node : group.nodes) CoverNode(group, node, table);
    }
  }

 private:
  Support CheckOne(NodeId node) {
    Support support = CheckAs(node, RowOf(node));
    if (support.verdict != Verdict::kNo || toolchain_ == nullptr) return support;
    if (context_.asked != nullptr) context_.asked->GiveUp();
    const ReadingRow* taken = FindTaken({model_.graph, model_.facts, model_.classes}, node);
    if (taken == nullptr || KeepOf(*toolchain_, taken->match.name) != nullptr) return support;
    const absl::string_view op = taken->means.substr(0, taken->means.find('('));
    const SupportRow* row = SupportOf(*toolchain_, "", op);
    const bool is_listed = row != nullptr && row->supported;
    const Pick* pick = is_listed || taken->fusion.empty() ? nullptr : PickOf(*toolchain_, taken->fusion);
    if (row == nullptr && pick == nullptr) return support;
    Support other = pick != nullptr ? Support{.verdict = Verdict::kYes, .source = pick->source} : CheckAs(node, row);
    if (other.verdict == Verdict::kNo) return support;
    const std::string noted = other.limit.empty() ? "" : absl::StrCat("; ", other.limit);
    return {.verdict = Verdict::kNoted,
            .limit = absl::StrCat("taken as ", op, ": ", taken->match.words, noted),
            .source = other.source};
  }

  Support CheckAs(NodeId node, const SupportRow* row) const {
    Support support = CheckRow(node, row);
    if (support.verdict == Verdict::kNo || toolchain_ == nullptr) return support;
    Support general = CheckGeneral(node);
    return general.verdict == Verdict::kNo ? general : support;
  }

  // The reading of a node as another operator or over other operands; null for other nodes.
  const ReadAs* ReadAsOf(NodeId node) const {
    if (model_.reading == nullptr || !IsKernel(model_.classes[node])) return nullptr;
    const auto read = model_.reading->nodes.find(node);
    return read == model_.reading->nodes.end() ? nullptr : &read->second;
  }

  // Whether the toolchain takes the nodes as written, one by one, instead of as read.
  Support CheckWritten(NodeId node, const ReadAs& read) {
    if (written_ == nullptr) {
      written_model_.emplace(ModelView{*model_.written, model_.facts, model_.classes, model_.work, model_.dims});
      written_ = std::make_unique<Checker>(*written_model_, unit_, toolchain_, context_.precision, context_.precisions,
                                           context_.asked);
    }
    Support support = written_->CheckOne(node);
    for (const NodeId part : read.parts) {
      if (support.verdict == Verdict::kNo) return support;
      const OpRule* rule = RuleOf(*model_.written, part);
      if (rule != nullptr && rule->op_class == OpClass::kView) continue;
      Support of_part = written_->CheckOne(part);
      if (of_part.verdict == Verdict::kNo) support = std::move(of_part);
    }
    return support;
  }

  const SupportRow* RowOf(NodeId node) {
    if (toolchain_ == nullptr) return nullptr;
    const auto key = std::make_pair(model_.graph.node(node).domain, model_.graph.node(node).op);
    const auto [at, is_new] = rows_.try_emplace(key, nullptr);
    if (is_new) at->second = SupportOf(*toolchain_, model_.graph.domain(node), model_.graph.op(node));
    return at->second;
  }

  Support CheckRow(NodeId node, const SupportRow* row) const {
    if (row == nullptr) {
      const bool runs = IsCpu(unit_) || (toolchain_ != nullptr && toolchain_->runs_everything);
      return runs ? Support{.verdict = Verdict::kYes} : AsListed({.verdict = Verdict::kNo, .limit = "not stated"});
    }
    if (!row->supported) {
      const std::string why = row->note.empty() ? "" : absl::StrCat(": ", row->note);
      return {.verdict = Verdict::kNo, .limit = absl::StrCat("not supported", why), .source = row->source};
    }
    Support noted{.verdict = row->note.empty() ? Verdict::kYes : Verdict::kNoted, .limit = row->note};
    for (const Limit& limit : row->limits) {
      const LimitCheck check = CheckLimit(context_, node, limit);
      if (check.outcome == LimitOutcome::kHolds) continue;
      noted = Broken(limit, check);
      if (noted.verdict == Verdict::kNo) break;
    }
    noted.source = row->source;
    if (noted.verdict == Verdict::kNo) return noted;
    if (!row->only_in.empty()) {
      return {.verdict = Verdict::kNo,
              .limit = absl::StrCat("only inside ", absl::StrJoin(row->only_in, ", ")),
              .source = row->source};
    }
    return noted;
  }

  // A refusal that no row states.
  Support AsListed(Support support) const {
    const SupportRow* rest = toolchain_ != nullptr ? SupportOfRest(*toolchain_) : nullptr;
    if (rest == nullptr) rest = of_all_;
    if (rest != nullptr) support.source = rest->source;
    return support;
  }

  Support Check(NodeId node, const Limit& limit) const {
    const LimitCheck check = CheckLimit(context_, node, limit);
    if (check.outcome == LimitOutcome::kHolds) return {.verdict = Verdict::kYes};
    return Broken(limit, check);
  }

  static Support Broken(const Limit& limit, const LimitCheck& check) {
    const bool refused = check.outcome == LimitOutcome::kViolated && !limit.advice;
    return Violation(limit, check, refused ? Verdict::kNo : Verdict::kNoted);
  }

  // The limits that hold for every op of the toolchain.
  Support CheckGeneral(NodeId node) const {
    if (toolchain_->static_only) {
      static const Limit& limit = *new Limit{.kind = LimitKind::kStatic, .text = "static"};
      Support checked = Check(node, limit);
      if (checked.verdict == Verdict::kNo) return AsListed(std::move(checked));
    }
    return of_all_ != nullptr ? CheckRow(node, of_all_) : Support{.verdict = Verdict::kYes};
  }

  void CoverNode(const Group& group, NodeId node, SharedMap<NodeId, Support>& table) {
    const Support& support = table[node];
    if (support.verdict != Verdict::kNo) return;
    const SupportRow* row = RowOf(node);
    if (!IsComposite(group.pattern)) return;
    if (row == nullptr && support.limit != "not stated") return;
    // Picks make up a family: a matmul_bias_act contains Erf through the pick gelu_erf.
    const auto is_picked = [&](const std::string& pattern) { return PickOf(*toolchain_, pattern) != nullptr; };
    const bool breaks_limit = !support.found.empty();
    const bool is_spelled = PickOf(*toolchain_, group.pattern) == nullptr;
    if (is_spelled && !MayBeSpelled(group)) return;
    const bool covered = row == nullptr || Contains(row->also_in, group.pattern) || (is_spelled && !breaks_limit) ||
                         (!breaks_limit && std::any_of(row->only_in.begin(), row->only_in.end(), is_picked));
    if (!covered) return;
    table.Set(node, {.verdict = Verdict::kNoted,
                     .limit = absl::StrCat("inside ", group.pattern),
                     .source = support.source,
                     .only_in_group = true,
                     .copies = support.copies});
  }

  // Whether the toolchain takes the operator that the nodes spell out for as many images as they have.
  bool MayBeSpelled(const Group& group) const {
    for (const ReadingRow& row : AllReadings()) {
      if (row.kind != ReadingKind::kSpelled || row.fusion != group.pattern) continue;
      const SupportRow* support = SupportOf(*toolchain_, "", row.means);
      return support == nullptr || std::all_of(support->limits.begin(), support->limits.end(), [&](const Limit& limit) {
               return limit.kind != LimitKind::kBatch ||
                      CheckLimit(context_, group.root, limit).outcome == LimitOutcome::kHolds;
             });
    }
    return true;
  }

  // Whether a pattern stands for an operator of its own; a chain is only its members.
  bool IsComposite(absl::string_view pattern) const {
    return pattern != "elementwise_chain" && Makes(*toolchain_, pattern);
  }

  const ModelView& model_;
  LimitContext context_;
  const Unit& unit_;
  const Toolchain* toolchain_;
  const SupportRow* of_all_ = nullptr;
  absl::flat_hash_map<std::pair<StrId, StrId>, const SupportRow*> rows_;
  std::optional<ModelView> written_model_;
  std::unique_ptr<Checker> written_;  // for the nodes as written; null = not needed yet
};

// An earlier unit that runs the same: with the same toolchain, fusions, precision and kind. None = there is none.
UnitId UnitLike(const Target& target, const Overlays& overlays, const UnitPrecisions& precisions, UnitId unit) {
  if (unit.index() >= overlays.size() || unit.index() >= precisions.size()) return UnitId();
  const auto main_of = [&](UnitId id) {
    return precisions[id].has_value() ? std::pair(precisions[id]->main.act, precisions[id]->layers.get())
                                      : std::pair<Num, const LayerPrecisions*>();
  };
  for (size_t u = 0; u < unit.index(); ++u) {
    const UnitId other(u);
    const bool same = target.units[other].toolchain == target.units[unit].toolchain &&
                      target.units[other].kind == target.units[unit].kind && overlays[other] == overlays[unit] &&
                      main_of(other) == main_of(unit);
    if (same) return other;
  }
  return UnitId();
}

}  // namespace

SharedMap<NodeId, Support> CheckUnit(const ModelView& model, const Target& target, const Unit& unit,
                                     const Overlay* overlay, Num precision, const IdMap<NodeId, Num>* precisions,
                                     SizeQuestions* asked) {
  SharedMap<NodeId, Support> row;
  Checker checker(model, unit, ToolchainOf(target, unit), precision, precisions, asked);
  for (uint32_t n = 0; n < model.graph.nodes().size(); ++n) {
    const NodeId alike = model.index != nullptr ? model.index->alike[NodeId(n)] : NodeId(n);
    if (alike == NodeId(n) || (precisions != nullptr && (*precisions)[alike] != (*precisions)[NodeId(n)])) {
      Support support = checker.Check(NodeId(n));
      support.copies = checker.CopiesOf(NodeId(n));
      row.push_back(std::move(support));
    } else
      row.Repeat(alike);
  }
  if (overlay != nullptr) checker.CoverGroups(*overlay, row);
  return row;
}

namespace {

absl::Status Override(const ModelView& model, const Target& target, const std::vector<Pin>& rows,
                      const Support& support, SupportTable& table) {
  for (const Pin& row : rows) {
    HWEST_ASSIGN_OR_RETURN(const UnitId unit, FindUnit(target, row.unit));
    HWEST_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, FindNodes(model, row.what));
    for (const NodeId node : nodes) table[unit].Set(node, support);
  }
  return absl::OkStatus();
}

// Whether a row of the toolchain gave the verdict.
bool IsOf(const SupportRow& row, const Support& support) {
  if (row.source != support.source) return false;
  return support.what.empty() || std::any_of(row.limits.begin(), row.limits.end(),
                                             [&](const Limit& limit) { return limit.text == support.limit; });
}

// "seen: rk-seen"
std::string EvidenceText(const Support& support, EvidenceKind evidence) {
  constexpr absl::string_view kWords[] = {"seen", "list", "inferred", ""};
  static_assert(std::size(kWords) == kNumEnumerators<EvidenceKind>);
  const absl::string_view word = kWords[static_cast<size_t>(evidence)];
  return absl::StrCat(word, word.empty() || support.source.empty() ? "" : ": ", support.source);
}

}  // namespace

EvidenceKind EvidenceOf(Trust trust) {
  if (trust == Trust::kMeasured) return EvidenceKind::kCompiler;
  const bool is_listed = trust == Trust::kPublished || trust == Trust::kSecondary;
  return is_listed ? EvidenceKind::kList : EvidenceKind::kInferred;
}

absl::string_view EvidenceKindName(EvidenceKind evidence) {
  constexpr absl::string_view kNames[] = {"compiler", "list", "inferred", "request"};
  static_assert(std::size(kNames) == kNumEnumerators<EvidenceKind>);
  return kNames[static_cast<size_t>(evidence)];
}

std::optional<EvidenceKind> EvidenceOf(const Graph& graph, NodeId node, const Toolchain* toolchain,
                                       const Support& support) {
  if (support.limit == kDenied || support.limit == kAssumed) return EvidenceKind::kRequest;
  if (support.source.empty()) {
    return support.verdict == Verdict::kNo ? std::optional(EvidenceKind::kInferred) : std::nullopt;
  }
  if (toolchain == nullptr) return EvidenceKind::kInferred;
  const SupportRow* const rows[] = {SupportOf(*toolchain, graph.domain(node), graph.op(node)),
                                    SupportOfAll(*toolchain)};
  for (const SupportRow* row : rows) {
    if (row != nullptr && IsOf(*row, support)) return EvidenceOf(row->trust);
  }
  const SupportRow* rest = SupportOfRest(*toolchain);
  if (rest != nullptr && rest->source == support.source) return EvidenceOf(rest->trust);
  for (const SupportRow& row : toolchain->support) {  // of an operator that the node is read as
    if (IsOf(row, support)) return EvidenceOf(row.trust);
  }
  return EvidenceKind::kInferred;
}

std::string SupportText(const Support& support, std::optional<EvidenceKind> evidence) {
  const std::string fallback = support.verdict == Verdict::kNo ? "not supported" : "yes";
  std::string text = !support.what.empty() ? support.what : !support.limit.empty() ? support.limit : fallback;
  if (!support.found.empty()) absl::StrAppend(&text, ": ", EscapeControl(support.found));  // of the file, e.g. a mode
  if (!support.allowed.empty()) {
    absl::StrAppend(&text, support.verdict == Verdict::kNo ? ", needs " : ", should be ", support.allowed);
  }
  const std::string known = evidence.has_value() ? EvidenceText(support, *evidence) : support.source;
  return known.empty() ? text : absl::StrCat(text, " (", known, ")");
}

absl::StatusOr<SupportTable> CheckSupport(const ModelView& model, const Target& target, const Overlays& overlays,
                                          const AnalysisRequest& request, const UnitPrecisions& precisions,
                                          SupportCache* known) {
  SupportTable table(target.units.size());
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    const UnitId id(u);
    const Unit& unit = target.units[id];
    const bool decided = u < precisions.size() && precisions[id].has_value();
    if (const UnitId like = UnitLike(target, overlays, precisions, id); like.valid()) {
      table[id] = table[like];
      continue;
    }
    const Num precision = decided ? precisions[id]->main.act : Num::kUnset;
    const std::shared_ptr<const Overlay> overlay = u < overlays.size() ? overlays[id] : nullptr;
    const bool is_built_in = unit.toolchain.find_first_of("/.") == std::string::npos;
    const Toolchain* toolchain = ToolchainOf(target, unit);
    const bool is_of_layers =
        decided && precisions[id]->layers != nullptr && toolchain != nullptr && AsksPrecision(toolchain->support);
    const IdMap<NodeId, Num>* layers = is_of_layers ? &precisions[id]->layers->seen : nullptr;
    if (known == nullptr || !is_built_in || is_of_layers) {
      table[id] = CheckUnit(model, target, unit, overlay.get(), precision, layers);
      continue;
    }
    const SupportKey key{unit.toolchain, IsCpu(unit), precision, overlay};
    auto row = known->Find([&](const SupportKey& other) { return other == key; });
    if (row == nullptr) {
      row = std::make_shared<const SharedMap<NodeId, Support>>(
          CheckUnit(model, target, unit, overlay.get(), precision, nullptr));
      known->Keep(key, row, row->size());
    }
    table[id] = *row;
  }
  const Support assumed{.verdict = Verdict::kNoted, .limit = std::string(kAssumed)};
  const Support denied{.verdict = Verdict::kNo, .limit = std::string(kDenied)};
  HWEST_RETURN_IF_ERROR(Override(model, target, request.assume, assumed, table));
  HWEST_RETURN_IF_ERROR(Override(model, target, request.deny, denied, table));
  return table;
}

}  // namespace hwest
