// The numbers in C of the words that C++ has as enums. Written by lib/report/tables/generate.py.
#pragma once

#include "budget/budget.h"
#include "fit/folds.h"
#include "hwest.h"
#include "numbers_of.h"
#include "report/getters.h"
#include "report/report.h"

namespace hwest::capi {

template <>
struct Numbers<Severity> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_SEVERITY_NOTE;
};
static_assert(NumberOf(Severity::kError) == HWEST_SEVERITY_ERROR);
static_assert(NumberOf(Severity::kWarning) == HWEST_SEVERITY_WARNING);
static_assert(NumberOf(Severity::kNote) == HWEST_SEVERITY_NOTE);

template <>
struct Numbers<ValueKind> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_VALUE_SPARSE;
};
static_assert(NumberOf(ValueKind::kUnknown) == HWEST_VALUE_UNKNOWN);
static_assert(NumberOf(ValueKind::kTensor) == HWEST_VALUE_TENSOR);
static_assert(NumberOf(ValueKind::kSequence) == HWEST_VALUE_SEQUENCE);
static_assert(NumberOf(ValueKind::kOptional) == HWEST_VALUE_OPTIONAL);
static_assert(NumberOf(ValueKind::kMap) == HWEST_VALUE_MAP);
static_assert(NumberOf(ValueKind::kSparse) == HWEST_VALUE_SPARSE);

template <>
struct Numbers<UnitKind> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_UNIT_SIMD_CPU;
};
static_assert(NumberOf(UnitKind::kUnset) == HWEST_UNIT_UNKNOWN);
static_assert(NumberOf(UnitKind::kSimtGpu) == HWEST_UNIT_SIMT_GPU);
static_assert(NumberOf(UnitKind::kSystolic) == HWEST_UNIT_SYSTOLIC);
static_assert(NumberOf(UnitKind::kDataflow) == HWEST_UNIT_DATAFLOW);
static_assert(NumberOf(UnitKind::kVectorDsp) == HWEST_UNIT_VECTOR_DSP);
static_assert(NumberOf(UnitKind::kSimdCpu) == HWEST_UNIT_SIMD_CPU);

template <>
struct Numbers<Trust> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_TRUST_ESTIMATED;
};
static_assert(NumberOf(Trust::kUnset) == HWEST_TRUST_UNKNOWN);
static_assert(NumberOf(Trust::kPublished) == HWEST_TRUST_PUBLISHED);
static_assert(NumberOf(Trust::kMeasured) == HWEST_TRUST_MEASURED);
static_assert(NumberOf(Trust::kSecondary) == HWEST_TRUST_SECONDARY);
static_assert(NumberOf(Trust::kRecalled) == HWEST_TRUST_RECALLED);
static_assert(NumberOf(Trust::kDerived) == HWEST_TRUST_DERIVED);
static_assert(NumberOf(Trust::kEstimated) == HWEST_TRUST_ESTIMATED);

template <>
struct Numbers<Objective> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_OBJECTIVE_ENERGY;
};
static_assert(NumberOf(Objective::kLatency) == HWEST_OBJECTIVE_LATENCY);
static_assert(NumberOf(Objective::kEnergy) == HWEST_OBJECTIVE_ENERGY);

template <>
struct Numbers<Overlap> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_OVERLAP_YES;
};
static_assert(NumberOf(Overlap::kNo) == HWEST_OVERLAP_NO);
static_assert(NumberOf(Overlap::kYes) == HWEST_OVERLAP_YES);

template <>
struct Numbers<Grade> {
  static constexpr int32_t kFirst = 1, kLast = HWEST_GRADE_ASSUMED;
};
static_assert(NumberOf(Grade::kMeasured) == HWEST_GRADE_MEASURED);
static_assert(NumberOf(Grade::kFamily) == HWEST_GRADE_FAMILY);
static_assert(NumberOf(Grade::kDatasheet) == HWEST_GRADE_DATASHEET);
static_assert(NumberOf(Grade::kAssumed) == HWEST_GRADE_ASSUMED);

