#include "report/page_data.h"

#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "report/answer.h"
#include "report/text_parts.h"
#include "report/text_table.h"

namespace hwest {
namespace {

constexpr size_t kChunkRows = 512;
constexpr int kDigits = 9;
constexpr size_t kLifetimes = 256;  // the largest tensors
constexpr double kNoWait = 1e-9;    // of the latency; a smaller gap counts as none
constexpr char kFromBefore = '~';   // stands for a text that came before

// How cells are written: as they are, or whole numbers and lists of them as differences from the previous one. A list
// begins with its difference from the first element of the previous list.
enum class Coding : uint8_t { kPlain, kDifference };

struct PageColumn {
  std::string key;
  Coding coding = Coding::kPlain;
};

struct PageTable {
  std::vector<PageColumn> columns;
  size_t size = 0;
  std::function<Cells(size_t)> row;  // asked for in order
};

PageTable Plain(const CellTable& table) {
  PageTable page{.size = table.size, .row = table.row};
  for (const ColumnInfo& column : table.columns) page.columns.push_back({column.key});
  return page;
}

// The named columns of `table`, in the order of the names.
PageTable Picked(const CellTable& table, std::vector<PageColumn> columns) {
  std::vector<size_t> places;
  for (const PageColumn& column : columns) {
    places.push_back(absl::c_find_if(table.columns, [&](const ColumnInfo& info) { return info.key == column.key; }) -
                     table.columns.begin());
  }
  return {std::move(columns), table.size, [row = table.row, places](size_t i) {
            Cells all = row(i), some;
            some.reserve(places.size());
            for (const size_t place : places) some.push_back(std::move(all[place]));
            return some;
          }};
}

// `text` without the prefix that the reader knows.
std::string After(absl::string_view before, absl::string_view text) {
  const std::string mark(1, kFromBefore);
  absl::string_view rest = text;
  if (!before.empty() && absl::ConsumePrefix(&rest, before) && !absl::StartsWith(rest, mark))
    return absl::StrCat(mark, rest);
  return absl::StartsWith(text, mark) ? absl::StrCat(mark, text) : std::string(text);
}

Cell IdOf(const NodeId& id) { return static_cast<int64_t>(id.index()); }
Cell IdOf(const ValueId& id) { return id.valid() ? Cell(static_cast<int64_t>(id.index())) : Cell(nullptr); }
Cell IdOf(const GroupId& id) { return id.valid() ? Cell(static_cast<int64_t>(id.index())) : Cell(nullptr); }

// Names begin with their module's name, outputs with their node's.
PageTable PageNodes(const CellTable& all, const View& view) {
  // clang-format off
  const std::vector<PageColumn> columns = {{"domain"}, {"op"}, {"since"}, {"class"}, {"input_ids", Coding::kDifference},
                                           {"output_ids", Coding::kDifference}, {"macs"}, {"flops"}, {"params"},
                                           {"in_bytes"},
                                           {"weight_bytes"}, {"out_bytes"}, {"group", Coding::kDifference}};
  // clang-format on
  auto modules = std::make_shared<absl::flat_hash_map<std::string, int64_t>>();
  for (size_t i = 0; i < view.modules.size(); ++i) modules->emplace(view.modules[i].path, i);
  PageTable table = Picked(all, columns);
  for (const char* key : {"name", "label", "outputs"}) table.columns.push_back({key});
  table.columns.push_back({"module_index", Coding::kDifference});
  table.row = [row = std::move(table.row), modules, &view](size_t i) {
    Cells cells = row(i);
    const NodeRow node = view.nodes[i];
    cells.push_back(
        After(node.module.has_value() && !node.module->empty() ? absl::StrCat("/", *node.module) : "", node.name));
    cells.push_back(node.label == node.name ? Cell(nullptr) : Cell(node.label));
    Cell outputs = Cell::OfList();
    for (const std::string& output : node.outputs) outputs.push_back(After(node.name, output));
    cells.push_back(std::move(outputs));
    const auto module = node.module.has_value() ? modules->find(*node.module) : modules->end();
    cells.push_back(module == modules->end() ? Cell(nullptr) : Cell(module->second));
    return cells;
  };
  return table;
}

double Rounded(double real) {
  std::array<char, 64> buffer;
  const char* end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), real, std::chars_format::general, kDigits).ptr;
  double rounded = real;
  std::from_chars(buffer.data(), end, rounded);
  return rounded;
}

