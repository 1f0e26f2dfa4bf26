#include "absl/strings/str_cat.h"
#include "ir/builder_impl.h"

namespace hwest {

ValueId GraphBuilder::NewValue(StrId name, Frame& frame) {
  return graph_.values_.push_back(Value{.name = Prefixed(name, frame), .graph = frame.graph});
}

ValueId GraphBuilder::Define(StrId name, Frame& frame) {
  const auto known = frame.names.find(name);
  if (known != frame.names.end() && known->second.valid()) return known->second;
  if (frame.outer != nullptr && Lookup(name, *frame.outer).valid()) {
    Warn(Code::kShadowedName, absl::StrCat("'", text(name), "' hides a value of an outer graph; the inner one is used"),
         "rename the inner value", "", text(name));
  }
  const ValueId value = NewValue(name, frame);
  frame.names[name] = value;
  return value;
}

ValueId GraphBuilder::Lookup(StrId name, const Frame& frame) const {
  for (const Frame* at = &frame; at != nullptr; at = at->outer) {
    const auto found = at->names.find(name);
    if (found != at->names.end()) return found->second;
  }
  return ValueId();
}

// A formal input of a function that the call leaves out.
bool GraphBuilder::IsAbsentFormal(StrId name, const Frame& frame) const {
  for (const Frame* at = &frame; at != nullptr; at = at->outer) {
    if (at->in_function && at->names.contains(name)) return true;
  }
  return false;
}

ConstantId GraphBuilder::AddConstant(const Constant& constant) {
  const auto [entry, fresh] = constants_.try_emplace(&constant, ConstantId());
  if (fresh) entry->second = graph_.constants_.push_back(constant);
  return entry->second;
}

StrId GraphBuilder::Prefixed(StrId name, const Frame& frame) {
  return frame.prefix.empty() ? name : strings().Intern(absl::StrCat(frame.prefix, "/", text(name)));
}

Type GraphBuilder::Convert(const RawType& raw, absl::string_view value) {
  Type type;
  type.kind = raw.kind;
  const RawType* leaf = &raw;
  bool is_map = raw.kind == ValueKind::kMap;
  for (; !leaf->element.empty(); leaf = &leaf->element[0]) is_map = is_map || leaf->element[0].kind == ValueKind::kMap;
  if (!raw.element.empty()) type.inner = raw.element[0].kind;
  type.elem = static_cast<ElemType>(leaf->elem);
  if (!leaf->has_shape || is_map) return type;  // a map's values are scalars, how many it holds is not declared
  if (static_cast<int>(leaf->dims.size()) > options_.limits.max_rank) {
    Warn(Code::kDeclaredConflict,
         absl::StrCat("'", value, "' declares ", leaf->dims.size(), " axes; more than ", options_.limits.max_rank,
                      " are not followed"),
         "export with fewer axes", "", value);
    return type;
  }
  Shape::Dims dims;
  for (const RawDim& dim : leaf->dims) {
    if (dim.has_value && dim.value >= 0) {
      dims.emplace_back(dim.value);
    } else if (!dim.has_value && !Absent(dim.param)) {
      dims.push_back(graph_.dims_.Parse(text(dim.param)));
    } else {
      if (dim.has_value) {
        Warn(Code::kDeclaredConflict, absl::StrCat("'", value, "' declares a dim of ", dim.value, "; taken as unknown"),
             "export with symbolic dims", "", value);
      }
      dims.push_back(Dim::Unknown());
    }
  }
  type.shape = Shape(std::move(dims));
  return type;
}

void GraphBuilder::Declare(ValueId value, const RawValueInfo& info) {
  if (info.type.kind == ValueKind::kUnknown) return;
  graph_.values_[value].declared = static_cast<int32_t>(graph_.declared_.size());
  graph_.declared_.push_back(Convert(info.type, text(info.name)));
}

}  // namespace hwest