template <>
struct Numbers<Bound> {
  static constexpr int32_t kFirst = 1, kLast = HWEST_BOUND_BALANCED;
};
static_assert(NumberOf(Bound::kCompute) == HWEST_BOUND_COMPUTE);
static_assert(NumberOf(Bound::kMemory) == HWEST_BOUND_MEMORY);
static_assert(NumberOf(Bound::kOverhead) == HWEST_BOUND_OVERHEAD);
static_assert(NumberOf(Bound::kTransfer) == HWEST_BOUND_TRANSFER);
static_assert(NumberOf(Bound::kBalanced) == HWEST_BOUND_BALANCED);

template <>
struct Numbers<NodeClass> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_NODE_DEAD;
};
static_assert(NumberOf(NodeClass::kCompute) == HWEST_NODE_COMPUTE);
static_assert(NumberOf(NodeClass::kLayout) == HWEST_NODE_LAYOUT);
static_assert(NumberOf(NodeClass::kView) == HWEST_NODE_VIEW);
static_assert(NumberOf(NodeClass::kShape) == HWEST_NODE_SHAPE);
static_assert(NumberOf(NodeClass::kConstant) == HWEST_NODE_CONSTANT);
static_assert(NumberOf(NodeClass::kControl) == HWEST_NODE_CONTROL);
static_assert(NumberOf(NodeClass::kOpaque) == HWEST_NODE_OPAQUE);
static_assert(NumberOf(NodeClass::kDead) == HWEST_NODE_DEAD);

template <>
struct Numbers<Origin> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_ORIGIN_UNKNOWN;
};
static_assert(NumberOf(Origin::kModule) == HWEST_ORIGIN_MODULE);
static_assert(NumberOf(Origin::kFunction) == HWEST_ORIGIN_FUNCTION);
static_assert(NumberOf(Origin::kUnknown) == HWEST_ORIGIN_UNKNOWN);

template <>
struct Numbers<Verdict> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_VERDICT_NOTED;
};
static_assert(NumberOf(Verdict::kYes) == HWEST_VERDICT_YES);
static_assert(NumberOf(Verdict::kNo) == HWEST_VERDICT_NO);
static_assert(NumberOf(Verdict::kNoted) == HWEST_VERDICT_NOTED);

template <>
struct Numbers<EvidenceKind> {
  static constexpr int32_t kFirst = 1, kLast = HWEST_EVIDENCE_REQUEST;
};
static_assert(NumberOf(EvidenceKind::kCompiler) == HWEST_EVIDENCE_COMPILER);
static_assert(NumberOf(EvidenceKind::kList) == HWEST_EVIDENCE_LIST);
static_assert(NumberOf(EvidenceKind::kInferred) == HWEST_EVIDENCE_INFERRED);
static_assert(NumberOf(EvidenceKind::kRequest) == HWEST_EVIDENCE_REQUEST);

template <>
struct Numbers<CureKind> {
  static constexpr int32_t kFirst = 1, kLast = HWEST_CURE_CUT;
};
static_assert(NumberOf(CureKind::kRewrite) == HWEST_CURE_REWRITE);
static_assert(NumberOf(CureKind::kFold) == HWEST_CURE_FOLD);
static_assert(NumberOf(CureKind::kOpset) == HWEST_CURE_OPSET);
static_assert(NumberOf(CureKind::kToolchain) == HWEST_CURE_TOOLCHAIN);
static_assert(NumberOf(CureKind::kPrecision) == HWEST_CURE_PRECISION);
static_assert(NumberOf(CureKind::kCut) == HWEST_CURE_CUT);

