// Checks names in a toolchain file: operators, their attributes, fusions.
#include <vector>

#include "absl/strings/str_cat.h"
#include "target/check.h"
#include "target/limit.h"
#include "target/names.h"

namespace hwest {
namespace {

// The operators that the limits of one row are about.
struct Ops {
  absl::string_view domain;
  std::vector<std::string> names;
};

class NameCheck {
 public:
  void Add(const std::string& path, const NameProblem& problem, Severity severity = Severity::kError) {
    if (problem.message.empty()) return;
    rows_.push_back({.path = path, .message = problem.message, .remedy = problem.remedy, .severity = severity});
  }

  void Run(const std::string& path, const Ops& ops, const Limit& limit) {
    if (!limit.attr.empty()) Add(path, CheckAttribute(ops.domain, ops.names, limit.attr));
    if (limit.kind == LimitKind::kOp || limit.kind == LimitKind::kNeighbour || limit.kind == LimitKind::kOrigin) {
      for (const std::string& op : limit.any) {
        if (op != "none") Add(path, CheckOperatorAnywhere(op));
      }
    }
    for (const Limit& other : limit.other) Run(path, ops, other);
    for (const Limit& condition : limit.when) Run(path, ops, condition);
  }

  void Run(const std::string& path, const Ops& ops, const google::protobuf::RepeatedPtrField<proto::Limit>& limits) {
    for (const proto::Limit& row : limits) {
      Limit limit;
      if (ReadLimit(row, &limit).empty()) Run(path, ops, limit);
    }
  }

  std::vector<LintProblem> Take() && { return std::move(rows_); }

 private:
  std::vector<LintProblem> rows_;
};

// The pattern of a fusion, or an operator by itself.
NameProblem CheckGroup(absl::string_view name) {
  const bool is_pattern = !name.empty() && absl::ascii_islower(static_cast<unsigned char>(name[0]));
  return is_pattern ? CheckGroupName(name) : CheckOperatorAnywhere(name);
}

}  // namespace

std::vector<LintProblem> CheckNames(const proto::Toolchain& toolchain) {
  NameCheck check;
  for (const proto::Support& row : toolchain.support()) {
    const std::string path = SupportPath(row);
    const Ops ops{.domain = row.domain(), .names = {row.op().begin(), row.op().end()}};
    for (const std::string& op : ops.names) check.Add(path, CheckOperator(ops.domain, op));
    for (const std::string& name : row.only_in()) check.Add(path, CheckGroupName(name));
    for (const std::string& name : row.also_in()) check.Add(path, CheckGroupName(name));
    check.Run(path, ops, row.limit());
  }
  for (const proto::Pick& pick : toolchain.fuses()) {
    const std::string path = absl::StrCat("fuses/", pick.pattern());
    if (!pick.pattern().empty()) check.Add(path, CheckFusion(pick.pattern()));
    check.Run(path, {}, pick.limit());
  }
  for (const proto::Keep& keep : toolchain.keeps()) {
    if (!keep.reading().empty()) check.Add(absl::StrCat("keeps/", keep.reading()), CheckReading(keep.reading()));
  }
  for (const proto::Slow& row : toolchain.slow()) {
    for (const std::string& op : row.op()) check.Add(SlowPath(row), CheckOperatorAnywhere(op));
    for (const std::string& name : row.only_in()) check.Add(SlowPath(row), CheckGroup(name));
    for (const std::string& op : row.after()) check.Add(SlowPath(row), CheckOperatorAnywhere(op));
    check.Run(SlowPath(row), {.domain = "", .names = {row.op().begin(), row.op().end()}}, row.limit());
  }
  for (const proto::HostCopy& row : toolchain.host_copies()) {
    const bool is_any = row.op_size() == 1 && row.op(0) == "*";
    Ops operators{.domain = "", .names = {row.op().begin(), row.op().end()}};
    if (is_any) operators = {};
    for (const std::string& op : operators.names) check.Add(HostCopyPath(row), CheckOperatorAnywhere(op));
    check.Run(HostCopyPath(row), operators, row.limit());
    for (const proto::Exception& exception : row.unless()) check.Run(HostCopyPath(row), operators, exception.limit());
  }
  for (const proto::Widen& widen : toolchain.widens()) {
    for (const std::string& name : widen.group()) {
      check.Add(absl::StrCat("widens/", name), CheckGroup(name));
    }
  }
  return std::move(check).Take();
}

}  // namespace hwest
