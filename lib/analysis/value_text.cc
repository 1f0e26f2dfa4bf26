#include "analysis/value_text.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "analysis/literal.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "import/value_file.h"
#include "ir/elem_type.h"

namespace hwest {
namespace {

struct InputArgument {
  ValueId input;
  absl::string_view value;
};

absl::Status NoSuchInput(const Graph& graph, absl::string_view name) {
  std::vector<std::string> names;
  for (const ValueId input : graph.main().inputs) names.emplace_back(graph.name(input));
  const std::vector<std::string> nearest = NearestNames(name, names, 3);
  return MakeError(Code::kBindConflict, absl::StrCat("the model has no input '", EscapeControl(name), "'"),
                   names.empty()
                       ? std::string("it has no inputs at all")
                       : absl::StrCat("its inputs are ", absl::StrJoin(nearest.empty() ? names : nearest, ", ")));
}

// Names may hold '=': the first split that gives an input counts.
absl::StatusOr<InputArgument> SplitInput(const Graph& graph, absl::string_view text) {
  const size_t first = text.find('=');
  if (first == text.npos || first == 0) {
    return MakeError(Code::kUsage, absl::StrCat("contents cannot be '", EscapeControl(text), "'"),
                     "write INPUT=FILE.pb, or INPUT=[1, 2, 3]");
  }
  for (size_t equals = first; equals != text.npos; equals = text.find('=', equals + 1)) {
    for (const ValueId input : graph.main().inputs) {
      if (graph.name(input) == text.substr(0, equals)) return InputArgument{input, text.substr(equals + 1)};
    }
  }
  return NoSuchInput(graph, text.substr(0, first));
}

bool IsFile(absl::string_view value) {
  if (absl::StrContains(value, "\"") || absl::StartsWith(value, "[")) return false;
  return absl::EndsWith(value, ".pb") || absl::StrContains(value, "/");
}

absl::Status AddFile(const Graph& graph, const InputArgument& text, BindRequest* bind) {
  const Type* declared = graph.declared(text.input);
  const ValueKind kind = declared == nullptr ? ValueKind::kUnknown : declared->kind;
  HWEST_ASSIGN_OR_RETURN(StoredValue stored, ReadValueFile(std::string(text.value), kind));
  std::string name(graph.name(text.input));
  if (stored.kind == ValueKind::kTensor) {
    bind->values.emplace_back(std::move(name), std::move(stored.tensors.front()));
  } else if (stored.kind == ValueKind::kSequence) {
    bind->sequences.emplace_back(std::move(name), std::move(stored.tensors));
  }
  return absl::OkStatus();
}

// The element type of a literal; a prefix is taken off `value`.
absl::StatusOr<ElemType> LiteralType(const Graph& graph, ValueId input, absl::string_view* value) {
  const size_t colon = value->find(':');
  if (colon != value->npos) {
    if (const auto elem = FindElemType(value->substr(0, colon))) {
      value->remove_prefix(colon + 1);
      return *elem;
    }
  }
  const Type* declared = graph.declared(input);
  if (declared != nullptr && declared->elem != ElemType::kUndefined) return declared->elem;
  const std::string name = EscapeControl(graph.name(input));
  return MakeError(Code::kUsage, absl::StrCat("input '", name, "' has no declared element type"),
                   absl::StrCat("name it before the contents, e.g. ", name, "=int64:[1, 2, 3]"));
}

absl::Status AddLiteral(const Graph& graph, InputArgument text, BindRequest* bind) {
  HWEST_ASSIGN_OR_RETURN(const ElemType elem, LiteralType(graph, text.input, &text.value));
  HWEST_ASSIGN_OR_RETURN(Constant contents, ParseLiteral(text.value, elem));
  bind->values.emplace_back(std::string(graph.name(text.input)), std::move(contents));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::optional<size_t>> FileOfValue(const Graph& graph, absl::string_view text) {
  HWEST_ASSIGN_OR_RETURN(const InputArgument input, SplitInput(graph, text));
  return IsFile(input.value) ? std::optional<size_t>(text.size() - input.value.size()) : std::nullopt;
}

absl::Status AddValue(const Graph& graph, absl::string_view text, BindRequest* bind) {
  HWEST_ASSIGN_OR_RETURN(const InputArgument input, SplitInput(graph, text));
  const absl::Status status = IsFile(input.value) ? AddFile(graph, input, bind) : AddLiteral(graph, input, bind);
  if (status.ok()) return status;
  const Diagnostic error = DiagnosticOf(status);
  return MakeError(error.code,
                   absl::StrCat("contents of '", EscapeControl(graph.name(input.input)), "': ", error.message),
                   error.remedy, error.options);
}

}  // namespace hwest