template <>
struct Numbers<WhatIfKind> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_CHANGE_LAYERS;
};
static_assert(NumberOf(WhatIfKind::kSupport) == HWEST_CHANGE_SUPPORT);
static_assert(NumberOf(WhatIfKind::kActivation) == HWEST_CHANGE_ACTIVATION);
static_assert(NumberOf(WhatIfKind::kPrecision) == HWEST_CHANGE_PRECISION);
static_assert(NumberOf(WhatIfKind::kBatch) == HWEST_CHANGE_BATCH);
static_assert(NumberOf(WhatIfKind::kBandwidth) == HWEST_CHANGE_BANDWIDTH);
static_assert(NumberOf(WhatIfKind::kMode) == HWEST_CHANGE_MODE);
static_assert(NumberOf(WhatIfKind::kRewrite) == HWEST_CHANGE_REWRITE);
static_assert(NumberOf(WhatIfKind::kOpset) == HWEST_CHANGE_OPSET);
static_assert(NumberOf(WhatIfKind::kToolchain) == HWEST_CHANGE_TOOLCHAIN);
static_assert(NumberOf(WhatIfKind::kPlacement) == HWEST_CHANGE_PLACEMENT);
static_assert(NumberOf(WhatIfKind::kCut) == HWEST_CHANGE_CUT);
static_assert(NumberOf(WhatIfKind::kSparsity) == HWEST_CHANGE_SPARSITY);
static_assert(NumberOf(WhatIfKind::kRecipe) == HWEST_CHANGE_RECIPE);
static_assert(NumberOf(WhatIfKind::kWidth) == HWEST_CHANGE_WIDTH);
static_assert(NumberOf(WhatIfKind::kLayers) == HWEST_CHANGE_LAYERS);

template <>
struct Numbers<ChangeScope> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_SCOPE_BOARD;
};
static_assert(NumberOf(ChangeScope::kSame) == HWEST_SCOPE_SAME);
static_assert(NumberOf(ChangeScope::kBatch) == HWEST_SCOPE_BATCH);
static_assert(NumberOf(ChangeScope::kNetwork) == HWEST_SCOPE_NETWORK);
static_assert(NumberOf(ChangeScope::kBoard) == HWEST_SCOPE_BOARD);

template <>
struct Numbers<AccuracyRisk> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_RISK_TRAINING;
};
static_assert(NumberOf(AccuracyRisk::kNone) == HWEST_RISK_NONE);
static_assert(NumberOf(AccuracyRisk::kRounding) == HWEST_RISK_ROUNDING);
static_assert(NumberOf(AccuracyRisk::kCalibration) == HWEST_RISK_CALIBRATION);
static_assert(NumberOf(AccuracyRisk::kTraining) == HWEST_RISK_TRAINING);

template <>
struct Numbers<Judge> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_JUDGE_INTERVAL;
};
static_assert(NumberOf(Judge::kPoint) == HWEST_JUDGE_POINT);
static_assert(NumberOf(Judge::kUpper) == HWEST_JUDGE_UPPER);
static_assert(NumberOf(Judge::kInterval) == HWEST_JUDGE_INTERVAL);

template <>
struct Numbers<LeaveOut> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_LEAVE_OUT_FAMILY_DEVICE;
};
static_assert(NumberOf(LeaveOut::kNone) == HWEST_LEAVE_OUT_NONE);
static_assert(NumberOf(LeaveOut::kFamily) == HWEST_LEAVE_OUT_FAMILY);
static_assert(NumberOf(LeaveOut::kDevice) == HWEST_LEAVE_OUT_DEVICE);
static_assert(NumberOf(LeaveOut::kSource) == HWEST_LEAVE_OUT_SOURCE);
static_assert(NumberOf(LeaveOut::kFamilyAndDevice) == HWEST_LEAVE_OUT_FAMILY_DEVICE);

template <>
struct Numbers<ReportKind> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_REPORT_GRAPH;
};
static_assert(NumberOf(ReportKind::kAnalysis) == HWEST_REPORT_ANALYSIS);
static_assert(NumberOf(ReportKind::kShapes) == HWEST_REPORT_SHAPES);
static_assert(NumberOf(ReportKind::kSupport) == HWEST_REPORT_SUPPORT);
static_assert(NumberOf(ReportKind::kExplain) == HWEST_REPORT_EXPLAIN);
static_assert(NumberOf(ReportKind::kGraph) == HWEST_REPORT_GRAPH);

