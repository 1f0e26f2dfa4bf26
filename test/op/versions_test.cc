// Which versions of the standard operators run: see versions.h for how to add one.
#include "op/versions.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "support/catch.h"

namespace hwest {

std::vector<VersionRow> AllVersionRows() {
  std::vector<VersionRow> rows;
  for (std::vector<VersionRow> family : {
           ComputeVersions(),
           ControlVersions(),
           MlVersions(),
           OrtVersions(),
           PointwiseVersions(),
           ReduceVersions(),
           ShapeVersions(),
           SignalVersions(),
       }) {
    rows.insert(rows.end(), family.begin(), family.end());
  }
  return rows;
}

namespace {

// Versions that no row runs, with the reason. Only training and preview operators may stand here.
struct NotRun {
  const char* op;
  int version;
  const char* reason;
};
const std::vector<NotRun> kNotRun = {};

using Pair = std::pair<std::string, int>;  // "Add" or "ai.onnx.ml::Scaler", and a version

std::string NameOf(const OpRule& rule) {
  return rule.domain.empty() ? std::string(rule.op) : absl::StrCat(rule.domain, "::", rule.op);
}

const OpRule* RuleOf(const std::string& name) {
  const std::vector<std::string> parts = absl::StrSplit(name, "::");
  return FindRule(parts.size() == 2 ? parts[0] : "", parts.back());
}

std::vector<int> Versions(absl::string_view text) {
  std::vector<int> versions;
  for (const absl::string_view part : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    REQUIRE(absl::SimpleAtoi(part, &versions.emplace_back()));
  }
  return versions;
}

// All versions of the standard domains.
std::set<Pair> StandardPairs() {
  std::set<Pair> pairs;
  for (const OpRule& rule : AllRules()) {
    if (!rule.domain.empty() && !absl::StartsWith(rule.domain, "ai.onnx")) continue;
    for (const int version : Versions(rule.versions)) pairs.insert({NameOf(rule), version});
  }
  return pairs;
}

std::vector<std::string> TypesAt(const VersionRow& row, int version) {
  if (row.run != nullptr) return row.run(version);
  OpCase op = row.op;
  (absl::StrContains(op.op, "::") ? op.domain_version : op.opset) = version;
  op.outputs = static_cast<int>(row.types.size());
  const OpRun run = RunOp(op);
  INFO(run.inferred.ToString());
  CHECK(run.inferred.ok());
  std::vector<std::string> types;
  for (int i = 0; i < op.outputs; ++i) types.push_back(run.type(i));
  return types;
}

TEST_CASE("every version of every standard operator runs") {
  std::set<Pair> left = StandardPairs();
  const size_t all = left.size();
  for (const VersionRow& row : AllVersionRows()) {
    const OpRule* rule = RuleOf(row.op.op);
    INFO(row.op.op);
    REQUIRE(rule != nullptr);
    const std::vector<int> known = Versions(rule->versions);
    for (const int version : row.versions == "*" ? known : Versions(row.versions)) {
      INFO("version " << version);
      CHECK(std::find(known.begin(), known.end(), version) != known.end());
      CHECK(TypesAt(row, version) == row.types);
      left.erase({row.op.op, version});
    }
  }
  CHECK(kNotRun.size() * 20 <= all);
  for (const NotRun& row : kNotRun) {
    INFO(row.op << " " << row.version);
    CHECK(absl::StartsWith(row.op, "ai.onnx.preview"));
    CHECK(left.erase({row.op, row.version}) == 1);
  }
  for (const auto& [op, version] : left) {
    INFO(op << " at version " << version << " is in no row");
    CHECK(false);
  }
}

}  // namespace
}  // namespace hwest
