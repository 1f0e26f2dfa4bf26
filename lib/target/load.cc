// The public way in: targets and toolchains by name, path or text.
#include <utility>

#include "base/status_macros.h"
#include "hwest/target.h"
#include "target/convert.h"
#include "target/embedded.h"
#include "target/read.h"

namespace hwest {
namespace {

constexpr absl::string_view kBuiltIn = "built-in";

absl::StatusOr<Toolchain> LoadToolchainFrom(absl::string_view name, absl::string_view relative_to) {
  HWEST_ASSIGN_OR_RETURN(const FileText file, FindToolchain(name, relative_to == kBuiltIn ? "" : relative_to));
  const ReadResult<proto::Toolchain> read = ReadToolchainFile(file);
  if (!read.problems.empty()) return InvalidFile(file.origin, read.problems);
  return ConvertToolchain(read.message);
}

// Units name a toolchain by what they wrote; the row is kept under that text, so that a path finds its row too.
absl::Status AddToolchain(absl::string_view name, Target* target) {
  for (const Toolchain& known : target->toolchains) {
    if (known.name == name) return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(Toolchain toolchain, LoadToolchainFrom(name, target->origin));
  toolchain.name = std::string(name);
  target->toolchains.push_back(std::move(toolchain));
  return absl::OkStatus();
}

// The target of a message that was read, with the toolchains its units name.
absl::StatusOr<Target> Finish(const ReadResult<proto::Target>& read, absl::string_view origin) {
  if (!read.problems.empty()) return InvalidFile(origin, read.problems);
  Target target = ConvertTarget(read.message);
  target.origin = std::string(origin);
  for (const Unit& unit : target.units) {
    if (!unit.toolchain.empty()) HWEST_RETURN_IF_ERROR(AddToolchain(unit.toolchain, &target));
  }
  return target;
}

}  // namespace

absl::StatusOr<Target> ParseTarget(absl::string_view text, absl::string_view origin) {
  return Finish(ReadTarget(text, origin), origin);
}

absl::StatusOr<Target> LoadTarget(absl::string_view name_or_path) {
  HWEST_ASSIGN_OR_RETURN(const FileText file, FindTarget(name_or_path, ""));
  return Finish(ReadTargetFile(file), file.origin);
}

absl::StatusOr<Toolchain> LoadToolchain(absl::string_view name) { return LoadToolchainFrom(name, ""); }

absl::StatusOr<Target> UseToolchain(const Target& target, absl::string_view unit, absl::string_view toolchain) {
  Target changed = target;
  HWEST_ASSIGN_OR_RETURN(const UnitId id, FindUnit(target, unit));
  HWEST_RETURN_IF_ERROR(AddToolchain(toolchain, &changed));
  changed.units[id].toolchain = std::string(toolchain);
  return changed;
}

std::vector<TargetSummary> ListTargets() {
  std::vector<TargetSummary> rows;
  for (const EmbeddedFile& file : EmbeddedTargets()) {
    const ReadResult<proto::Target> read = ReadTarget(file.text, kBuiltIn);
    rows.push_back(SummaryOf(ConvertTarget(read.message)));
  }
  return rows;
}

}  // namespace hwest
