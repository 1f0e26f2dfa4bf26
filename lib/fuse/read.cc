#include "fuse/read.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "fuse/matcher.h"
#include "fuse/readings.h"
#include "fuse/siblings.h"
#include "hwest/analysis.h"
#include "ir/edit.h"
#include "op/rule.h"
#include "pass/classify.h"

namespace hwest {
namespace {

constexpr int kMostReadings = 4;       // of one node, one after the other
constexpr size_t kMostReaders = 1024;  // of a value, looked at; one with more counts as read

// What a row means, in the strings of one graph.
struct Meaning {
  const ReadingRow* row = nullptr;
  CompiledRow match;
  StrId op;                       // of the operator, or of Identity
  std::vector<int32_t> operands;  // slots of the pattern
};

absl::string_view OpOf(absl::string_view means) {
  const size_t open = means.find('(');
  return open == absl::string_view::npos ? kDoesNothing : means.substr(0, open);
}

std::vector<int32_t> OperandsOf(absl::string_view means, const Pattern& pattern) {
  const size_t open = means.find('(');
  const absl::string_view list =
      open == absl::string_view::npos ? means : absl::StripSuffix(means.substr(open + 1), ")");
  std::vector<int32_t> slots;
  for (const absl::string_view name : absl::StrSplit(list, ", ")) {
    const auto slot = std::find(pattern.slots.begin(), pattern.slots.end(), name);
    slots.push_back(static_cast<int32_t>(slot - pattern.slots.begin()));
  }
  return slots;
}

NodeClass ClassOf(OpClass op_class) {
  switch (op_class) {
    case OpClass::kLayout: return NodeClass::kLayout;
    case OpClass::kView: return NodeClass::kView;
    default: return NodeClass::kCompute;
  }
}

class Reader {
 public:
  Reader(const Graph& graph, DimPool& dims, ReadTables tables)
      : written_(graph), dims_(dims), tables_(tables), context_{graph, tables.facts, tables.classes}, names_(graph) {}

  std::shared_ptr<const Reading> Run() {
    for (const ReadingRow& row : AllReadings()) {
      if (row.kind == ReadingKind::kSpelled || row.kind == ReadingKind::kTaken) continue;
      if (!names_.MayHaveAny(row.match.key)) continue;
      rows_.push_back(&row);
      if (row.kind == ReadingKind::kCopy) copies_ = &row;
      if (row.kind == ReadingKind::kSlices) slices_ = &row;
    }
    Table table(context_, rows_, names_);
    const size_t first = FindFirst(table);
    if (first == written_.nodes().size()) return nullptr;
    edit_.emplace(written_);
    Sweep(first, table.matcher);
    return Finish();
  }

 private:
  // Matches rows against one graph.
  struct Table {
    // Of the graph in the file, and of the edit that is a copy of it.
    Table(const GuardContext& of, const std::vector<const ReadingRow*>& rows, const OpNames& names);
    Table(const GuardContext& of, const std::vector<const ReadingRow*>& rows, OpNames names, const Matcher& like,
          GraphEdit* edit);
    void Add(const std::vector<const ReadingRow*>& rows, const OpNames& names, GraphEdit* edit);
    const std::vector<uint32_t>* RowsOf(NodeId node) const;

    GuardContext context;
    Matcher matcher;
    std::vector<Meaning> meanings;
    absl::flat_hash_map<std::pair<StrId, StrId>, std::vector<uint32_t>> by_root;
  };

  size_t FindFirst(Table& table);
  void Sweep(size_t first, const Matcher& like);
  bool ReadNode(Table& table, NodeId node);
  bool ReadCopy(Table& table, NodeId node);
  bool ReadSlices(Table& table, NodeId node);
  bool Apply(Table& table, const Meaning& meaning, const Match& match, const std::vector<ValueId>& values);
  void DropUnread(Table& table, ValueId value, NodeId into);
  void Become(Table& table, const ReadingRow& row, NodeId node, StrId op, const std::vector<ValueId>& operands,
              const std::vector<Attribute>& attributes);
  void Join(Table& table, NodeId node, NodeId into);
  bool IsRead(ValueId value) const;
  std::shared_ptr<const Reading> Finish();
  void SetWork(const Graph& graph, NodeId node);

