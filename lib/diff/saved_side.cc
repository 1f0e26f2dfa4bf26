// Makes a side from a saved report.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <unordered_map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "diff/side.h"
#include "op/rule.h"
#include "report/document.h"
#include "report/read_json.h"

namespace hwest {
namespace {

std::optional<std::string> MaybeText(const Cell& row, absl::string_view key) {
  const std::string text = TextMember(row, key);
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

class ReportSide {
 public:
  explicit ReportSide(const Cell& report) : report_(report) {}

  DiffSide Run() {
    const Cell* request = FindMember(report_, "request");
    if (request != nullptr) {
      side_.model = TextMember(*request, "model");
      side_.target = MaybeText(*request, "target");
      side_.mode = MaybeText(*request, "mode");
      side_.precision = MaybeText(*request, "precision");
    }
    side_.from_report = true;
    if (const Cell* summary = FindMember(report_, "summary")) side_.summary = *summary;
    side_.all_typed = CoversAll(report_, "typed");
    side_.all_counted = CoversAll(report_, "counted");
    side_.all_costed = CoversAll(report_, "costed");
    for (const Cell& row : ListMember(report_, "nodes")) AddNode(row);
    const Cell* model = FindMember(report_, "model");
    if (model != nullptr) {
      std::set<std::string> outputs;
      for (const Cell& port : ListMember(*model, "outputs")) outputs.insert(TextMember(port, "name"));
      for (DiffNode& node : side_.nodes) {
        node.makes_output = std::any_of(node.outputs.begin(), node.outputs.end(), [&](const std::string& name) {
          return !name.empty() && outputs.count(name) > 0;
        });
      }
    }
    for (const Cell& row : ListMember(report_, "groups")) AddGroup(row);
    for (const Cell& row : ListMember(report_, "modules"))
      side_.modules.emplace_back(TextMember(row, "path"), FigureMember(row, "time_s"));
    for (const Cell& row : ListMember(report_, "segments")) AddSegment(row);
    return std::move(side_);
  }

 private:
  // The values that a node reads or makes, "" for an absent one: by id, because bodies of control flow may reuse names;
  // by name in older reports, which have no ids.
  static std::vector<std::string> ValuesOf(const Cell& row, const std::string& key) {
    const Cell* ids = FindMember(row, key == "inputs" ? "input_ids" : "output_ids");
    std::vector<std::string> values;
    for (const Cell& value : ListMember(row, key)) values.push_back(value.text() != nullptr ? *value.text() : "");
    if (ids == nullptr || ids->list() == nullptr || ids->list()->size() != values.size()) return values;
    for (size_t i = 0; i < values.size(); ++i) {
      const int64_t* const id = (*ids->list())[i].number();
      values[i] = id != nullptr ? absl::StrCat("#", *id) : "";
    }
    return values;
  }

  void AddNode(const Cell& row) {
    DiffNode node;
    const std::string domain = TextMember(row, "domain");
    const bool is_default = domain.empty() || domain == "ai.onnx";
    const std::string op = TextMember(row, "op");
    node.op = is_default ? op : absl::StrCat(domain, "::", op);
    node.module = TextMember(row, "module");
    const OpRule* rule = FindRule(is_default ? "" : domain, op);
    if (rule != nullptr) node.traits = rule->traits;
    for (const std::string& value : ValuesOf(row, "inputs")) {
      const auto made = made_by_.find(value);
      node.inputs.push_back(made != made_by_.end() ? made->second
                                                   : DiffEdge{-1, 0, value.empty() ? "absent" : "given"});
    }
    for (const Cell& name : ListMember(row, "outputs"))
      node.outputs.push_back(name.text() != nullptr ? *name.text() : "");
    const std::vector<std::string> outputs = ValuesOf(row, "outputs");
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].empty()) continue;
      made_by_[outputs[i]] = {static_cast<int64_t>(side_.nodes.size()), static_cast<uint32_t>(i), ""};
    }
    node.name = TextMember(row, "label");
    if (node.name.empty()) node.name = TextMember(row, "name");
    if (node.name.empty() && !node.outputs.empty()) node.name = node.outputs[0];
    for (const char* key : {"macs", "flops", "params", "in_bytes", "weight_bytes", "out_bytes"}) {
      const Cell* cell = FindMember(row, key);
      if (cell != nullptr && !cell->is_null()) node.details.emplace_back(key, CellText(*cell, ""));
    }
    side_.nodes.push_back(std::move(node));
  }

  // By id; in older reports without it, by the group's name, which is its root's.
  size_t RootOf(const Cell& group, const std::vector<size_t>& nodes) const {
    const Cell* root = FindMember(group, "root");
    const int64_t id = root != nullptr && root->number() != nullptr ? *root->number() : -1;
    const auto is_root = [&](size_t node) { return static_cast<int64_t>(node) == id; };
    const auto by_id = std::find_if(nodes.begin(), nodes.end(), is_root);
    if (by_id != nodes.end()) return *by_id;
    const std::string name = TextMember(group, "name");
    const auto named =
        std::find_if(nodes.rbegin(), nodes.rend(), [&](size_t node) { return side_.nodes[node].name == name; });
    return named != nodes.rend() ? *named : nodes.back();
  }

