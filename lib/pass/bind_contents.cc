#include "pass/bind_contents.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hwest/diagnostic.h"
#include "op/known.h"

namespace hwest {
namespace {

bool Fits(const Shape& shape, const std::vector<int64_t>& sizes, const DimPool& dims) {
  if (static_cast<size_t>(shape.rank()) != sizes.size()) return false;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (dims.Equal(shape.dim(axis), sizes[static_cast<size_t>(axis)]) == Tri::kFalse) return false;
  }
  return true;
}

Shape ShapeOf(const Constant& tensor) {
  Shape::Dims dims;
  for (const int64_t size : tensor.dims) dims.push_back(size);
  return Shape(std::move(dims));
}

Shape Join(Shape a, const Shape& b) {
  if (!a.ranked() || a.rank() != b.rank()) return Shape();
  for (int axis = 0; axis < a.rank(); ++axis) {
    if (!(a.dim(axis) == b.dim(axis))) a.set_dim(axis, Dim::Unknown());
  }
  return a;
}

}  // namespace

absl::Status CheckTensor(absl::string_view input, const Type& type, const Constant& contents, const DimPool& dims) {
  const auto refuse = [&](absl::string_view found, absl::string_view declared) {
    return MakeError(
        Code::kBindConflict,
        absl::StrCat("the contents given for input '", input, "' are ", found, ", the input is ", declared),
        "give contents of the declared type and shape");
  };
  if (contents.Elements() < 0) return refuse("of a size that is no number", "a tensor");
  if (type.elem != ElemType::kUndefined && type.elem != contents.elem) {
    return refuse(ElemTypeName(contents.elem), ElemTypeName(type.elem));
  }
  if (!type.shape.ranked() || Fits(type.shape, contents.dims, dims)) return absl::OkStatus();
  return refuse(absl::StrCat("[", absl::StrJoin(contents.dims, ", "), "]"), ToString(type.shape, dims));
}

Type TypeOfSequence(Type declared, const std::vector<Constant>& tensors) {
  declared.length = static_cast<int64_t>(tensors.size());
  if (tensors.empty()) return declared;
  declared.elem = tensors.front().elem;
  declared.shape = ShapeOf(tensors.front());
  for (const Constant& tensor : tensors) declared.shape = Join(std::move(declared.shape), ShapeOf(tensor));
  return declared;
}

Elements ElementsOf(const std::vector<Constant>& tensors) {
  std::vector<Element> elements;
  for (const Constant& tensor : tensors) {
    elements.push_back({Type::Tensor(tensor.elem, ShapeOf(tensor)), DecodeConstant(tensor)});
  }
  return std::make_shared<const std::vector<Element>>(std::move(elements));
}

}  // namespace hwest
