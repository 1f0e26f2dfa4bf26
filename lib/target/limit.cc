#include "target/limit.h"

#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace hwest {
namespace {

using Parts = std::vector<absl::string_view>;

// What may follow the head, and whether the value is a number or a text.
enum class Form { kPlain, kInput, kInputFrom, kInputAxis, kInputElement, kAttr, kAttrOrInput, kAxis };
enum class Compares { kNumbers, kTexts, kBoth, kTruth };

struct LimitForm {
  absl::string_view head;
  LimitKind kind;
  Form form;
  Compares compares = Compares::kNumbers;
};

constexpr LimitForm kForms[] = {
    {.head = "static", .kind = LimitKind::kStatic, .form = Form::kPlain, .compares = Compares::kTruth},
    {.head = "batch", .kind = LimitKind::kBatch, .form = Form::kPlain},
    {.head = "inputs", .kind = LimitKind::kInputs, .form = Form::kPlain},
    {.head = "outputs", .kind = LimitKind::kOutputs, .form = Form::kPlain},
    {.head = "consts", .kind = LimitKind::kConsts, .form = Form::kPlain},
    {.head = "opset", .kind = LimitKind::kOpset, .form = Form::kPlain},
    {.head = "origin", .kind = LimitKind::kOrigin, .form = Form::kInput, .compares = Compares::kTexts},
    {.head = "edge", .kind = LimitKind::kEdge, .form = Form::kPlain, .compares = Compares::kTruth},
    {.head = "precision", .kind = LimitKind::kPrecision, .form = Form::kPlain, .compares = Compares::kTexts},
    {.head = "op", .kind = LimitKind::kOp, .form = Form::kPlain, .compares = Compares::kTexts},
    {.head = "const", .kind = LimitKind::kConst, .form = Form::kInput, .compares = Compares::kTruth},
    {.head = "rank", .kind = LimitKind::kRank, .form = Form::kInput},
    {.head = "numel", .kind = LimitKind::kNumel, .form = Form::kInputFrom},
    {.head = "nonsingleton", .kind = LimitKind::kNonSingleton, .form = Form::kInput},
    {.head = "dtype", .kind = LimitKind::kDtype, .form = Form::kInput, .compares = Compares::kTexts},
    {.head = "joined", .kind = LimitKind::kJoined, .form = Form::kInput},
    {.head = "slot", .kind = LimitKind::kSlot, .form = Form::kInput},
    {.head = "neighbour", .kind = LimitKind::kNeighbour, .form = Form::kInput, .compares = Compares::kTexts},
    {.head = "dim", .kind = LimitKind::kDim, .form = Form::kInputAxis},
    {.head = "value", .kind = LimitKind::kValue, .form = Form::kInputElement},
    {.head = "broadcast", .kind = LimitKind::kBroadcast, .form = Form::kInputElement, .compares = Compares::kBoth},
    {.head = "attr", .kind = LimitKind::kAttr, .form = Form::kAttr, .compares = Compares::kBoth},
    {.head = "axis", .kind = LimitKind::kAxis, .form = Form::kAttrOrInput},
    {.head = "has", .kind = LimitKind::kHas, .form = Form::kAttrOrInput},
    {.head = "scale", .kind = LimitKind::kScale, .form = Form::kAxis},
};

// clang-format off
constexpr LimitText kTexts[] = {
    {"static", "every dim of inputs and outputs is a constant"},
    {"batch", "dim 0 of the first input"},
    {"const:I", "input I is a constant (or absent)"},
    {"rank:I", "number of dims"},
    {"numel:I", "elements"},
    {"numel:I:FROM", "elements of the dims from axis FROM on"},
    {"numel:I:@NAME", "elements of the dims before the axis that attribute NAME gives"},
    {"dim:I:AXIS", "one dim; negative axes count from the end"},
    {"dim:I:*", "each dim after dim 0"},
    {"dim:I:@NAME", "the dim of the axis that attribute NAME gives"},
    {"nonsingleton:I", "number of dims that are not 1"},
    {"dtype:I", "text: the element type, e.g. \"float\" or \"int8\""},
    {"attr:NAME",
        "each element of the attribute; a convolution's kernel_shape is that of its weights where it is not written, "
        "and pads are those that auto_pad or output_shape comes to"},
    {"attr:NAME:INDEX", "one element of the attribute"},
    {"axis:NAME", "each axis in the attribute, counted from the end of input 0: axis - rank when it is 0 or above"},
    {"axis:I", "each axis in the contents of input I, counted in the same way"},
    {"inputs", "number of inputs that are present"},
    {"outputs", "number of outputs that are present"},
    {"has:NAME", "1 when the node writes the attribute, else 0"},
    {"has:I", "1 when the input or output is present, else 0"},
    {"value:I", "each element of a constant input"},
    {"value:I:INDEX", "one element of a constant input; negative from the end"},
    {"scale:AXIS",
     "dim of output 0 over that of input 0; where ranks differ the larger over the smaller, as channels of a group"},
    {"scale:*", "the same of each axis"},
    {"broadcast:I",
     "text: a letter for each axis of output 0, \"x\" where input I has its dim and \"1\" where it is stretched"},
    {"broadcast:I:AXIS", "1 when input I is stretched along AXIS, else 0"},
    {"joined:I",
     "elements of each part of input I over those of output 0, where a concatenation makes it for this node alone, "
     "without end where the channels of an image's parts fill no lanes of 8; else 0"},
    {"slot:I",
     "which input of it each operator that reads output -1 - I takes it as; 0 where inputs may change places"},
    {"neighbour:I", "text: the operator that makes input I, or each operator that reads output -1 - I"},
    {"origin:I", "text: the same behind whatever is only a view; \"none\" is the model's own input or output"},
    {"edge", "an input or output of the node is one of the model"},
    {"precision", "text: the number format that the unit computes in, e.g. \"int8\""},
    {"opset", "version of the operator set of the node"},
    {"consts", "number of inputs that are constants"},
    {"op", "text: the operator; of a fusion the one that ends it"},
    {"core:rank:I", "core: in front of any of these: of the convolution or product of a fusion, where it names one"},
};
// clang-format on

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

bool ReadInput(const Parts& parts, Limit* out) { return parts.size() > 1 && absl::SimpleAtoi(parts[1], &out->input); }

// "@NAME", else an index.
bool ReadAxis(absl::string_view text, Limit* out) {
  if (text.empty() || text[0] != '@') return ReadIndex(text, &out->index);
  out->attr = std::string(text.substr(1));
  return !out->attr.empty();
}

bool ReadAttr(const Parts& parts, Limit* out) {
  if (parts.size() < 2 || parts.size() > 3 || parts[1].empty()) return false;
  out->attr = std::string(parts[1]);
  return parts.size() == 2 || (ReadIndex(parts[2], &out->index) && *out->index >= 0);
}

bool ReadAttrOrInput(const Parts& parts, Limit* out) {
  if (parts.size() != 2 || parts[1].empty()) return false;
  if (!absl::SimpleAtoi(parts[1], &out->input)) out->attr = std::string(parts[1]);
  return true;
}

bool ReadParts(Form form, const Parts& parts, Limit* out) {
  const size_t size = parts.size();
  switch (form) {
    case Form::kPlain: return size == 1;
    case Form::kInput: return size == 2 && ReadInput(parts, out);
    case Form::kInputFrom: return size <= 3 && ReadInput(parts, out) && (size == 2 || ReadAxis(parts[2], out));
    case Form::kInputAxis: return size == 3 && ReadInput(parts, out) && (parts[2] == "*" || ReadAxis(parts[2], out));
    case Form::kInputElement:
      return size <= 3 && ReadInput(parts, out) && (size == 2 || ReadIndex(parts[2], &out->index));
    case Form::kAttr: return ReadAttr(parts, out);
    case Form::kAttrOrInput: return ReadAttrOrInput(parts, out);
    case Form::kAxis: return size == 2 && (parts[1] == "*" || ReadIndex(parts[1], &out->index));
  }
  return false;
}

constexpr absl::string_view kCore = "core:";

// Parses what is measured; returns what is wrong, or "".
std::string ReadOf(const std::string& of, Limit* out) {
  out->of_core = absl::StartsWith(of, kCore);
  const Parts parts = absl::StrSplit(absl::StripPrefix(of, kCore), ':');
  const LimitForm* form = FormOf(parts[0]);
  if (form == nullptr) return absl::StrCat("'", of, "' is no limit");
  if (!ReadParts(form->form, parts, out)) return absl::StrCat("'", of, "' is malformed");
  out->kind = form->kind;
  out->text = of;
  return "";
}

std::string ReadRelation(const proto::Limit& row, Limit* out) {
  if (row.equal_to().empty() && row.at_most().empty()) return "";
  if (!row.equal_to().empty() && !row.at_most().empty()) {
    return absl::StrCat("'", row.of(), "' has both equal_to and at_most");
  }
  out->relation = row.at_most().empty() ? Limit::Relation::kEqual : Limit::Relation::kAtMost;
  return ReadOf(absl::StrCat(row.equal_to(), row.at_most()), &out->other.emplace_back());
}

std::string CheckBounds(const proto::Limit& row, const Limit& limit) {
  const absl::string_view of = absl::StripPrefix(limit.text, kCore);
  const Compares compares = FormOf(of.substr(0, of.find(':')))->compares;
  const bool numbers =
      row.has_min() || row.has_max() || row.has_multiple_of() || limit.relation == Limit::Relation::kAtMost;
  const bool texts = row.any_size() > 0;
  const bool bounded = numbers || texts || limit.relation == Limit::Relation::kEqual;
  if (!bounded && compares != Compares::kTruth) {
    return absl::StrCat("'", row.of(), "' needs min, max, any, multiple_of, equal_to or at_most");
  }
  if (row.has_min() && row.has_max() && row.min() > row.max()) return absl::StrCat("'", row.of(), "' has min > max");
  if (row.has_multiple_of() && row.multiple_of() < 1) return absl::StrCat("'", row.of(), "' has multiple_of < 1");
  if (compares == Compares::kTexts && numbers) return absl::StrCat("'", row.of(), "' compares texts: use any");
  return "";
}

std::string ReadConditions(const proto::Limit& row, Limit* out) {
  for (const proto::Limit& condition : row.when()) {
    if (condition.when_size() > 0) return absl::StrCat("'", row.of(), "' has a condition with conditions of its own");
    const std::string wrong = ReadLimit(condition, &out->when.emplace_back());
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace

absl::Span<const LimitText> LimitTexts() { return kTexts; }

std::string ReadLimit(const proto::Limit& row, Limit* out) {
  std::string wrong = ReadOf(row.of(), out);
  if (wrong.empty()) wrong = ReadRelation(row, out);
  if (wrong.empty()) wrong = CheckBounds(row, *out);
  if (wrong.empty()) wrong = ReadConditions(row, out);
  if (!wrong.empty()) return wrong;
  if (row.has_min()) out->min = row.min();
  if (row.has_max()) out->max = row.max();
  if (row.has_absent()) out->absent = row.absent();
  if (row.has_multiple_of()) out->multiple_of = row.multiple_of();
  out->any.assign(row.any().begin(), row.any().end());
  out->advice = row.advice();
  return "";
}

}  // namespace hwest
