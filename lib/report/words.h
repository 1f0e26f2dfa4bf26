// Words of flags, by the numbers of the enums. Written by lib/report/tables/generate.py from words.table.
#pragma once

namespace hwest {

inline constexpr char kSeverityWords[] = "error warning note";
inline constexpr char kValueKindWords[] = "unknown tensor sequence optional map sparse";
inline constexpr char kUnitKindWords[] = "unknown simt_gpu systolic dataflow vector_dsp simd_cpu";
inline constexpr char kTrustWords[] = "unknown published measured secondary recalled derived estimated";
inline constexpr char kObjectiveWords[] = "latency energy";
inline constexpr char kOverlapWords[] = "no yes";
inline constexpr char kGradeWords[] = "measured family datasheet";
inline constexpr char kBoundWords[] = "compute memory overhead transfer balanced";
inline constexpr char kNodeClassWords[] = "compute layout view shape constant control opaque dead";
inline constexpr char kOriginWords[] = "module function unknown";
inline constexpr char kVerdictWords[] = "yes no noted";
inline constexpr char kWhatIfKindWords[] = "support activation precision batch bandwidth mode";
inline constexpr char kJudgeWords[] = "point upper interval";
inline constexpr char kLeaveOutWords[] = "none family device source family,device";
inline constexpr char kReportKindWords[] = "analysis shapes support explain graph";
inline constexpr char kFormatWords[] = "text json csv markdown dot svg png pdf perfetto netron model-explorer speedscope
    html jsonl junit sarif codequality openmetrics benchmark bencher onnxtext";
inline constexpr char kLevelWords[] = "node group segment module unit";
inline constexpr char kColorByWords[] = "unit bound time energy intensity precision measured";
inline constexpr char kCollapseWords[] = "auto module segment none";
inline constexpr char kChartWords[] = "timeline memory roofline modules bounds";

}  // namespace hwest
