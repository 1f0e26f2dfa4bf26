// The overview of a sweep in text, Markdown and HTML: one table of points, and why others failed.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/report.h"
#include "report/text_table.h"
#include "sweep/column_unit.h"
#include "sweep/row.h"

namespace hwest {

// A row of kernels, or of a runtime that runs a language model; the row of a decoder's graph may be both.
enum class OverviewOf : bool { kKernels, kRuntimes };

// Overview chooses the columns of the table and writes its cells. What all rows share goes to the head line, not to a
// column, unless options.graph.columns names the columns. All figures of a column have the unit in its title, so that
// rows are comparable at a glance.
class Overview {
 public:
  // Named columns must exist, see SweepColumnsNamed.
  Overview(const std::vector<SweepRow>& rows, const ReportOptions& options, OverviewOf of = OverviewOf::kKernels);

  // "6 points, 1 failed: resnet18.onnx, batch 1"
  std::string Head() const;
  std::string Legend() const;  // of the marks, or of what runtimes are asked for; "" = there is nothing to say

  // Unless the user names columns, the first is the mark: "best" = the fastest of its work, "front" = no other row of
  // the work beats it.
  std::vector<Column> Columns() const;
  std::vector<std::string> Titles() const;
  std::vector<std::string> Cells(const SweepRow& row) const;
  // The rows of the table: all of its kind that did not fail, or the --top fastest of them. Where columns are named,
  // one table of kernels has every row.
  const std::vector<size_t>& shown() const { return shown_; }

  // Failed points by message, with the first point of each.
  struct Failure {
    std::string message, first;
    size_t count = 0;
  };
  std::vector<Failure> Failures() const;

 private:
  struct ShownColumn {
    Column head;
    std::function<std::string(const SweepRow& row)> text;
  };

  void ChooseAxes();
  void ChooseColumns();
  void ChooseFigures();
  bool IsOfThis(const SweepRow& row) const;
  void NameColumns(const std::vector<std::string>& names);
  ShownColumn Named(size_t column) const;
  void ChooseRows(size_t top);
  bool TargetTells(size_t axis) const;
  std::string Mark(const SweepRow& row) const;
  std::string ModelText(const SweepRow& row) const;
  std::string PointText(const SweepRow& row) const;

  const std::vector<SweepRow>& rows_;
  const OverviewOf of_;
  const bool are_named_;                       // the columns
  std::string folder_;                         // the folder that all models share, which ModelText omits
  std::map<std::string, std::string> models_;  // by path: the part that distinguishes it
  ParetoFront front_;
  std::map<std::string, size_t> work_;  // rows of each
  std::vector<size_t> axes_;            // what rows differ in
  std::vector<std::string> common_;     // what rows share
  std::vector<size_t> shown_;
  std::vector<ShownColumn> columns_;
};

}  // namespace hwest