template <>
struct Numbers<Format> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_FORMAT_ONNXTEXT;
};
static_assert(NumberOf(Format::kText) == HWEST_FORMAT_TEXT);
static_assert(NumberOf(Format::kJson) == HWEST_FORMAT_JSON);
static_assert(NumberOf(Format::kCsv) == HWEST_FORMAT_CSV);
static_assert(NumberOf(Format::kMarkdown) == HWEST_FORMAT_MARKDOWN);
static_assert(NumberOf(Format::kDot) == HWEST_FORMAT_DOT);
static_assert(NumberOf(Format::kSvg) == HWEST_FORMAT_SVG);
static_assert(NumberOf(Format::kPng) == HWEST_FORMAT_PNG);
static_assert(NumberOf(Format::kPdf) == HWEST_FORMAT_PDF);
static_assert(NumberOf(Format::kPerfetto) == HWEST_FORMAT_PERFETTO);
static_assert(NumberOf(Format::kNetron) == HWEST_FORMAT_NETRON);
static_assert(NumberOf(Format::kModelExplorer) == HWEST_FORMAT_MODEL_EXPLORER);
static_assert(NumberOf(Format::kC) == HWEST_FORMAT_C);
static_assert(NumberOf(Format::kHtml) == HWEST_FORMAT_HTML);
static_assert(NumberOf(Format::kJsonl) == HWEST_FORMAT_JSONL);
static_assert(NumberOf(Format::kJunit) == HWEST_FORMAT_JUNIT);
static_assert(NumberOf(Format::kSarif) == HWEST_FORMAT_SARIF);
static_assert(NumberOf(Format::kCodeQuality) == HWEST_FORMAT_CODEQUALITY);
static_assert(NumberOf(Format::kOpenMetrics) == HWEST_FORMAT_OPENMETRICS);
static_assert(NumberOf(Format::kBenchmark) == HWEST_FORMAT_BENCHMARK);
static_assert(NumberOf(Format::kBencher) == HWEST_FORMAT_BENCHER);
static_assert(NumberOf(Format::kOnnxText) == HWEST_FORMAT_ONNXTEXT);

template <>
struct Numbers<Level> {
  static constexpr int32_t kFirst = 1, kLast = HWEST_LEVEL_UNIT;
};
static_assert(NumberOf(Level::kNode) == HWEST_LEVEL_NODE);
static_assert(NumberOf(Level::kGroup) == HWEST_LEVEL_GROUP);
static_assert(NumberOf(Level::kSegment) == HWEST_LEVEL_SEGMENT);
static_assert(NumberOf(Level::kModule) == HWEST_LEVEL_MODULE);
static_assert(NumberOf(Level::kUnit) == HWEST_LEVEL_UNIT);

template <>
struct Numbers<ColorBy> {
  static constexpr int32_t kFirst = 1, kLast = HWEST_COLOR_BY_MEASURED;
};
static_assert(NumberOf(ColorBy::kUnit) == HWEST_COLOR_BY_UNIT);
static_assert(NumberOf(ColorBy::kBound) == HWEST_COLOR_BY_BOUND);
static_assert(NumberOf(ColorBy::kTime) == HWEST_COLOR_BY_TIME);
static_assert(NumberOf(ColorBy::kEnergy) == HWEST_COLOR_BY_ENERGY);
static_assert(NumberOf(ColorBy::kIntensity) == HWEST_COLOR_BY_INTENSITY);
static_assert(NumberOf(ColorBy::kPrecision) == HWEST_COLOR_BY_PRECISION);
static_assert(NumberOf(ColorBy::kMeasured) == HWEST_COLOR_BY_MEASURED);

template <>
struct Numbers<Collapse> {
  static constexpr int32_t kFirst = 0, kLast = HWEST_COLLAPSE_NONE;
};
static_assert(NumberOf(Collapse::kAuto) == HWEST_COLLAPSE_AUTO);
static_assert(NumberOf(Collapse::kModule) == HWEST_COLLAPSE_MODULE);
static_assert(NumberOf(Collapse::kSegment) == HWEST_COLLAPSE_SEGMENT);
static_assert(NumberOf(Collapse::kNone) == HWEST_COLLAPSE_NONE);

template <>
struct Numbers<Chart> {
  static constexpr int32_t kFirst = 1, kLast = HWEST_CHART_MODULES;
};
static_assert(NumberOf(Chart::kTimeline) == HWEST_CHART_TIMELINE);
static_assert(NumberOf(Chart::kMemory) == HWEST_CHART_MEMORY);
static_assert(NumberOf(Chart::kRoofline) == HWEST_CHART_ROOFLINE);
static_assert(NumberOf(Chart::kModules) == HWEST_CHART_MODULES);

}  // namespace hwest::capi
