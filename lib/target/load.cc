// The public entry: targets and toolchains by name, path or text.
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "hwest/host.h"
#include "target/convert.h"
#include "target/embedded.h"
#include "target/mode.h"
#include "target/pack.h"
#include "target/read.h"

namespace hwest {
namespace {

constexpr absl::string_view kBuiltIn = "built-in";

// The packed form of a file in the library; null where there is none.
const PackedFile* FindPacked(absl::Span<const PackedFile> files, absl::string_view name) {
  for (const PackedFile& file : files) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

absl::StatusOr<Toolchain> LoadToolchainFrom(absl::string_view name, absl::string_view relative_to) {
  const PackedFile* packed = FindPacked(PackedToolchains(), name);
  Toolchain toolchain;
  if (packed != nullptr && Unpack(packed->bytes, &toolchain)) return toolchain;
  HWEST_ASSIGN_OR_RETURN(const FileText file, FindToolchain(name, relative_to == kBuiltIn ? "" : relative_to));
  const ReadResult<proto::Toolchain> read = ReadToolchain(file.text(), file.origin);
  if (!read.problems.empty()) return InvalidFile(file.origin, read.problems);
  return ConvertToolchain(read.message);
}

// Keeps a toolchain under the text by which units name it, so that a path finds its row, too.
absl::Status AddToolchain(absl::string_view name, Target* target) {
  for (const Toolchain& known : target->toolchains) {
    if (known.name == name) return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(Toolchain toolchain, LoadToolchainFrom(name, target->origin));
  toolchain.name = std::string(name);
  target->toolchains.push_back(std::move(toolchain));
  return absl::OkStatus();
}

// The target of a parsed message, with units as in the file and the toolchains that they name.
absl::StatusOr<Target> AsStated(const ReadResult<proto::Target>& read, absl::string_view origin) {
  if (!read.problems.empty()) return InvalidFile(origin, read.problems);
  Target target = ConvertTarget(read.message);
  target.origin = std::string(origin);
  for (const Unit& unit : target.units) {
    if (!unit.toolchain.empty()) HWEST_RETURN_IF_ERROR(AddToolchain(unit.toolchain, &target));
  }
  for (LanguageRuntime& runtime : target.runtimes) {
    const bool is_file = origin != kBuiltIn && IsPath(runtime.toolchain);
    if (is_file) runtime.toolchain = std::string(ResolvedPath(runtime.toolchain, origin));
  }
  return target;
}

absl::StatusOr<FileText> FindFrom(absl::string_view name, absl::string_view origin) {
  return FindTarget(name, origin == kBuiltIn ? "" : origin);
}

absl::StatusOr<std::shared_ptr<const Target>> InMode(absl::string_view name_or_path, absl::string_view mode) {
  HWEST_ASSIGN_OR_RETURN(Target target, LoadTarget(name_or_path));
  HWEST_RETURN_IF_ERROR(SetMode(mode, &target));
  return std::make_shared<const Target>(std::move(target));
}

// Fills in the toolchains that a packed target names.
absl::StatusOr<Target> WithToolchains(Target target) {
  for (Toolchain& toolchain : target.toolchains) {
    std::string name = std::move(toolchain.name);
    HWEST_ASSIGN_OR_RETURN(toolchain, LoadToolchainFrom(name, kBuiltIn));
    toolchain.name = std::move(name);
  }
  return target;
}

bool HasAccelerator(const proto::Target& target) {
  return std::any_of(target.unit().begin(), target.unit().end(),
                     [](const proto::Unit& unit) { return unit.kind() != proto::SIMD_CPU; });
}

// The nearest base of `target` that is only a CPU, from which a module has its CPU; "" = there is none.
std::string HostAmongBases(const Target& target) {
  std::string name = target.base, origin = target.origin;
  while (!name.empty()) {
    const absl::StatusOr<FileText> file = FindFrom(name, origin);
    if (!file.ok()) return "";
    const ReadResult<proto::Target> base = ReadTarget(file->text(), file->origin);
    if (!base.problems.empty()) return "";
    if (!HasAccelerator(base.message)) return base.message.name();
    name = base.message.base();
    origin = file->origin;
  }
  return "";
}

// As above, with a module attached to the host that its file names.
absl::StatusOr<Target> Finish(const ReadResult<proto::Target>& read, absl::string_view origin) {
  HWEST_ASSIGN_OR_RETURN(Target target, AsStated(read, origin));
  if (target.host.empty()) {
    if (IsDiscrete(target)) target.host = HostAmongBases(target);
    return target;
  }
  HWEST_ASSIGN_OR_RETURN(const FileText file, FindFrom(target.host, origin));
  HWEST_ASSIGN_OR_RETURN(const Target host, AsStated(ReadTarget(file.text(), file.origin), file.origin));
  return UseHost(target, host);
}

}  // namespace

absl::StatusOr<Target> ParseTarget(absl::string_view text, absl::string_view origin) {
  return Finish(ReadTarget(text, origin), origin);
}

absl::StatusOr<Target> LoadTarget(absl::string_view name_or_path) {
  const EmbeddedFile* built_in = IsPath(name_or_path) ? nullptr : FindBuiltIn(name_or_path);
  const PackedFile* packed = built_in == nullptr ? nullptr : FindPacked(PackedTargets(), built_in->name);
  Target target;
  if (packed != nullptr && Unpack(packed->bytes, &target)) return WithToolchains(std::move(target));
  HWEST_ASSIGN_OR_RETURN(const FileText file, FindTarget(name_or_path, ""));
  return Finish(ReadTarget(file.text(), file.origin), file.origin);
}

absl::StatusOr<std::shared_ptr<const Target>> SharedTarget(absl::string_view name_or_path, absl::string_view mode) {
  using Key = std::pair<const EmbeddedFile*, std::string>;
  static auto* const built_in = new std::map<Key, std::shared_ptr<const Target>>();
  static std::mutex mutex;

  const EmbeddedFile* file = IsPath(name_or_path) ? nullptr : FindBuiltIn(name_or_path);
  if (file == nullptr) return InMode(name_or_path, mode);
  const std::lock_guard<std::mutex> lock(mutex);
  const auto known = built_in->find({file, std::string(mode)});
  if (known != built_in->end()) return known->second;
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Target> target, InMode(file->name, mode));
  return built_in->emplace(Key(file, mode), std::move(target)).first->second;
}

absl::StatusOr<std::shared_ptr<const Target>> SharedTarget(const std::shared_ptr<const Target>& loaded,
                                                           absl::string_view name_or_path, absl::string_view mode) {
  if (loaded == nullptr) return SharedTarget(name_or_path, mode);
  HWEST_ASSIGN_OR_RETURN(Target target, ApplyMode(*loaded, mode));
  return std::make_shared<const Target>(std::move(target));
}

absl::StatusOr<Target> LoadWithHost(absl::string_view module, absl::string_view host) {
  HWEST_ASSIGN_OR_RETURN(const Target target, LoadTarget(module));
  HWEST_ASSIGN_OR_RETURN(const Target lender, LoadTarget(host));
  return UseHost(target, lender);
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
    const PackedFile* packed = FindPacked(PackedSummaries(), file.name);
    TargetSummary& row = rows.emplace_back();
    if (packed != nullptr && Unpack(packed->bytes, &row)) continue;
    row = SummaryOf(ConvertTarget(ReadTarget(file.text, kBuiltIn).message));
  }
  return rows;
}

}  // namespace hwest
