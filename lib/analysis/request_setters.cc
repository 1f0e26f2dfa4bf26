// What each option of an analysis does with its text: one function an option, for the program, C and Python.
#include "analysis/request_setters.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "analysis/request_text.h"
#include "base/status_macros.h"
#include "cost/precision.h"
#include "fuse/fusion_rules.h"
#include "hwest/generation.h"
#include "op/op_rules.h"
#include "profile/read_profile.h"

namespace hwest {
namespace {

absl::Status AddSize(const Given& given, std::vector<std::pair<std::string, int64_t>>* sizes) {
  auto size = ParseSize(given.text);
  if (!size.has_value()) {
    const NamedOption form(given.name, {"NAME=N"}), example(given.name, {"batch=1"});
    return BadValue(given.name, given.text,
                    absl::StrCat("write ", form.text(), " with a whole number N, e.g. ", example.text()),
                    {form, example});
  }
  sizes->push_back(*std::move(size));
  return absl::OkStatus();
}

absl::Status AddAt(const Given& given, std::vector<Pin>* pins) {
  std::optional<Pin> pin = ParsePin(given.text);
  if (!pin.has_value()) {
    const NamedOption form(given.name, {"WHAT@UNIT"}), example(given.name, {"Conv@cpu"});
    return BadValue(given.name, given.text, absl::StrCat("write ", form.text(), ", e.g. ", example.text()),
                    {form, example});
  }
  pins->push_back(*std::move(pin));
  return absl::OkStatus();
}

absl::StatusOr<size_t> Choice(const Given& given) { return ParseWord(given.name, given.text, given.choices); }

}  // namespace

absl::Status SetTarget(const Given& given, RequestDraft* draft) {
  if (given.text.empty()) {
    return BadValue(given.name, given.text, "name a target, see `onnx-hwest targets`", {"`onnx-hwest targets`"});
  }
  draft->target = given.text;
  return absl::OkStatus();
}

absl::Status SetMode(const Given& given, RequestDraft* draft) {
  draft->mode = given.text;
  return absl::OkStatus();
}

absl::Status SetHost(const Given& given, RequestDraft* draft) {
  if (given.text.empty()) return BadValue(given.name, given.text, "name a target with a CPU, e.g. raspberry-pi-5");
  draft->host = given.text;
  return absl::OkStatus();
}

absl::Status SetPrecision(const Given& given, RequestDraft* draft) {
  const bool is_list = given.text.find('=') != std::string::npos;
  for (const absl::string_view item : absl::StrSplit(given.text, ',')) {
    const size_t equals = item.find('=');
    if (is_list && (equals == absl::string_view::npos || equals == 0)) {
      return BadValue(given.name, given.text, "write one precision, or UNIT=P,UNIT=P, e.g. gpu=fp16,dla0=int8");
    }
    const absl::string_view word = is_list ? item.substr(equals + 1) : absl::string_view(given.text);
    HWEST_RETURN_IF_ERROR(ParseWord(given.name, word, given.choices).status());
  }
  draft->precision = CanonicalPrecision(given.text);
  return absl::OkStatus();
}

// Whether the model has such nodes is known later; the text is checked here, so that an error names the file.
absl::Status SetPrecisionOf(const Given& given, RequestDraft* draft) {
  draft->precision_of = given.text;
  return ParseLayerFormats(draft->precision_of, given.source).status();
}

absl::Status SetSparsity(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, Choice(given));
  draft->sparsity = index == 0 ? Sparsity::kNone : Sparsity::kTwoOfFour;
  return absl::OkStatus();
}

absl::Status SetObjective(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, Choice(given));
  draft->objective = index == 0 ? Objective::kLatency : Objective::kEnergy;
  return absl::OkStatus();
}

absl::Status SetPlacement(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, Choice(given));
  draft->placement = index == 0 ? PlacementBy::kToolchain : PlacementBy::kBest;
  return absl::OkStatus();
}

absl::Status SetBatch(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(draft->bind.batch, ParseNumber(given.name, given.text, 1));
  return absl::OkStatus();
}

absl::Status SetSeqLen(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(draft->sequence, ParseNumber(given.name, given.text, 1));
  return absl::OkStatus();
}

absl::Status SetImageSize(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(draft->image_size, ParseNumber(given.name, given.text, 1));
  return absl::OkStatus();
}

absl::Status SetContext(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(const int64_t tokens, ParseNumber(given.name, given.text, 1));
  if (tokens > kMostContext) return BadValue(given.name, given.text, absl::StrCat("write at most ", kMostContext));
  draft->context = tokens;
  return absl::OkStatus();
}

