// Rows of a sweep: the result of a point, or why it failed.
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

// Of a language model on a runtime of the target, as `llm` has them: for a prompt of 128 tokens, in the middle of an
// answer of as many, in the runtime's usual formats. None = the row is of kernels alone.
struct LanguageFigures {
  std::optional<std::string> runtime, weights, kv;  // with the formats that it runs
  std::optional<int64_t> prompt, context;           // tokens; the second in the cache when a token is timed
  std::optional<double> ttft_s, ttft_low_s, ttft_high_s;
  std::optional<double> tokens_per_s, tokens_per_s_low, tokens_per_s_high;  // of each request of the batch
  std::optional<double> energy_per_token_j;
  std::optional<int64_t> memory_bytes;  // of weights, cache and work space
  std::optional<bool> fits;
  std::optional<int64_t> max_context;  // that fits
};

struct SweepRow {
  std::string model;
  std::optional<std::string> sha256;  // see FingerprintOf; none = there is no graph, or it could not be read
  std::string target;
  std::optional<std::string> mode,
      precision;  // in force; of a failed point as requested, none if left to the target
  std::optional<int64_t> batch;
  NamedShares set;  // figures of the target that the point states anew, by path
  Dims dims;
  std::optional<int64_t> size;
  bool rewritten = false;  // figures are after the rewrites that help, possibly none
  bool ok = false;
  std::string code, message;  // of an error; in an ok row, what its figures leave out or lack, else empty
  Diagnostic error;           // of a failed row: what `message` joins
  SummaryView summary;        // empty when not ok, as are the next three
  std::optional<int64_t> segments;
  std::optional<double> accelerated_macs_share;  // of the MACs that units other than CPUs run; none without MACs, or
                                                 // where some are not known
  std::optional<std::string> grade;
  std::optional<int64_t> groups;  // kernels: fusing nodes makes fewer
  std::optional<double> energy_per_input_j;
  NamedShares units;  // of the time, in the target's order; empty where some is not known
  std::optional<int64_t> params, nodes;
  NamedShares bounds;  // of the latency, in the order of Bound; empty where a group has no estimate
  LanguageFigures language;
  std::optional<bool> pareto;  // see MarkPareto
};

// The row of a point with its analysis, with `failed`, the reason for none, or without either. `sha256` is the model's.
SweepRow RowOf(const std::string& model, const SweepPoint& point, const Analysis& analysis);
SweepRow FailedRow(const std::string& model, const SweepPoint& point, const absl::Status& failed);
SweepRow PlainRow(const std::string& model, const SweepPoint& point);

// Columns are those of the table sweep_row, see sweep/columns.h. CSV writes dims as "a=1;b=2".
std::string DimsText(const Dims& dims);
std::string SharesOf(const NamedShares& shares);  // "gpu=0.85;cpu=0.15"
NamedShares SetOf(const SweepPoint& point);
std::string SetText(const NamedShares& set);  // "npu.rows=64;sram.size=2097152"
std::string StatusText(const SweepRow& row);  // "ok" or "error"
Cell DimsCell(const SweepRow& row);
Cell SetCell(const NamedShares& set);
Cell SharesCellOf(const NamedShares& shares);  // null without any
// The columns with these names, or all without names. Errors: kUsage for a name that is no column.
absl::StatusOr<std::vector<size_t>> SweepColumnsNamed(const std::vector<std::string>& names);
// These and JsonLine include the line end; `columns` come from SweepColumnsNamed.
std::string CsvHead(const std::vector<size_t>& columns);
std::string CsvLine(const SweepRow& row, const std::vector<size_t>& columns);
std::string CsvHead();
std::string CsvLine(const SweepRow& row);
std::string JsonLine(const SweepRow& row);
// The rows of JSON lines, in order. Errors: kUsage for a line that is no row.
absl::StatusOr<std::vector<SweepRow>> ReadRows(absl::string_view lines);
// Lists whose points include the rows.
SweepAxes AxesOf(const std::vector<SweepRow>& rows);

// A key that rows share if they do the same work: one model with the same sizes.
std::string WorkOf(const SweepRow& row);

// The figures that the front compares: latency, energy and peak memory, less is better. None = unknown; so are all
// figures of a row that leaves something out, because they are bounds.
using ParetoFigures = std::array<std::optional<double>, 3>;
ParetoFigures FiguresOf(const SweepRow& row);

// ParetoFront takes rows one by one and then tells which are on the front of their work: no other row is at least as
// good in every figure and better in one. It ignores a figure that no row of the work has; a row that lacks any other
// cannot be compared.
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
    std::map<unsigned, std::vector<Point>> by_known;  // a bit for each figure: rows that have exactly these
    std::optional<double> fastest_s;
  };
  std::map<std::string, Front> fronts_;
};

// Fills `pareto` of all rows.
void MarkPareto(std::vector<SweepRow>* rows);

}  // namespace hwest
