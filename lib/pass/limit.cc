#include "pass/limit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "pass/limit_read.h"

namespace hwest {
namespace {

bool IsTruth(LimitKind kind) {
  return kind == LimitKind::kStatic || kind == LimitKind::kConst || kind == LimitKind::kEdge || kind == LimitKind::kHas;
}

bool HasBounds(const Limit& limit) {
  return limit.min.has_value() || limit.max.has_value() || limit.multiple_of.has_value() || !limit.any.empty() ||
         limit.relation != Limit::Relation::kNone;
}

// True conditions are wanted unless the bounds ask for 0.
bool WantsTruth(const Limit& limit) { return !(limit.max.has_value() && *limit.max < 1); }

bool InRange(const Limit& limit, const LimitReading& reading) {
  if (!limit.min.has_value() && !limit.max.has_value() && !limit.multiple_of.has_value()) return true;
  if (!reading.number.has_value()) return false;
  const double number = *reading.number;
  if (limit.min.has_value() && number < *limit.min) return false;
  if (limit.max.has_value() && number > *limit.max) return false;
  return !limit.multiple_of.has_value() || std::fmod(number, static_cast<double>(*limit.multiple_of)) == 0;
}

bool Relates(Limit::Relation relation, const LimitReading& reading, const LimitReading& other) {
  if (relation == Limit::Relation::kEqual && !reading.number.has_value() && !other.number.has_value()) {
    return reading.word == other.word && reading.word != "unknown";
  }
  if (!reading.number.has_value() || !other.number.has_value()) return false;
  return relation == Limit::Relation::kEqual ? *reading.number == *other.number : *reading.number <= *other.number;
}

bool Holds(const Limit& limit, const LimitReading& reading, const LimitReadings& others) {
  if (IsTruth(limit.kind) && !HasBounds(limit)) return reading.number == 1.0;
  if (!InRange(limit, reading)) return false;
  for (const LimitReading& other : others) {
    if (!Relates(limit.relation, reading, other)) return false;
  }
  return limit.any.empty() || std::find(limit.any.begin(), limit.any.end(), reading.text()) != limit.any.end();
}

std::string RangeText(const Limit& limit) {
  if (limit.min.has_value() && limit.max.has_value()) {
    if (*limit.min == *limit.max) return NumberText(*limit.min);
    return absl::StrCat(NumberText(*limit.min), " to ", NumberText(*limit.max));
  }
  if (limit.min.has_value()) return absl::StrCat("at least ", NumberText(*limit.min));
  return limit.max.has_value() ? absl::StrCat("at most ", NumberText(*limit.max)) : "";
}

std::string OtherText(const Limit& limit, const LimitReadings& others) {
  if (limit.relation == Limit::Relation::kNone) return "";
  std::string text =
      absl::StrCat(limit.relation == Limit::Relation::kEqual ? "equal to " : "at most ", LimitWords(limit.other[0]));
  if (!others.empty()) absl::StrAppend(&text, " (", others[0].text(), ")");
  return text;
}

// How the two states of a condition are called.
std::string TruthText(const Limit& limit, bool is_true) {
  switch (limit.kind) {
    case LimitKind::kStatic: return is_true ? "static shapes" : "dynamic shapes";
    case LimitKind::kConst: return is_true ? "constant" : "computed at run time";
    case LimitKind::kEdge: return is_true ? "at the edge of the model" : "inside the model";
    default: return is_true ? "given" : "absent";
  }
}

std::string AllowedText(const Limit& limit, const LimitReadings& others) {
  if (IsTruth(limit.kind)) return TruthText(limit, WantsTruth(limit));
  std::vector<std::string> parts;
  const std::string multiple = limit.multiple_of.has_value() && *limit.multiple_of == 1 ? "a whole number"
                               : limit.multiple_of.has_value() ? absl::StrCat("a multiple of ", *limit.multiple_of)
                                                               : "";
  for (const std::string& part :
       {RangeText(limit), multiple, OtherText(limit, others), absl::StrJoin(limit.any, ", ")}) {
    if (!part.empty()) parts.push_back(part);
  }
  return absl::StrJoin(parts, ", ");
}

// "input 0", "output 0".
std::string OperandWords(int32_t index) {
  return index >= 0 ? absl::StrCat("input ", index) : absl::StrCat("output ", -1 - index);
}

std::string AttributeWords(const Limit& limit) {
  constexpr std::pair<absl::string_view, absl::string_view> kWords[] = {
      {"kernel_shape", "kernel size"}, {"strides", "stride"},         {"pads", "padding"},
      {"dilations", "dilation"},       {"group", "number of groups"},
  };
  std::string words = absl::StrCat("attribute ", limit.attr);
  for (const auto& [name, plain] : kWords) {
    if (name == limit.attr) words = std::string(plain);
  }
  return limit.index.has_value() ? absl::StrCat(words, " [", *limit.index, "]") : words;
}

std::string AxisWords(const Limit& limit) {
  if (!limit.attr.empty()) return absl::StrCat("the dim of ", limit.attr);
  return limit.index.has_value() ? absl::StrCat("dim ", *limit.index) : "each dim after the first";
}

std::string ElementsWords(const Limit& limit) {
  const std::string of = OperandWords(limit.input);
  if (!limit.attr.empty()) return absl::StrCat("elements of ", of, " before its ", limit.attr);
  if (limit.index.has_value()) return absl::StrCat("elements of ", of, " from dim ", *limit.index, " on");
  return absl::StrCat("elements of ", of);
}

std::string QuantityWords(const Limit& limit) {
  const std::string operand = OperandWords(limit.input);
  switch (limit.kind) {
    case LimitKind::kStatic: return "shapes";
    case LimitKind::kBatch: return "batch size";
    case LimitKind::kConst: return operand;
    case LimitKind::kRank: return absl::StrCat("rank of ", operand);
    case LimitKind::kNumel: return ElementsWords(limit);
    case LimitKind::kDim: return absl::StrCat(AxisWords(limit), " of ", operand);
    case LimitKind::kNonSingleton: return absl::StrCat("number of dims other than 1 of ", operand);
    case LimitKind::kDtype: return absl::StrCat("element type of ", operand);
    case LimitKind::kAttr: return AttributeWords(limit);
    case LimitKind::kAxis:
      return limit.attr.empty() ? absl::StrCat("axes in ", operand)
                                : absl::StrCat("attribute ", limit.attr, " from the end");
    case LimitKind::kInputs: return "number of inputs";
    case LimitKind::kOutputs: return "number of outputs";
    case LimitKind::kHas: return limit.attr.empty() ? operand : absl::StrCat("attribute ", limit.attr);
    case LimitKind::kValue:
      return limit.index.has_value() ? absl::StrCat("value [", *limit.index, "] of ", operand)
                                     : absl::StrCat("values of ", operand);
    case LimitKind::kScale:
      return limit.index.has_value() ? absl::StrCat("scale factor of dim ", *limit.index) : "scale factors";
    case LimitKind::kBroadcast:
      return limit.index.has_value() ? absl::StrCat("stretch of ", operand, " along dim ", *limit.index)
                                     : absl::StrCat("broadcast of ", operand, " (1 = stretched)");
    case LimitKind::kJoined: return absl::StrCat("part of ", operand, " over output 0");
    case LimitKind::kSlot: return absl::StrCat("input as which ", operand, " is read");
    case LimitKind::kNeighbour:
      return limit.input >= 0 ? absl::StrCat("maker of ", operand) : absl::StrCat("reader of ", operand);
    case LimitKind::kOrigin:
      return absl::StrCat(limit.input >= 0 ? "maker of " : "reader of ", operand, ", behind views");
    case LimitKind::kEdge: return "place";
    case LimitKind::kPrecision: return "precision";
    case LimitKind::kOpset: return "operator set version";
    case LimitKind::kConsts: return "number of constant inputs";
    case LimitKind::kOp: return "operator";
  }
  return limit.text;
}

// What decided about a limit that counts here: a reading that violates it, else one that was not read, else nothing.
struct Ruling {
  LimitOutcome outcome = LimitOutcome::kHolds;
  LimitReading reading;
  LimitReadings others;
};

LimitReadings ReadOthers(const LimitContext& context, NodeId node, const Limit& limit) {
  return limit.other.empty() ? LimitReadings{} : ReadLimited(context, node, limit.other[0]);
}

// One of what it measures is enough: pads [0, 0, 1, 1] are padding, a stride of [1, 2] is one of 2.
bool Applies(const LimitContext& context, NodeId node, const Limit& condition) {
  const LimitReadings readings = ReadLimited(context, node, condition);
  const LimitReadings others = ReadOthers(context, node, condition);
  return std::any_of(readings.begin(), readings.end(),
                     [&](const LimitReading& reading) { return !reading.unread && Holds(condition, reading, others); });
}

bool Counts(const LimitContext& context, NodeId node, const Limit& limit) {
  return std::all_of(limit.when.begin(), limit.when.end(),
                     [&](const Limit& condition) { return Applies(context, node, condition); });
}

Ruling Judge(const LimitContext& context, NodeId node, const Limit& limit, LimitReadings readings) {
  Ruling ruling;
  ruling.others = ReadOthers(context, node, limit);
  for (LimitReading& reading : readings) {
    const bool unread = reading.unread;
    if (!unread && Holds(limit, reading, ruling.others)) continue;
    ruling.outcome = unread ? LimitOutcome::kUnread : LimitOutcome::kViolated;
    ruling.reading = std::move(reading);
    if (!unread) break;
  }
  return ruling;
}

LimitOutcome OutcomeOf(const LimitContext& context, NodeId node, const Limit& limit) {
  if (!Counts(context, node, limit)) return LimitOutcome::kHolds;
  return Judge(context, node, limit, ReadLimited(context, node, limit)).outcome;
}

bool FollowsSizes(const Limit& limit) {
  const auto any = [](const std::vector<Limit>& limits) {
    return std::any_of(limits.begin(), limits.end(), FollowsSizes);
  };
  switch (limit.kind) {
    case LimitKind::kConst:
    case LimitKind::kRank:
    case LimitKind::kDtype:
    case LimitKind::kInputs:
    case LimitKind::kOutputs:
    case LimitKind::kHas:
    case LimitKind::kNeighbour:
    case LimitKind::kOrigin:
    case LimitKind::kSlot:
    case LimitKind::kEdge:
    case LimitKind::kPrecision:
    case LimitKind::kOpset:
    case LimitKind::kConsts:
    case LimitKind::kOp: return any(limit.when) || any(limit.other);
    default: return true;
  }
}

void Record(const LimitContext& context, NodeId node, const Limit& limit, LimitOutcome outcome) {
  LimitContext again = context;
  again.asked = nullptr;
  const auto ask = [again, node, &limit] { return static_cast<int>(OutcomeOf(again, node, limit)); };
  const uint64_t core = context.core.valid() ? context.core.index() : node.index();
  context.asked->Add(&limit, core << 32 | node.index(), ask, static_cast<int>(outcome));
}

}  // namespace

bool AsksPrecision(const std::vector<Limit>& limits) {
  return std::any_of(limits.begin(), limits.end(), [](const Limit& limit) {
    return limit.kind == LimitKind::kPrecision || AsksPrecision(limit.when) || AsksPrecision(limit.other);
  });
}

LimitCheck CheckLimit(const LimitContext& context, NodeId node, const Limit& limit) {
  const bool counts = Counts(context, node, limit);
  const Ruling ruling = counts ? Judge(context, node, limit, ReadLimited(context, node, limit)) : Ruling();
  if (context.asked != nullptr && FollowsSizes(limit)) Record(context, node, limit, ruling.outcome);
  if (ruling.outcome == LimitOutcome::kHolds) return {};
  const bool is_truth = ruling.outcome == LimitOutcome::kViolated && IsTruth(limit.kind);
  return {ruling.outcome, is_truth ? TruthText(limit, ruling.reading.number == 1.0) : ruling.reading.text(),
          AllowedText(limit, ruling.others)};
}

bool AllHold(const LimitContext& context, NodeId node, const std::vector<Limit>& limits) {
  return std::all_of(limits.begin(), limits.end(), [&](const Limit& limit) {
    const LimitOutcome outcome = OutcomeOf(context, node, limit);
    if (context.asked != nullptr && FollowsSizes(limit)) Record(context, node, limit, outcome);
    return outcome == LimitOutcome::kHolds;
  });
}

std::string LimitWords(const Limit& limit) {
  const auto words_of = [](const Limit& each) {
    return absl::StrCat(QuantityWords(each), each.of_core ? " of its convolution or product" : "");
  };
  std::string words = words_of(limit);
  for (const Limit& condition : limit.when) {
    absl::StrAppend(&words, &condition == limit.when.data() ? ", where " : " and ", words_of(condition), " is ",
                    AllowedText(condition, {}));
  }
  return words;
}

}  // namespace hwest
