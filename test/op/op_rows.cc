#include "op/op_rows.h"

#include "support/catch.h"

namespace hwest {

void CheckRows(const std::vector<OpRow>& rows) {
  for (const OpRow& row : rows) {
    INFO(row.name);
    OpCase op = row.op;
    op.outputs = static_cast<int>(row.types.size());
    const OpRun run = RunOp(op);
    INFO(run.inferred.ToString());
    REQUIRE(run.inferred.ok());
    REQUIRE(run.work.ok());
    for (size_t i = 0; i < row.types.size(); ++i) CHECK(run.type(static_cast<int>(i)) == row.types[i]);
    CHECK(run.macs() == row.macs);
    CHECK(run.int_macs() == row.int_macs);
    CHECK(run.ops() == row.ops);
    CHECK(run.contractions() == row.contractions);
  }
}

void CheckKnown(const std::vector<KnownRow>& rows) {
  for (const KnownRow& row : rows) {
    INFO(row.name);
    const OpRun run = RunOp(row.op);
    INFO(run.inferred.ToString());
    REQUIRE(run.inferred.ok());
    CHECK(run.type(0) == row.type);
    CHECK(run.known(0) == row.known);
  }
}

void CheckRefused(const OpCase& op, const std::string& message) {
  const OpRun run = RunOp(op);
  INFO("expected: " << message);
  INFO("found: " << run.inferred.ToString());
  CHECK(absl::IsInvalidArgument(run.inferred));
  CHECK(std::string(run.inferred.message()).find(message) != std::string::npos);
  CHECK(run.type(0) == "none");
}

}  // namespace hwest