// Replaces starts by the gaps between groups, which are mostly zero.
class Waits {
 public:
  explicit Waits(double latency_s) : least_s_(kNoWait * latency_s) {}
  Cell Of(const GroupRow& group) {
    if (!group.start_s.has_value() || !group.estimate.has_value()) return nullptr;
    double wait_s = *group.start_s - end_s_;
    wait_s = std::fabs(wait_s) < least_s_ ? 0 : Rounded(wait_s);
    end_s_ += wait_s + Rounded(group.estimate->time_s);
    return wait_s;
  }

 private:
  double least_s_, end_s_ = 0;
};

std::vector<Cell> HeldUntil(const View& view) {
  std::vector<Cell> ends(view.groups.size());
  for (const MemoryStep& step : MemorySteps(view)) {
    const std::optional<double> own_s = getters::EndOf(view.groups[step.group.index()]);
    const double least_s = kNoWait * view.summary.latency_s.value_or(0);
    if (!own_s.has_value() || std::fabs(step.end_s - *own_s) > least_s) ends[step.group.index()] = step.end_s;
  }
  return ends;
}

PageTable PageGroups(const CellTable& all, const View& view) {
  // clang-format off
  PageTable table = Picked(all, {{"pattern"}, {"unit"}, {"segment", Coding::kDifference}, {"precision"}, {"macs"},
                                 {"flops"},
                                 {"in_bytes"}, {"weight_bytes"}, {"out_bytes"}, {"dram_bytes"}, {"live_bytes"},
                                 {"saved_bytes"},
                                 {"saved_launches"}, {"intensity"}, {"compute_s"}, {"memory_s"}, {"overhead_s"},
                                 {"time_s"},
                                 {"low_s"}, {"high_s"}, {"energy_j"}, {"bound"}, {"utilisation"}, {"assumptions"},
                                 {"grade"},
                                 {"measured_s"}, {"measured_ratio"}, {"dram_intensity"}, {"reload_bytes"},
                                 {"loop_order"}});
  // clang-format on
  table.columns.push_back({"root", Coding::kDifference});
  for (const char* key : {"wait_s", "why", "compute_j", "onchip_j", "dram_j", "static_j"})
    table.columns.push_back({key});
  table.columns.push_back({"held_until_s"});  // the end of its memory step, where that is not its own
  auto waits = std::make_shared<Waits>(view.summary.latency_s.value_or(0));
  auto held = std::make_shared<std::vector<Cell>>(HeldUntil(view));
  table.row = [row = std::move(table.row), waits, held, &view](size_t i) {
    Cells cells = row(i);
    const GroupRow group = view.groups[i];
    cells.push_back(IdOf(group.root));
    cells.push_back(waits->Of(group));
    cells.push_back(FallsBack(view, group) ? Cell(WhyNotText(view, group)) : Cell(nullptr));
    for (double EnergyParts::* part :
         {&EnergyParts::compute_j, &EnergyParts::onchip_j, &EnergyParts::dram_j, &EnergyParts::static_j}) {
      cells.push_back(group.energy.has_value() ? Cell((*group.energy).*part) : Cell(nullptr));
    }
    cells.push_back((*held)[i]);
    return cells;
  };
  return table;
}

PageTable PageSegments(const CellTable& all) {
  // clang-format off
  return Picked(all, {{"id", Coding::kDifference}, {"unit"}, {"in_bytes"}, {"out_bytes"}, {"transfer_s"}, {"invoke_s"},
                      {"start_s"},
                      {"time_s"}, {"contexts"}, {"energy_j"}, {"reason"}});
  // clang-format on
}

// Without the texts of the target files that they need.
PageTable PageChanges(const CellTable& all) {
  // clang-format off
  return Picked(all, {{"kind"}, {"change"}, {"flags"}, {"batch"}, {"latency_s"}, {"interval_s"}, {"saving_s"},
                      {"throughput_per_s"}, {"energy_j"}, {"how"}, {"scope"}, {"risk"}, {"work"}, {"saving_low_s"},
                      {"saving_high_s"}, {"command"}});
  // clang-format on
}

// Includes the known part of a unit's time where a group on it has none.
PageTable PageUnits(const CellTable& all, const View& view) {
  PageTable table = Plain(all);
  table.columns.push_back({"known_s"});
  table.row = [row = std::move(table.row), &view](size_t i) {
    Cells cells = row(i);
    cells.push_back(view.units[i].busy_s);
    return cells;
  };
  return table;
}

PageTable PageModules(const View& view) {
  // clang-format off
  PageTable table = Picked(TableOfRows(view.modules), {{"class"}, {"nodes"}, {"macs"}, {"flops"}, {"params"},
                                                       {"time_s"}, {"energy_j"},
                                                       {"parent_index", Coding::kDifference}});
  // clang-format on
  table.columns.push_back({"path"});
  table.row = [row = std::move(table.row), &view](size_t i) {
    Cells cells = row(i);
    const ModuleView& module = view.modules[i];
    cells.push_back(After(module.parent.has_value() && !module.parent->empty() ? absl::StrCat(*module.parent, "/") : "",
                          module.path));
    return cells;
  };
  return table;
}