  const Graph& written_;
  DimPool& dims_;
  ReadTables tables_;
  GuardContext context_;
  const OpNames names_;
  std::vector<const ReadingRow*> rows_;
  const ReadingRow* copies_ = nullptr;  // the row of that kind; null = it cannot hold
  const ReadingRow* slices_ = nullptr;
  std::optional<GraphEdit> edit_;
  absl::flat_hash_map<NodeId, ReadAs> nodes_;
  absl::flat_hash_map<ValueId, std::vector<NodeId>> gained_;  // readers that the file does not name
};

Reader::Table::Table(const GuardContext& of, const std::vector<const ReadingRow*>& rows, const OpNames& names)
    : context(of), matcher(of, QdqMode::kKept) {
  Add(rows, names, nullptr);
}

Reader::Table::Table(const GuardContext& of, const std::vector<const ReadingRow*>& rows, OpNames names,
                     const Matcher& like, GraphEdit* edit)
    : context(of), matcher(of, like) {
  for (const ReadingRow* row : rows) {
    edit->Intern(OpOf(row->means));
    if (!row->attribute.empty()) edit->Intern(row->attribute);
    names.Add(OpOf(row->means));
  }
  Add(rows, names, edit);
}

void Reader::Table::Add(const std::vector<const ReadingRow*>& rows, const OpNames& names, GraphEdit* edit) {
  for (const ReadingRow* row : rows) {
    if (row->kind != ReadingKind::kExpression) continue;
    const Pattern& pattern = PatternOf(*row);
    Meaning meaning{.row = row, .match = CompileRow(row->match, pattern, context.graph, names, {})};
    if (edit != nullptr) meaning.op = edit->Intern(OpOf(row->means));
    meaning.operands = OperandsOf(row->means, pattern);
    const uint32_t index = static_cast<uint32_t>(meanings.size());
    for (const OpKey& key : meaning.match.roots) {
      std::vector<uint32_t>& of_root = by_root[{key.domain, key.op}];
      if (of_root.empty() || of_root.back() != index) of_root.push_back(index);
    }
    meanings.push_back(std::move(meaning));
  }
}

const std::vector<uint32_t>* Reader::Table::RowsOf(NodeId node) const {
  const NodeClass node_class = context.classes[node];
  const bool runs = node_class == NodeClass::kCompute || node_class == NodeClass::kLayout;
  if (!runs) return nullptr;
  const auto it = by_root.find({context.graph.node(node).domain, context.graph.node(node).op});
  return it == by_root.end() ? nullptr : &it->second;
}

// The first node that is not read as it is written, else their number. Many graphs have none, and need no copy.
size_t Reader::FindFirst(Table& table) {
  Match match;
  std::vector<ValueId> values;
  for (size_t n = 0; n < written_.nodes().size(); ++n) {
    const NodeId node(n);
    if (copies_ != nullptr && FindCopy(context_, tables_.work, node).valid()) return n;
    if (slices_ != nullptr && !FindSlices(context_, node).nodes.empty()) return n;
    const std::vector<uint32_t>* rows = table.RowsOf(node);
    if (rows == nullptr) continue;
    for (const uint32_t row : *rows) {
      if (table.matcher.Read(table.meanings[row].match, node, &match, &values)) return n;
    }
  }
  return written_.nodes().size();
}

// Operands come before the nodes that read them, so that each node meets what those before it are read as.
void Reader::Sweep(size_t first, const Matcher& like) {
  Table table({edit_->graph(), tables_.facts, tables_.classes}, rows_, names_, like, &*edit_);
  for (size_t n = first; n < written_.nodes().size(); ++n) {
    const NodeId node(n);
    for (int times = 0; times < kMostReadings && ReadNode(table, node); ++times) {
    }
    if (!ReadCopy(table, node)) ReadSlices(table, node);
  }
}

bool Reader::ReadNode(Table& table, NodeId node) {
  const std::vector<uint32_t>* rows = table.RowsOf(node);
  if (rows == nullptr) return false;
  Match match;
  std::vector<ValueId> values;
  for (const uint32_t row : *rows) {
    const Meaning& meaning = table.meanings[row];
    if (!table.matcher.Read(meaning.match, node, &match, &values)) continue;
    if (Apply(table, meaning, match, values)) return true;
  }
  return false;
}

bool Reader::ReadCopy(Table& table, NodeId node) {
  const NodeId earlier = copies_ == nullptr ? NodeId() : FindCopy(table.context, tables_.work, node);
  if (!earlier.valid()) return false;
  Become(table, *copies_, node, edit_->Intern(copies_->means), {edit_->graph().outputs(earlier)[0]}, {});
  return true;
}

bool Reader::ReadSlices(Table& table, NodeId node) {
  const Slices slices = slices_ == nullptr ? Slices() : FindSlices(table.context, node);
  if (slices.nodes.empty()) return false;
  const Graph& graph = edit_->graph();
  std::vector<ValueId> outputs;
  for (const NodeId slice : slices.nodes) outputs.push_back(graph.outputs(slice)[0]);
  const Attribute axis{.name = edit_->Intern("axis"), .kind = AttrKind::kInt, .i = slices.axis};
  Become(table, *slices_, node, edit_->Intern(slices_->means), {graph.inputs(node)[0]}, {axis});
  for (const NodeId slice : slices.nodes) {
    if (slice != node) Join(table, slice, node);
  }
  edit_->TakeOutputs(node, outputs);
  return true;
}

bool Reader::Apply(Table& table, const Meaning& meaning, const Match& match, const std::vector<ValueId>& values) {
  const Graph& graph = edit_->graph();
  const NodeId root = match.root;
  const Node row = graph.node(root);
  std::vector<ValueId> operands;
  for (const int32_t slot : meaning.operands) operands.push_back(values[static_cast<size_t>(slot)]);
  while (!operands.empty() && !operands.back().valid()) operands.pop_back();
  std::vector<Attribute> attributes;
  if (!meaning.row->attribute.empty()) {
    auto found = AttributesAsRead(table.context, root, meaning.row->attribute);
    if (!found.has_value()) return false;
    attributes = *std::move(found);
  } else if (row.op == meaning.op) {
    attributes.assign(graph.attributes(root).begin(), graph.attributes(root).end());
  }
  Become(table, *meaning.row, root, meaning.op, operands, attributes);
  return true;
}

void Reader::Become(Table& table, const ReadingRow& row, NodeId node, StrId op, const std::vector<ValueId>& operands,
                    const std::vector<Attribute>& attributes) {
  const Graph& graph = edit_->graph();
  const std::vector<ValueId> before(graph.inputs(node).begin(), graph.inputs(node).end());
  const auto opset = std::max(graph.node(node).opset, static_cast<decltype(Node::opset)>(row.opset));
  edit_->Become(node, graph.FindStr(""), op, opset, operands, attributes);
  for (const ValueId value : operands) {
    if (value.valid() && std::find(before.begin(), before.end(), value) == before.end()) gained_[value].push_back(node);
  }
  const OpRule* rule = RuleOf(graph, node);
  tables_.classes[node] = rule == nullptr ? NodeClass::kCompute : ClassOf(rule->op_class);
  table.matcher.Update(node);
  ReadAs& read = nodes_[node];
  read.row = &row;
  read.into = node;
  for (const ValueId value : before) {
    if (value.valid()) DropUnread(table, value, node);
  }
}

// The node reads nothing any more: another one does what it did.
void Reader::Join(Table& table, NodeId node, NodeId into) {
  edit_->Silence(node);
  tables_.classes[node] = NodeClass::kDead;
  table.matcher.Update(node);
  nodes_[node].into = into;
}

bool Reader::IsRead(ValueId value) const {
  const Graph& graph = edit_->graph();
  if (graph.value(value).is_output) return true;
  const auto reads = [&](NodeId node) {
    const auto inputs = graph.inputs(node);
    return std::find(inputs.begin(), inputs.end(), value) != inputs.end();
  };
  const auto gained = gained_.find(value);
  const size_t more = gained == gained_.end() ? 0 : gained->second.size();
  if (written_.uses(value).size() + more > kMostReaders) return true;
  for (const Use& use : written_.uses(value)) {
    if (reads(use.node) && IsReadAtRun(written_, tables_.classes, use)) return true;
  }
  return more > 0 && std::any_of(gained->second.begin(), gained->second.end(), reads);
}

// Nodes whose results nobody reads any more went into the node `into`.
void Reader::DropUnread(Table& table, ValueId value, NodeId into) {
  std::vector<ValueId> open = {value};
  while (!open.empty()) {
    const NodeId node = edit_->graph().value(open.back()).producer;
    open.pop_back();
    if (!node.valid()) continue;
    const NodeClass node_class = tables_.classes[node];
    const bool runs =
        node_class == NodeClass::kCompute || node_class == NodeClass::kLayout || node_class == NodeClass::kView;
    const auto outputs = edit_->graph().outputs(node);
    if (!runs || std::any_of(outputs.begin(), outputs.end(), [&](ValueId output) {
          return output.valid() && tables_.facts.IsNeeded(output) && IsRead(output);
        })) {
      continue;
    }
    const auto inputs = edit_->graph().inputs(node);
    for (const ValueId input : inputs) {
      if (input.valid()) open.push_back(input);
    }
    Join(table, node, into);
  }
}

void Reader::SetWork(const Graph& graph, NodeId node) {
  const OpRule* rule = RuleOf(graph, node);
  std::optional<Work> work = Work();
  if (rule != nullptr && rule->work != nullptr) {
    absl::StatusOr<Work> counted = rule->work(OpView(graph, node, tables_.facts, dims_));
    work = counted.ok() ? std::optional<Work>(*std::move(counted)) : std::nullopt;
  }
  tables_.work.Set(node, std::move(work));
}

std::shared_ptr<const Reading> Reader::Finish() {
  auto reading = std::make_shared<Reading>(Reading{std::move(*edit_).Finish(), std::move(nodes_)});
  std::vector<NodeId> changed;
  for (const auto& [node, read] : reading->nodes) changed.push_back(node);
  std::sort(changed.begin(), changed.end());
  for (const NodeId node : changed) {
    ReadAs& read = reading->nodes[node];
    // What a part went into may itself have become a part of something.
    for (int hop = 0; hop < kMostReadings * kMostReadings && reading->nodes[read.into].into != read.into; ++hop) {
      read.into = reading->nodes[read.into].into;
    }
    if (read.into == node) {
      SetWork(reading->graph, node);
      continue;
    }
    read.row = reading->nodes[read.into].row;
    reading->nodes[read.into].parts.push_back(node);
    tables_.classes[node] = NodeClass::kView;
    tables_.work.Set(node, Work());
    if (tables_.facts.unneeded.empty()) continue;
    for (const ValueId output : written_.outputs(node)) {
      const bool is_moved = output.valid() && reading->graph.value(output).producer != node;
      if (output.valid() && !is_moved) tables_.facts.unneeded[output.index()] = true;
    }
  }
  return reading;
}

}  // namespace

std::shared_ptr<const Reading> MakeReading(const Graph& graph, DimPool& dims, ReadTables tables) {
  return Reader(graph, dims, tables).Run();
}

const Graph& GraphAsRead(const Analysis& analysis) {
  return analysis.reading != nullptr ? analysis.reading->graph : *analysis.graph;
}

std::string ReadingText(const Graph& graph, const Reading* reading, NodeId node) {
  if (reading == nullptr) return "";
  const auto found = reading->nodes.find(node);
  if (found == reading->nodes.end()) return "";
  const ReadAs& read = found->second;
  const absl::string_view op = reading->graph.op(read.into);
  const std::string as = op == kDoesNothing ? "read as its input" : absl::StrCat("read as ", op);
  const std::string where = read.into == node ? "" : absl::StrCat("part of ", graph.Label(read.into), ", ");
  return absl::StrCat(where, as, ": ", read.row->match.words);
}

}  // namespace hwest
