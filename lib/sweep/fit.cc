#include "sweep/fit.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "analysis/load.h"
#include "analysis/resize.h"
#include "base/text.h"
#include "hwest/analysis.h"
#include "hwest/graph.h"
#include "sweep/language.h"

namespace hwest {
namespace {

constexpr size_t kModelsNamed = 3;  // models, in the note

// What the user names in a model, and whether any model has it.
struct Wanted {
  LeftOutOption what;
  std::function<bool(const Graph& graph)> fits;
};

bool HasInput(const Graph& graph, absl::string_view name) {
  const auto& inputs = graph.main().inputs;
  return std::any_of(inputs.begin(), inputs.end(), [&](ValueId input) { return graph.name(input) == name; });
}

bool HasInputOfRank(const Graph& graph, size_t rank) {
  const auto& inputs = graph.main().inputs;
  return std::any_of(inputs.begin(), inputs.end(), [&](ValueId input) {
    const Type* type = graph.declared(input);
    return type != nullptr && type->shape.ranked() && static_cast<size_t>(type->shape.rank()) == rank;
  });
}

// Names may hold '='.
bool IsOfInput(const Graph& graph, absl::string_view value) {
  for (size_t equals = value.find('='); equals != value.npos; equals = value.find('=', equals + 1)) {
    if (HasInput(graph, value.substr(0, equals))) return true;
  }
  return false;
}

std::vector<Wanted> WantedOf(const SweepAxes& axes, const RequestDraft& base) {
  std::vector<Wanted> wanted;
  for (const auto& dim : axes.dims) {
    wanted.push_back({{"dims", dim.first}, [name = dim.first](const Graph& graph) { return HasDim(graph, name); }});
  }
  for (const auto& [name, shape] : base.bind.shapes) {
    wanted.push_back({{"shapes", name}, [name = name, rank = shape.size()](const Graph& graph) {
                        return name.empty() ? HasInputOfRank(graph, rank) : HasInput(graph, name);
                      }});
  }
  for (const std::string& value : base.values) {
    wanted.push_back({{"values", value}, [value](const Graph& graph) { return IsOfInput(graph, value); }});
  }
  if (!axes.sizes.empty()) {
    wanted.push_back({{"image_size", ""}, [](const Graph& graph) {
                        BindRequest unused;
                        return BindImageSize(graph, 1, &unused).ok();
                      }});
  }
  if (base.sequence.has_value()) {
    wanted.push_back({{"seq_len", ""}, [](const Graph& graph) {
                        BindRequest unused;
                        return BindSequenceLength(graph, 1, &unused).ok();
                      }});
  }
  return wanted;
}

std::string FlagText(const LeftOutOption& what) {
  const char* const flag = RequestOptionNamed(what.option).flag;
  return absl::StrCat(flag, what.name.empty() ? "" : " ", EscapeControl(what.name.substr(0, what.name.find('='))));
}

std::string NamesOf(const std::vector<std::string>& models) {
  std::vector<std::string> named(models.begin(),
                                 models.begin() + static_cast<ptrdiff_t>(std::min(models.size(), kModelsNamed)));
  for (std::string& name : named) name = EscapeControl(name);
  const size_t more = models.size() - named.size();
  return absl::StrCat(absl::StrJoin(named, ", "), more > 0 ? absl::StrCat(" and ", more, " more") : "");
}

// The error for a dim that no model has, with the dims that they do have.
absl::Status FitsNone(const LeftOutOption& what, const std::vector<std::shared_ptr<const Graph>>& graphs) {
  std::vector<std::string> names;
  for (const auto& graph : graphs) {
    if (graph == nullptr) continue;
    for (size_t i = 0; i < graph->dims().num_symbols(); ++i) {
      const std::string& name = graph->dims().symbol(SymbolId(i)).name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  const std::vector<std::string> nearest = NearestNames(what.name, names, 3);
  if (!nearest.empty()) names = nearest;
  const bool is_dim = absl::string_view(what.option) == "dims" && !names.empty();
  return MakeError(Code::kBindConflict, absl::StrCat(FlagText(what), " fits none of the models"),
                   is_dim ? absl::StrCat("use one of ", EscapeControl(absl::StrJoin(names, ", ")), ", or INPUT.AXIS")
                          : std::string("leave it out"));
}

}  // namespace

absl::StatusOr<SweepFit> FitModels(const SweepAxes& axes, const RequestDraft& base, const LoadedGraph& loaded) {
  SweepFit fit;
  const std::vector<Wanted> wanted = WantedOf(axes, base);
  if (axes.models.size() < 2 || wanted.empty()) return fit;
  std::vector<std::shared_ptr<const Graph>> graphs;
  std::vector<bool> has_parts;  // none of an unreadable model, whose rows say so
  for (size_t i = 0; i < axes.models.size(); ++i) {
    graphs.push_back(loaded != nullptr ? loaded(i) : nullptr);
    has_parts.push_back(graphs.back() != nullptr);
    if (graphs.back() != nullptr) continue;
    absl::StatusOr<SweepSource> source = ReadSource(axes.models[i]);
    has_parts.back() = source.ok();
    if (source.ok()) graphs.back() = std::move(source->graph);
  }
  fit.of_model.resize(graphs.size());
  std::vector<std::string> notes;
  for (const Wanted& one : wanted) {
    std::vector<std::string> without;
    size_t with = 0;
    for (size_t i = 0; i < graphs.size(); ++i) {
      if (!has_parts[i]) continue;
      if (graphs[i] != nullptr && one.fits(*graphs[i])) {
        ++with;
        continue;
      }
      without.push_back(axes.models[i]);
      fit.of_model[i].push_back(one.what);
    }
    if (without.empty()) continue;
    if (with == 0) return FitsNone(one.what, graphs);
    notes.push_back(absl::StrCat(FlagText(one.what), " at ", NamesOf(without)));
  }
  if (notes.empty()) return SweepFit();
  fit.note = Diagnostic{.code = Code::kAssumed,
                        .message = absl::StrCat("left out where the model has nothing of that name or kind: ",
                                                absl::StrJoin(notes, "; ")),
                        .remedy = ""};
  return fit;
}

void LeaveOutOf(const LeftOut& left_out, RequestDraft* draft) {
  for (const LeftOutOption& what : left_out) {
    const absl::string_view option = what.option;
    if (option == "seq_len") draft->sequence.reset();
    if (option == "values") {
      draft->values.erase(std::remove(draft->values.begin(), draft->values.end(), what.name), draft->values.end());
    }
    auto& shapes = draft->bind.shapes;
    if (option == "shapes") {
      shapes.erase(
          std::remove_if(shapes.begin(), shapes.end(), [&](const auto& shape) { return shape.first == what.name; }),
          shapes.end());
    }
  }
}

}  // namespace hwest
