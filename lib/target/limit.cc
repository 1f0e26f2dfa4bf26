#include "target/limit.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace hwest {
namespace {

enum class Form { kPlain, kInput, kInputAxis, kAttr, kAttrOnly };

struct LimitForm {
  absl::string_view head;
  LimitKind kind;
  Form form;
};

constexpr LimitForm kForms[] = {
    {.head = "static", .kind = LimitKind::kStatic, .form = Form::kPlain},
    {.head = "batch", .kind = LimitKind::kBatch, .form = Form::kPlain},
    {.head = "inputs", .kind = LimitKind::kInputs, .form = Form::kPlain},
    {.head = "outputs", .kind = LimitKind::kOutputs, .form = Form::kPlain},
    {.head = "const", .kind = LimitKind::kConst, .form = Form::kInput},
    {.head = "rank", .kind = LimitKind::kRank, .form = Form::kInput},
    {.head = "numel", .kind = LimitKind::kNumel, .form = Form::kInput},
    {.head = "nonsingleton", .kind = LimitKind::kNonSingleton, .form = Form::kInput},
    {.head = "dtype", .kind = LimitKind::kDtype, .form = Form::kInput},
    {.head = "dim", .kind = LimitKind::kDim, .form = Form::kInputAxis},
    {.head = "attr", .kind = LimitKind::kAttr, .form = Form::kAttr},
    {.head = "axis", .kind = LimitKind::kAxis, .form = Form::kAttrOnly},
};

const LimitForm* FormOf(absl::string_view head) {
  for (const LimitForm& form : kForms) {
    if (form.head == head) return &form;
  }
  return nullptr;
}

bool ReadIndex(absl::string_view text, std::optional<int32_t>* out) {
  int32_t index = 0;
  if (!absl::SimpleAtoi(text, &index)) return false;
  *out = index;
  return true;
}

bool ReadParts(Form form, const std::vector<absl::string_view>& parts, Limit* out) {
  const size_t size = parts.size();
  switch (form) {
    case Form::kPlain:
      return size == 1;
    case Form::kInput:
      return size == 2 && absl::SimpleAtoi(parts[1], &out->input);
    case Form::kInputAxis:
      return size == 3 && absl::SimpleAtoi(parts[1], &out->input) &&
             (parts[2] == "*" || ReadIndex(parts[2], &out->index));
    case Form::kAttr:
      if (size < 2 || size > 3 || parts[1].empty()) return false;
      out->attr = std::string(parts[1]);
      return size == 2 || (ReadIndex(parts[2], &out->index) && *out->index >= 0);
    case Form::kAttrOnly:
      out->attr = size == 2 ? std::string(parts[1]) : "";
      return !out->attr.empty();
  }
  return false;
}

bool TakesBounds(LimitKind kind) { return kind != LimitKind::kStatic && kind != LimitKind::kConst; }

}  // namespace

std::string ReadLimit(const proto::Limit& row, Limit* out) {
  const std::vector<absl::string_view> parts = absl::StrSplit(row.of(), ':');
  const LimitForm* form = FormOf(parts[0]);
  if (form == nullptr) return absl::StrCat("'", row.of(), "' is no limit");
  if (!ReadParts(form->form, parts, out)) return absl::StrCat("'", row.of(), "' is malformed");
  out->kind = form->kind;
  out->text = row.of();
  if (row.has_min()) out->min = row.min();
  if (row.has_max()) out->max = row.max();
  if (row.has_absent()) out->absent = row.absent();
  out->any.assign(row.any().begin(), row.any().end());
  const bool bounded = row.has_min() || row.has_max() || row.any_size() > 0;
  if (TakesBounds(form->kind) != bounded) {
    return absl::StrCat("'", row.of(), bounded ? "' takes no min, max or any" : "' needs min, max or any");
  }
  if (row.has_min() && row.has_max() && row.min() > row.max()) return absl::StrCat("'", row.of(), "' has min > max");
  if (form->kind == LimitKind::kDtype && (row.has_min() || row.has_max())) {
    return absl::StrCat("'", row.of(), "' compares texts: use any");
  }
  return "";
}

}  // namespace hwest