  void AddGroup(const Cell& row) {
    const Cell::List& nodes = ListMember(row, "nodes");
    std::vector<size_t> ids;
    for (const Cell& id : nodes) {
      if (id.number() == nullptr || *id.number() < 0 || static_cast<size_t>(*id.number()) >= side_.nodes.size())
        continue;
      ids.push_back(static_cast<size_t>(*id.number()));
    }
    if (ids.empty()) return;
    const size_t root = RootOf(row, ids);
    for (const size_t id : ids) {
      DiffNode& node = side_.nodes[id];
      node.pattern = TextMember(row, "pattern");
      node.unit = TextMember(row, "unit");
      node.precision = TextMember(row, "precision");
      node.is_root = id == root;
      if (node.is_root) node.time_s = FigureMember(row, "time_s");
    }
    const std::optional<double> time_s = FigureMember(row, "time_s");
    const std::optional<double> segment = FigureMember(row, "segment");
    if (time_s.has_value() && segment.has_value()) in_segment_s_[static_cast<int64_t>(*segment)] += *time_s;
  }

  void AddSegment(const Cell& row) {
    side_.segments_s += FigureMember(row, "transfer_s").value_or(0) + FigureMember(row, "invoke_s").value_or(0);
    const Cell* contexts = FindMember(row, "contexts");
    if (contexts == nullptr || contexts->is_null()) return;
    side_.segments_s += FigureMember(row, "time_s").value_or(0);
    const std::optional<double> id = FigureMember(row, "id");
    if (id.has_value()) side_.segments_s -= in_segment_s_[static_cast<int64_t>(*id)];
  }

  const Cell& report_;
  DiffSide side_;
  std::unordered_map<std::string, DiffEdge> made_by_;  // by the value, see ValuesOf
  std::map<int64_t, double> in_segment_s_;             // of its groups
};

// A language model on a runtime: the first row of the report, which is that of the first target.
absl::StatusOr<DiffSide> LlmSide(const Cell& report, const std::string& path) {
  const Cell::List& rows = ListMember(report, "rows");
  if (rows.empty()) {
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(path), " has no target that runs the model"),
                     "save `onnx-hwest llm` of a target with a runtime that takes it");
  }
  const Cell& row = rows.front();
  DiffSide side{.target = MaybeText(row, "target"), .mode = MaybeText(row, "mode")};
  if (const Cell* model = FindMember(report, "model")) side.model = TextMember(*model, "name");
  side.precision = absl::StrCat(TextMember(row, "runtime"), " ", TextMember(row, "weights"));
  side.from_report = side.is_llm = true;
  side.summary = Cell::OfObject();
  for (const LlmFigure& figure : LlmFigures()) {
    if (const Cell* cell = FindMember(row, figure.key)) side.summary.Set(std::string(figure.key), *cell);
  }
  for (const Cell& result : ListMember(report, "results")) {
    const Cell* largest = FindMember(result, "largest_context");
    if (TextMember(result, "target") != side.target.value_or("") || largest == nullptr) continue;
    side.summary.Set("largest_context", *largest);
    break;
  }
  return side;
}

}  // namespace

const std::vector<LlmFigure>& LlmFigures() {
  static const auto* const figures =
      new std::vector<LlmFigure>{{"prompt", "prompt", Shown::kPlain},
                                 {"context", "context", Shown::kPlain},
                                 {"batch", "batch", Shown::kPlain},
                                 {"ttft_s", "first token", Shown::kSeconds},
                                 {"tokens_per_s", "tokens/s", Shown::kPerSecond},
                                 {"total_tokens_per_s", "tokens/s of all", Shown::kPerSecond},
                                 {"answer_s", "answer", Shown::kSeconds},
                                 {"j_per_token", "energy a token", Shown::kJoules},
                                 {"weights_bytes", "weights", Shown::kBytes},
                                 {"cache_bytes", "cache", Shown::kBytes},
                                 {"work_bytes", "work space", Shown::kBytes},
                                 {"memory_bytes", "memory", Shown::kBytes},
                                 {"largest_context", "largest context", Shown::kPlain},
                                 {"fits", "fits", Shown::kPlain}};
  return *figures;
}

bool IsSavedReport(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file >> first && first == '{';
}

absl::StatusOr<DiffSide> ReadSide(const std::string& path) {
  HWEST_ASSIGN_OR_RETURN(const Cell report, ReadSavedDocument(path, {"analysis", "llm"}));
  DiffSide side;
  if (TextMember(report, "kind") == "llm") {
    HWEST_ASSIGN_OR_RETURN(side, LlmSide(report, path));
  } else {
    side = ReportSide(report).Run();
  }
  if (side.model.empty()) side.model = path;
  return side;
}

}  // namespace hwest
