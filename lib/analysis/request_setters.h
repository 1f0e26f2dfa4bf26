// What each option does with its text. Written by lib/report/tables/generate.py from lib/analysis/request.table.
#pragma once

#include "analysis/request_options.h"

namespace hwest {

absl::Status SetObjective(const Given& given, RequestDraft* draft);
absl::Status SetTarget(const Given& given, RequestDraft* draft);
absl::Status SetMode(const Given& given, RequestDraft* draft);
absl::Status SetPrecision(const Given& given, RequestDraft* draft);
absl::Status SetFusions(const Given& given, RequestDraft* draft);
absl::Status SetBatch(const Given& given, RequestDraft* draft);
absl::Status AddDims(const Given& given, RequestDraft* draft);
absl::Status AddShapes(const Given& given, RequestDraft* draft);
absl::Status AddExpect(const Given& given, RequestDraft* draft);
absl::Status AddOnly(const Given& given, RequestDraft* draft);
absl::Status AddDeny(const Given& given, RequestDraft* draft);
absl::Status AddAssume(const Given& given, RequestDraft* draft);
absl::Status AddPin(const Given& given, RequestDraft* draft);
absl::Status SetMaxSegments(const Given& given, RequestDraft* draft);
absl::Status AddValues(const Given& given, RequestDraft* draft);
absl::Status SetOpRules(const Given& given, RequestDraft* draft);
absl::Status AddToolchains(const Given& given, RequestDraft* draft);
absl::Status SetFusionRules(const Given& given, RequestDraft* draft);
absl::Status SetFlopsAs(const Given& given, RequestDraft* draft);
absl::Status SetPowerCapW(const Given& given, RequestDraft* draft);
absl::Status SetOverlap(const Given& given, RequestDraft* draft);
absl::Status SetHostCompetes(const Given& given, RequestDraft* draft);
absl::Status SetHost(const Given& given, RequestDraft* draft);
absl::Status SetSparsity(const Given& given, RequestDraft* draft);
absl::Status SetSeqLen(const Given& given, RequestDraft* draft);
absl::Status SetImageSize(const Given& given, RequestDraft* draft);
absl::Status SetMeasuredProfile(const Given& given, RequestDraft* draft);
absl::Status SetContext(const Given& given, RequestDraft* draft);
absl::Status SetPlacement(const Given& given, RequestDraft* draft);
absl::Status SetPrecisionOf(const Given& given, RequestDraft* draft);
absl::Status SetRewriteRules(const Given& given, RequestDraft* draft);

}  // namespace hwest
