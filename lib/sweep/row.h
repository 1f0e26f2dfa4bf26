// Rows of a sweep: what one point gave, or why it gave nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "report/cell.h"
#include "report/view.h"
#include "sweep/points.h"

namespace hwest {

struct SweepRow {
  std::string model;
  std::optional<std::string> sha256;  // see FingerprintOf; none = the model could not be read
  std::string target;
  std::optional<std::string> mode,
      precision;  // in force; of a failed point as asked, none where it was left to the target
  std::optional<int64_t> batch;
  Dims dims;
  std::optional<int64_t> size;
  bool rewritten = false;  // the figures are those after the rewrites that help, which may be none
  bool ok = false;
  std::string code, message;  // of an error; of an ok row what its figures leave out, else empty
  Diagnostic error;           // of a failed row: what `message` joins
  SummaryView summary;        // empty when not ok, as are the next three
  std::optional<int64_t> segments;
  std::optional<double> accelerated_macs_share;  // of the MACs that units other than CPUs run; none without MACs, or
                                                 // where some are not known
  std::optional<std::string> grade;
  std::optional<int64_t> groups;  // kernels: the more of the nodes are fused, the fewer
  std::optional<double> energy_per_input_j;
  NamedShares units;  // of the time, in the target's order; empty where some is not known
  std::optional<int64_t> params, nodes;
  std::optional<int64_t> dram_bytes;  // sum over the groups; none where a group has no estimate, as the next two
  std::optional<double> utilisation;  // compute at dense peak over the latency
  NamedShares bounds;                 // of the latency, in the order of Bound
  std::optional<bool> pareto;         // see MarkPareto
};

// The row of a point in which `analysis` was made, or in which `failed` was why not. `sha256` is that of the model.
SweepRow RowOf(const std::string& model, const SweepPoint& point, const Analysis& analysis);
SweepRow FailedRow(const std::string& model, const SweepPoint& point, const absl::Status& failed);

// Columns are those of the table sweep_row, see sweep/columns.h. In CSV dims are "a=1;b=2".
std::string DimsText(const Dims& dims);
std::string SharesOf(const NamedShares& shares);  // "gpu=0.85;cpu=0.15"
std::string StatusText(const SweepRow& row);      // "ok" or "error"
Cell DimsCell(const SweepRow& row);
Cell SharesCellOf(const NamedShares& shares);  // null without any
// The columns of these names, all without names. Errors: kUsage for a name that is no column.
absl::StatusOr<std::vector<size_t>> SweepColumnsNamed(const std::vector<std::string>& names);
// With their line ends, as is JsonLine; `columns` as SweepColumnsNamed gives them.
std::string CsvHead(const std::vector<size_t>& columns);
std::string CsvLine(const SweepRow& row, const std::vector<size_t>& columns);
std::string CsvHead();
std::string CsvLine(const SweepRow& row);
std::string JsonLine(const SweepRow& row);
// The rows of JSON lines, one after the other. Errors: kUsage for a line that is no row.
absl::StatusOr<std::vector<SweepRow>> ReadRows(absl::string_view lines);
// Lists that have the rows among their points.
SweepAxes AxesOf(const std::vector<SweepRow>& rows);

// Rows that do the same work: one model with the same sizes.
std::string WorkOf(const SweepRow& row);

// Figures that the front compares: latency, energy and peak memory, less is better. None = unknown, as all are of a row
// that leaves something out: its figures are bounds.
using ParetoFigures = std::array<std::optional<double>, 3>;
ParetoFigures FiguresOf(const SweepRow& row);

// ParetoFront takes rows one by one and tells afterwards which are on the front of their work: no other row is at least
// as good in every figure and better in one. A figure that no row of the work has is left out; a row that lacks one of
// the others cannot be compared.
class ParetoFront {
 public:
  void Add(const std::string& work, const ParetoFigures& figures);
  // None = it cannot be compared.
  std::optional<bool> IsOn(const std::string& work, const ParetoFigures& figures) const;
  // Whether no row of the work is faster.
  bool IsFastest(const std::string& work, const ParetoFigures& figures) const;

 private:
  using Point = std::array<double, 3>;  // 0 for what is not known
  struct Front {
    std::map<unsigned, std::vector<Point>> by_known;  // a bit for each figure: rows that have just these
    std::optional<double> fastest_s;
  };
  std::map<std::string, Front> fronts_;
};

// Fills `pareto` of all rows.
void MarkPareto(std::vector<SweepRow>* rows);

}  // namespace hwest
