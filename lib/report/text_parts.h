// Parts shared by several text documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/document.h"
#include "report/report.h"
#include "report/view.h"

namespace hwest {

// Data-dependent sizes by kind with what they are assumed at, e.g. "180 nonzero 33, nms 728"; empty without such sizes.
std::string SizesText(const View& view);

// That the model does not fit into memory, and what would help; "" when it is not known not to.
std::string MisfitText(const View& view);
// "MODEL on TARGET" and the line of settings, with what was assumed; before them, that it does not fit.
std::string HeaderText(const View& view, const ReportOptions& options);
std::vector<std::string> CoverageLines(const View& view);
std::string CoverageText(const View& view, const ReportOptions& options);
// What estimates assume, equal ones once with the number of their groups.
std::vector<std::string> AssumptionLines(const View& view);
// Diagnostics and the assumptions of estimates, equal ones once with their number; "" when there are none.
std::string NotesText(const View& view, const ReportOptions& options);
// Rows of a table of cells as plain text. Shares and bars are of `total_s`.
struct TextScale {
  double total_s = 0;
  size_t bar_width = 0;
};
std::string RowsText(const CellTable& table, const TextColumns& columns, const std::vector<size_t>& rows,
                     const TextScale& scale, const ReportOptions& options);
// Nodes by MACs, with type and shape of the first output.
std::string NodeTableText(const View& view, const ReportOptions& options, int64_t default_top);
std::string SymbolTableText(const View& view, const ReportOptions& options);
// The table of another tool's convention, with its reasons.
std::string ConventionText(const ConventionView& view, const ReportOptions& options);
// The first node of a group that a unit refuses, and the limit.
struct Refusal {
  NodeId node;
  std::string op;
  const Support& support;  // of the analysis
  std::optional<EvidenceKind> evidence;
};
std::optional<Refusal> RefusalOf(const View& view, const GroupRow& group, UnitId unit);
std::string RefusalText(const Refusal& refusal);  // "Softmax: axis: 1, needs the last (src)"
// What each accelerator states against the group, or why it could have run there but does not.
std::string WhyNotText(const View& view, const GroupRow& group);
// Groups that no accelerator runs, though the target has one, and those that no unit runs: by kernel, then reason.
struct FallbackRow {
  std::string kernel, why;
  size_t groups = 0;
  double known_s = 0;
  bool is_partial = false;  // a group has no time
  NodeId first;             // of the first group, the node it is for
  std::string first_label;
};
bool HasAccelerator(const View& view);
bool FallsBack(const View& view, const GroupRow& group);
std::vector<FallbackRow> FallbackRows(const View& view);
// Says that no accelerator runs anything, and the reason for most of the time; "" when one does, or all are left out.
std::string IdleText(const View& view);
// "tokens/s", "FPS" of images, else "inferences/s".
std::string RateUnit(const View& view);
// "53.8 tokens/s", "120 FPS" of images, else "120 inferences/s"; and what a run gives, e.g. "a new token every 18.6
// ms".
std::string RateFigure(const View& view);
std::string RateRest(const View& view);

// What accelerators refuse, by reason, with what ends it; empty where nothing is refused or nobody asked.
std::string RefusalsText(const View& view, const ReportOptions& options);

// Wraps words to the page's width; the first line begins with `first`, others with `rest`.
std::string Wrapped(absl::string_view text, absl::string_view first, absl::string_view rest,
                    const ReportOptions& options);

// A total that may leave out unknown parts: "57.00 us", "at least 57.00 us", or "unknown" when no part is known.
std::string AtLeast(const std::string& figure, double known, bool is_partial);
// "2 of 3 nodes unknown": how many have no time; "" when all have one.
std::string MissingText(const View& view);

std::string CountText(const Count& count);  // "1.814 G", the formula, or "unknown"
// "attention counted dense; causal 12.3 GMACs" when that differs; else "".
std::string CausalText(const SummaryView& summary);
std::string WithUnit(const Count& count, absl::string_view unit);  // "3.648 GFLOP", "128 FLOP"
std::string RateText(double per_s);                                // four digits, no exponent
std::string FigureShown(double figure, Shown shown);               // "2.341 ms"; not of a bar or a share of a total
std::string BytesText(const std::optional<int64_t>& bytes);
// Where the figures come from: "74 % fitted to this device, 26 % from data sheets"; "" without a latency.
// "measurements cover 74 % of the time, not Transpose 5-D 15 %, GridSample 11 %"; "" without evidence.
std::string EvidenceText(const SummaryView& summary);
std::string GradesText(const SummaryView& summary);
// "454.4 us (227.2 us to 908.9 us, from data sheets)", of a view with a target.
std::string LatencyText(const View& view);
// "precision fp16 (assumed fp16, file is fp32)", for a view with a precision: what the name alone does not say.
std::string PrecisionText(const View& view);

}  // namespace hwest