// Values that a node makes are named in its row.
PageTable PageValues(const View& view) {
  return {{{"name"}, {"dtype"}, {"shape"}}, view.values.size(), [&view](size_t i) {
            const ValueRow value = view.values[i];
            Cells cells;
            cells.push_back(value.producer_id.valid() ? Cell(nullptr) : Cell(value.name));
            cells.push_back(Cell(value.dtype));
            cells.push_back(getters::ShapeCell(value.shape));
            return cells;
          }};
}

PageTable PageLifetimes(const View& view) {
  std::vector<Lifetime> largest = LargestLifetimes(view);
  if (largest.size() > kLifetimes) largest.resize(kLifetimes);
  std::vector<Cells> rows;
  for (const Lifetime& row : largest) rows.push_back({IdOf(row.value), *row.bytes, IdOf(row.first), IdOf(row.last)});
  return Plain(TableOfCells({"value", "bytes", "first", "last"}, std::move(rows)));
}

PageTable PageRoofs(const View& view) {
  std::vector<Cells> rows;
  for (const RoofRow& roof : view.roofs) {
    rows.push_back({view.units[roof.unit.index()].name, roof.precision, roof.flops_per_s, roof.bytes_per_s});
  }
  return Plain(TableOfCells({"unit", "precision", "flops_per_s", "bytes_per_s"}, std::move(rows)));
}

PageTable PageFallback(const View& view) {
  std::vector<Cells> rows;
  for (const FallbackRow& row : FallbackRows(view)) {
    rows.push_back({row.kernel, row.why, static_cast<int64_t>(row.groups),
                    row.is_partial ? Cell(nullptr) : Cell(row.known_s), row.known_s, IdOf(row.first)});
  }
  return Plain(TableOfCells({"kernel", "why", "groups", "time_s", "known_s", "node"}, std::move(rows)));
}

