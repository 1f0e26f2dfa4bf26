// The text of `shapes`: what torch.fx calls print_tabular, for any ONNX file, with counts.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

std::vector<Column> NodeColumns() {
  return {{.title = "id", .align = Align::kRight, .style = Style::kDim},
          {.title = "name", .squeeze = Squeeze::kShorten},
          {.title = "op"},
          {.title = "output", .style = Style::kAccent},
          {.title = "MACs", .align = Align::kRight, .squeeze = Squeeze::kWrap, .least = 48},
          {.title = "params", .align = Align::kRight},
          {.title = "module", .squeeze = Squeeze::kShorten}};
}

// The node's row, and one more for each further output.
void AddNode(const View& view, const NodeRow& node, TextTable* table) {
  const auto* params = std::get_if<int64_t>(&node.params);
  bool first = true;
  for (const ValueId output : view.graph->outputs(node.id)) {
    if (!output.valid()) continue;
    const ValueRow& value = view.values[output.index()];
    if (first) {
      const bool none = node.macs == Count(int64_t{0});
      table->Add({absl::StrCat("#", node.id.index()), node.label, node.op, TypeText(value),
                  none ? "" : CountText(node.macs), params != nullptr && *params == 0 ? "" : CountText(node.params),
                  node.module.value_or("")});
    } else {
      table->Add({"", absl::StrCat("  ", value.name), "", TypeText(value)});
    }
    first = false;
  }
}

void AddPorts(const View& view, absl::string_view what, absl::Span<const ValueId> values, TextTable* table) {
  for (const ValueId id : values) {
    const ValueRow& value = view.values[id.index()];
    table->Add({"", value.name, std::string(what), TypeText(value)});
  }
}

std::string TotalsText(const View& view, const ReportOptions& options) {
  const SummaryView& summary = view.summary;
  const ParamTotals& params = view.model.params;
  std::string text =
      Wrapped(absl::StrCat(view.nodes.size(), " nodes, ", FormatCount(static_cast<double>(params.params)),
                           " parameters, ", FormatBytes(static_cast<double>(params.stored_bytes)), " of weights"),
              "  ", "    ", options);
  for (const std::string& figure :
       {WithUnit(summary.macs, "MACs"), CausalText(summary), WithUnit(summary.flops, "FLOP")}) {
    if (!figure.empty()) absl::StrAppend(&text, Wrapped(figure, "  ", "    ", options));
  }
  return text;
}

// Each value that stays unknown, with the chain of nodes that causes it.
std::string UnknownText(const View& view, const ReportOptions& options) {
  constexpr size_t kMost = 20;
  std::string text;
  size_t count = 0;
  for (const ValueRow& value : view.values) {
    if (value.blocked_by.empty() || ++count > kMost) continue;
    absl::StrAppend(&text, Wrapped(EscapeControl(absl::StrCat(value.name, " ", TypeText(value), " unknown because: ",
                                                              absl::StrJoin(value.blocked_by, " <- "))),
                                   "  ", "    ", options));
  }
  if (count > kMost) absl::StrAppend(&text, "  and ", count - kMost, " more; --format json lists all\n");
  return text;
}

}  // namespace

std::string NodeTableText(const View& view, const ReportOptions& options, int64_t default_top) {
  std::vector<double> costs;
  for (const NodeRow& node : view.nodes) {
    const auto* macs = std::get_if<int64_t>(&node.macs);
    costs.push_back(macs == nullptr ? 0 : static_cast<double>(*macs));
  }
  const std::vector<size_t> rows = CostliestRows(costs, options.top.value_or(default_top));
  TextTable table(NodeColumns());
  for (const size_t i : rows) AddNode(view, view.nodes[i], &table);
  const std::string title = absl::StrCat("Top ", rows.size(), " of ", view.nodes.size(), " nodes by MACs");
  return absl::StrCat(Paint(title, Style::kBold, options.color), "\n", table.Print(options));
}

std::string ShapesText(const View& view, const ReportOptions& options) {
  const auto title = [&](absl::string_view text) {
    return absl::StrCat("\n", Paint(text, Style::kBold, options.color), "\n");
  };
  std::string text = HeaderText(view, options);
  if (options.top.value_or(0) > 0) {
    absl::StrAppend(&text, "\n", NodeTableText(view, options, 0));
  } else {
    TextTable table(NodeColumns());
    AddPorts(view, "input", view.graph->main().inputs, &table);
    for (const NodeRow& node : view.nodes) AddNode(view, node, &table);
    AddPorts(view, "output", view.graph->main().outputs, &table);
    absl::StrAppend(&text, "\n", table.Print(options));
  }
  if (!view.symbols.empty()) absl::StrAppend(&text, title("Symbols"), SymbolTableText(view, options));
  absl::StrAppend(&text, title("Totals"), TotalsText(view, options));
  if (view.summary.flops_as.has_value()) {
    absl::StrAppend(&text, "\n", ConventionText(*view.summary.flops_as, options));
  }
  absl::StrAppend(&text, title("Coverage"), CoverageText(view, options));
  const std::string unknown = UnknownText(view, options);
  if (!unknown.empty()) absl::StrAppend(&text, title("Unknown values"), unknown);
  const std::string notes = NotesText(view, options);
  if (!notes.empty()) absl::StrAppend(&text, title("Notes"), notes);
  return text;
}

}  // namespace hwest