absl::Status AddDims(const Given& given, RequestDraft* draft) { return AddSize(given, &draft->bind.dims); }
absl::Status AddExpect(const Given& given, RequestDraft* draft) { return AddSize(given, &draft->bind.expect); }

absl::Status AddShapes(const Given& given, RequestDraft* draft) {
  auto shape = ParseShape(given.text);
  if (!shape.has_value()) {
    const NamedOption of_rank(given.name, {"1x3x224x224"}), of_input(given.name, {"INPUT=1x128"});
    return BadValue(given.name, given.text,
                    absl::StrCat("write ", of_rank.text(), ", or ", of_input.text(), " for one input"),
                    {of_rank, of_input});
  }
  draft->bind.shapes.push_back(*std::move(shape));
  return absl::OkStatus();
}

absl::Status AddValues(const Given& given, RequestDraft* draft) {
  draft->values.push_back(given.text);
  return absl::OkStatus();
}

absl::Status AddOnly(const Given& given, RequestDraft* draft) {
  for (const absl::string_view unit : absl::StrSplit(given.text, ',')) {
    if (unit.empty()) return BadValue(given.name, given.text, "name units of the target, UNIT or UNIT,UNIT");
    draft->only.emplace_back(unit);
  }
  return absl::OkStatus();
}

absl::Status AddDeny(const Given& given, RequestDraft* draft) { return AddAt(given, &draft->deny); }
absl::Status AddAssume(const Given& given, RequestDraft* draft) { return AddAt(given, &draft->assume); }
absl::Status AddPin(const Given& given, RequestDraft* draft) { return AddAt(given, &draft->pin); }

absl::Status SetMaxSegments(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(const int64_t count, ParseNumber(given.name, given.text, 1));
  draft->max_segments = static_cast<int>(std::min<int64_t>(count, INT32_MAX));
  return absl::OkStatus();
}

absl::Status SetPowerCapW(const Given& given, RequestDraft* draft) {
  double watts = 0;
  if (!absl::SimpleAtod(given.text, &watts) || !(watts > 0) || watts > 1e9) {
    const NamedOption example(given.name, {"15"});
    return BadValue(given.name, given.text, absl::StrCat("write watts above zero, e.g. ", example.text()), {example});
  }
  draft->power_cap_w = watts;
  return absl::OkStatus();
}

absl::Status SetOverlap(const Given&, RequestDraft* draft) {
  draft->overlap = Overlap::kYes;
  return absl::OkStatus();
}

absl::Status SetHostCompetes(const Given&, RequestDraft* draft) {
  draft->host_competes = HostCompetes::kYes;
  return absl::OkStatus();
}

absl::Status AddToolchains(const Given& given, RequestDraft* draft) {
  const size_t equals = given.text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == given.text.size()) {
    const NamedOption form(given.name, {"UNIT=NAME"});
    return BadValue(given.name, given.text, absl::StrCat("write ", form.text(), ", NAME built in or a file"), {form});
  }
  draft->toolchains.emplace_back(given.text.substr(0, equals), given.text.substr(equals + 1));
  return absl::OkStatus();
}

absl::Status SetFusions(const Given& given, RequestDraft* draft) {
  if (!given.text.empty() && given.text != "none") return BadValue(given.name, given.text, "use \"none\" or nothing");
  draft->fusions = given.text;
  return absl::OkStatus();
}

// The texts of files are checked here, so that an error names the file.

absl::Status SetFusionRules(const Given& given, RequestDraft* draft) {
  draft->fusion_rules = given.text;
  return FusionRules::Parse(draft->fusion_rules, given.source).status();
}

// Rules of rewriting are read by what rewrites, above this folder.
absl::Status SetRewriteRules(const Given& given, RequestDraft* draft) {
  draft->rewrite_rules = given.text;
  return absl::OkStatus();
}

absl::Status SetOpRules(const Given& given, RequestDraft* draft) {
  draft->op_rules = given.text;
  return OpRules::Parse(draft->op_rules, given.source).status();
}

absl::Status SetMeasuredProfile(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(Profile profile, ParseProfile(given.text, given.source));
  draft->measured_profile = std::make_shared<const Profile>(std::move(profile));
  return absl::OkStatus();
}

absl::Status SetFlopsAs(const Given& given, RequestDraft* draft) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, Choice(given));
  draft->flops_as = AllConventions()[index].convention;
  return absl::OkStatus();
}

}  // namespace hwest
