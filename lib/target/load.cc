// The public way in: targets and toolchains by name, path or text.
#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "base/status_macros.h"
#include "hwest/host.h"
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

// The target of a message that was read, as its units stand in the file, with the toolchains they name.
absl::StatusOr<Target> AsStated(const ReadResult<proto::Target>& read, absl::string_view origin) {
  if (!read.problems.empty()) return InvalidFile(origin, read.problems);
  Target target = ConvertTarget(read.message);
  target.origin = std::string(origin);
  for (const Unit& unit : target.units) {
    if (!unit.toolchain.empty()) HWEST_RETURN_IF_ERROR(AddToolchain(unit.toolchain, &target));
  }
  return target;
}

absl::StatusOr<FileText> FindFrom(absl::string_view name, absl::string_view origin) {
  return FindTarget(name, origin == kBuiltIn ? "" : origin);
}

absl::StatusOr<std::shared_ptr<const Target>> Shared(absl::StatusOr<Target> target) {
  if (!target.ok()) return target.status();
  return std::make_shared<const Target>(*std::move(target));
}

bool HasAccelerator(const proto::Target& target) {
  return std::any_of(target.unit().begin(), target.unit().end(),
                     [](const proto::Unit& unit) { return unit.kind() != proto::SIMD_CPU; });
}

// The nearest of the bases of `target` that is a CPU alone, so that a module has its CPU from it; "" = there is none.
std::string HostAmongBases(const Target& target) {
  std::string name = target.base, origin = target.origin;
  while (!name.empty()) {
    const absl::StatusOr<FileText> file = FindFrom(name, origin);
    if (!file.ok()) return "";
    const ReadResult<proto::Target> base = ReadTargetFile(*file);
    if (!base.problems.empty()) return "";
    if (!HasAccelerator(base.message)) return base.message.name();
    name = base.message.base();
    origin = file->origin;
  }
  return "";
}

// As above, a module beside the host that its file names.
absl::StatusOr<Target> Finish(const ReadResult<proto::Target>& read, absl::string_view origin) {
  HWEST_ASSIGN_OR_RETURN(Target target, AsStated(read, origin));
  if (target.host.empty()) {
    if (IsDiscrete(target)) target.host = HostAmongBases(target);
    return target;
  }
  HWEST_ASSIGN_OR_RETURN(const FileText file, FindFrom(target.host, origin));
  HWEST_ASSIGN_OR_RETURN(const Target host, AsStated(ReadTargetFile(file), file.origin));
  return UseHost(target, host);
}

}  // namespace

absl::StatusOr<Target> ParseTarget(absl::string_view text, absl::string_view origin) {
  return Finish(ReadTarget(text, origin), origin);
}

absl::StatusOr<Target> LoadTarget(absl::string_view name_or_path) {
  HWEST_ASSIGN_OR_RETURN(const FileText file, FindTarget(name_or_path, ""));
  return Finish(ReadTargetFile(file), file.origin);
}

// Built-in targets, read when they are first asked for; so is each of their modes.
absl::StatusOr<std::shared_ptr<const Target>> SharedTarget(absl::string_view name_or_path, absl::string_view mode) {
  struct Slot {
    std::once_flag once;
    absl::StatusOr<std::shared_ptr<const Target>> target;
  };
  struct BuiltInSlots {
    Slot stated;
    std::vector<Slot> in_mode;  // as Target::modes; one more for the default
  };
  static std::vector<BuiltInSlots>& slots = *new std::vector<BuiltInSlots>(EmbeddedTargets().size());

  const EmbeddedFile* file = IsPath(name_or_path) ? nullptr : FindBuiltIn(name_or_path);
  if (file == nullptr) {
    HWEST_ASSIGN_OR_RETURN(const Target target, LoadTarget(name_or_path));
    return Shared(ApplyMode(target, mode));
  }
  BuiltInSlots& built_in = slots[static_cast<size_t>(file - EmbeddedTargets().data())];
  std::call_once(built_in.stated.once, [&] {
    built_in.stated.target = Shared(LoadTarget(file->name));
    if (built_in.stated.target.ok()) built_in.in_mode = std::vector<Slot>((*built_in.stated.target)->modes.size() + 1);
  });
  HWEST_RETURN_IF_ERROR(built_in.stated.target.status());
  const Target& stated = **built_in.stated.target;
  const Mode* row = ModeOf(stated, mode);
  if (row == nullptr && !mode.empty()) return Shared(ApplyMode(stated, mode));  // its error
  Slot& slot = row == nullptr ? built_in.in_mode.back() : built_in.in_mode[static_cast<size_t>(row - stated.modes.data())];
  std::call_once(slot.once, [&] { slot.target = Shared(ApplyMode(stated, mode)); });
  return slot.target;
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