Cell TextsCell(const std::vector<std::string>& texts) {
  Cell list = Cell::OfList();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

PageTable PageAnswer(const View& view) {
  std::vector<Cells> rows;
  for (const auto& lines : {AnswerLines(view), AdviceLines(view)}) {
    for (const AnswerLine& line : lines) rows.push_back({line.name, line.figure, TextsCell(line.rest), line.is_part});
  }
  return Plain(TableOfCells({"name", "figure", "rest", "is_part"}, std::move(rows)));
}

// What the text report says in words.
Cell PageWords(const View& view) {
  const bool has_plan = view.request.target.has_value();
  return Cell{{"precision", view.request.precision.has_value() ? Cell(PrecisionText(view)) : Cell(nullptr)},
              {"idle", IdleText(view)},
              {"misfit", MisfitText(view)},
              {"missing", has_plan ? MissingText(view) : ""},
              {"coverage", TextsCell(CoverageLines(view))},
              {"assumptions", TextsCell(AssumptionLines(view))}};
}

// One column on its way out.
class ColumnWriter {
 public:
  explicit ColumnWriter(Coding coding) : coding_(coding) {}

  void Add(const Cell& cell) {
    std::string text;
    AppendJson(coding_ == Coding::kDifference ? Difference(cell) : Shortened(cell), &text);
    const auto [at, is_new] = places_.try_emplace(std::move(text), distinct_.size());
    if (is_new) distinct_.push_back(&at->first);
    rows_.push_back(at->second);
  }
  // The rows since the last call: an array, or {"of": values, "at": indices into them} where few values repeat, without
  // "at" where all rows are the same.
  std::string Take() {
    std::string text;
    if (distinct_.size() * 3 > rows_.size()) {
      for (const size_t row : rows_) absl::StrAppend(&text, text.empty() ? "[" : ",", *distinct_[row]);
      text += "]";
    } else {
      for (const std::string* value : distinct_) absl::StrAppend(&text, text.empty() ? "{\"of\":[" : ",", *value);
      text += distinct_.size() == 1 ? "]}" : absl::StrCat("],\"at\":[", absl::StrJoin(rows_, ","), "]}");
    }
    places_.clear();
    distinct_.clear();
    rows_.clear();
    return text;
  }

 private:
  Cell Difference(const Cell& cell) {
    if (const int64_t* number = cell.number()) return *number - std::exchange(last_, *number);
    if (cell.list() == nullptr) return nullptr;
    Cell list = Cell::OfList();
    int64_t before = last_;
    bool is_first = true;
    for (const Cell& element : *cell.list()) {
      const int64_t* number = element.number();
      list.push_back(number == nullptr ? Cell(nullptr) : Cell(*number - std::exchange(before, *number)));
      if (number != nullptr && std::exchange(is_first, false)) last_ = *number;
    }
    return list;
  }
  static Cell Shortened(const Cell& cell) { return cell.real() != nullptr ? Cell(Rounded(*cell.real())) : cell; }

  Coding coding_;
  int64_t last_ = 0;
  absl::node_hash_map<std::string, size_t> places_;  // among the distinct values
  std::vector<const std::string*> distinct_;
  std::vector<size_t> rows_;
};

std::string HeadText(const PageTable& table) {
  std::vector<std::string> columns, differences;
  for (const PageColumn& column : table.columns) {
    columns.push_back(DumpJson(Cell(column.key)));
    if (column.coding == Coding::kDifference) differences.push_back(columns.back());
  }
  return absl::StrCat("{\"size\":", table.size, ",\"chunk\":", kChunkRows, ",\"columns\":[",
                      absl::StrJoin(columns, ","), "],\"differences\":[", absl::StrJoin(differences, ","),
                      "],\"chunks\":[");
}

absl::Status WritePart(absl::string_view key, const PageTable& table, Sink sink) {
  HWEST_RETURN_IF_ERROR(sink(absl::StrCat(",\"", key, "\":", HeadText(table))));
  std::vector<ColumnWriter> columns;
  for (const PageColumn& column : table.columns) columns.emplace_back(column.coding);
  for (size_t i = 0; i < table.size; ++i) {
    const Cells cells = table.row(i);
    for (size_t c = 0; c < columns.size(); ++c) columns[c].Add(cells[c]);
    if ((i + 1) % kChunkRows != 0 && i + 1 < table.size) continue;
    std::string text = i < kChunkRows ? "" : ",";
    for (size_t c = 0; c < columns.size(); ++c) absl::StrAppend(&text, c == 0 ? "[" : ",", columns[c].Take());
    HWEST_RETURN_IF_ERROR(sink(text + "]"));
  }
  return sink("]}");
}

// Without the kernels of the profile: the page shows groups.
Cell PageMeasured(const Cell& measured) {
  Cell::Object members;
  for (const Cell::Member& member : *measured.object()) {
    if (member.first != "entries") members.push_back(member);
  }
  return Cell::OfObject(std::move(members));
}

absl::Status WritePart(const Part& part, const View& view, Sink sink) {
  const auto* table = std::get_if<CellTable>(&part.content);
  if (table == nullptr) {
    const Cell& cell = std::get<Cell>(part.content);
    const bool is_measured = part.key == "measured" && cell.object() != nullptr;
    return sink(absl::StrCat(",\"", part.key, "\":", DumpJson(is_measured ? PageMeasured(cell) : cell)));
  }
  if (part.key == "nodes") return WritePart(part.key, PageNodes(*table, view), sink);
  if (part.key == "groups") return WritePart(part.key, PageGroups(*table, view), sink);
  if (part.key == "segments") return WritePart(part.key, PageSegments(*table), sink);
  if (part.key == "what_if") return WritePart(part.key, PageChanges(*table), sink);
  if (part.key == "units") return WritePart(part.key, PageUnits(*table, view), sink);
  return WritePart(part.key, Plain(*table), sink);
}

}  // namespace

absl::Status WritePageData(const Document& document, Sink sink) {
  const View& view = *document.view;
  HWEST_RETURN_IF_ERROR(sink(absl::StrCat("{\"schema\":\"onnx-hwest/1\",\"kind\":\"", ReportKindName(document.kind),
                                          "\",\"tool\":{\"version\":\"", HWEST_VERSION, "\"}")));
  for (const Part& part : document.parts) {
    if (part.key != "values" && part.key != "modules") HWEST_RETURN_IF_ERROR(WritePart(part, view, sink));
  }
  HWEST_RETURN_IF_ERROR(WritePart("modules", PageModules(view), sink));
  HWEST_RETURN_IF_ERROR(WritePart("values", PageValues(view), sink));
  HWEST_RETURN_IF_ERROR(WritePart("lifetimes", PageLifetimes(view), sink));
  HWEST_RETURN_IF_ERROR(WritePart("roofs", PageRoofs(view), sink));
  HWEST_RETURN_IF_ERROR(WritePart("fallback", PageFallback(view), sink));
  HWEST_RETURN_IF_ERROR(sink(absl::StrCat(",\"words\":", DumpJson(PageWords(view)))));
  if (view.request.target.has_value()) HWEST_RETURN_IF_ERROR(WritePart("answer", PageAnswer(view), sink));
  return sink("}");
}

}  // namespace hwest
