// Words of flags, by the numbers of the enums. Written by lib/report/tables/generate.py.
#pragma once

namespace hwest {

inline constexpr char kJudgeWords[] =
    "point upper interval";
inline constexpr char kLeaveOutWords[] =
    "none family device source family,device";
inline constexpr char kFormatWords[] =
    "text json csv markdown dot svg png pdf perfetto netron model-explorer c html jsonl junit sarif codequality "
    "openmetrics benchmark bencher onnxtext";
inline constexpr char kLevelWords[] =
    "node group segment module unit";
inline constexpr char kColorByWords[] =
    "unit bound time energy intensity precision measured";
inline constexpr char kCollapseWords[] =
    "auto module segment none";
inline constexpr char kChartWords[] =
    "timeline memory roofline modules";

}  // namespace hwest
