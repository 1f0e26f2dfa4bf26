// Makes tasks from saved JSON reports of analyses.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/bounded_read.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/cost.h"
#include "workload/candidates.h"

namespace hwest {
namespace {

using Json = nlohmann::json;

constexpr char kMakeReport[] = "name what an analysis wrote as JSON";

absl::Status Refused(absl::string_view what) { return MakeError(Code::kModelRefused, what, kMakeReport); }

double Number(const Json& row, const char* key) {
  const auto at = row.find(key);
  return at != row.end() && at->is_number() ? std::max(0.0, at->get<double>()) : 0;
}

std::string Text(const Json& row, const char* key) {
  const auto at = row.find(key);
  return at != row.end() && at->is_string() ? at->get<std::string>() : "";
}

const Json& ListOf(const Json& document, const char* key) {
  static const Json kEmpty = Json::array();
  const auto at = document.find(key);
  return at != document.end() && at->is_array() ? *at : kEmpty;
}

const Json& ObjectOf(const Json& document, const char* key) {
  static const Json kEmpty = Json::object();
  const auto at = document.find(key);
  return at != document.end() && at->is_object() ? *at : kEmpty;
}

// A report has the bytes that groups move, not those that cross the shared memory: at most what their memory time
// carries.
Piece PieceOf(const Json& row, const Chip& chip, uint32_t unit) {
  const double time = Number(row, "time_s"), compute = Number(row, "compute_s"), memory = Number(row, "memory_s");
  const double longer = std::max(compute, memory), shorter = std::min(compute, memory);
  Piece piece{.compute_s = compute, .memory_s = memory, .dram_s = memory};
  if (shorter > 0) piece.serial = std::clamp((time - Number(row, "overhead_s") - longer) / shorter, 0.0, 1.0);
  piece.other_s = std::max(0.0, time - longer - piece.serial * shorter);
  const double moved = Number(row, "in_bytes") + Number(row, "weight_bytes") + Number(row, "out_bytes");
  const double rate = chip.resources[unit].bytes_per_s;
  piece.bytes = rate > 0 ? std::min(moved, memory * rate) : moved;
  if (rate > 0) piece.dram_s = std::min(memory, piece.bytes / rate);
  return piece;
}

absl::Status AddSegment(const Json& segment, const Json& groups, const Chip& chip, TaskPlan* out) {
  const UnitId unit = UnitIdOf(*chip.target, Text(segment, "unit"));
  if (!unit.valid()) {
    return Refused(absl::StrCat("the report names unit \"", EscapeControl(Text(segment, "unit")), "\", which ",
                                chip.target->name, " has not"));
  }
  const uint32_t index = unit.index();
  if (Number(segment, "transfer_s") > 0) {
    const double seconds = Number(segment, "transfer_s"), most = chip.all_bytes_per_s[chip.resources[index].pool];
    Piece piece{.memory_s = seconds, .bytes = 2 * Number(segment, "in_bytes")};
    if (most > 0) piece.dram_s = std::min(seconds, piece.bytes / most), piece.bytes = piece.dram_s * most;
    out->load.stages.push_back({chip.LinkTo(unit), {piece}});
  }
  Stage stage{.resource = index};
  if (Number(segment, "invoke_s") > 0) stage.pieces.push_back({.other_s = Number(segment, "invoke_s")});
  double summed = 0;
  for (const Json& id : ListOf(segment, "groups")) {
    if (!id.is_number_unsigned() || id.get<size_t>() >= groups.size())
      return Refused("a segment of the report names a group that it has not");
    stage.pieces.push_back(PieceOf(groups[id.get<size_t>()], chip, index));
    summed += stage.pieces.back().alone_s();
  }
  // Groups of a pipeline run at the same time.
  const double time = Number(segment, "time_s");
  if (summed > 0 && std::abs(summed - time) > 1e-6 * summed) {
    stage.pieces = {{.other_s = Number(segment, "invoke_s") + time}};
  }
  out->load.stages.push_back(std::move(stage));
  out->shares.push_back({Text(segment, "unit"), Number(segment, "invoke_s") + time});
  const double waited_s = time + Number(segment, "transfer_s") + Number(segment, "invoke_s");
  out->load.energy_j +=
      std::max(0.0, Number(segment, "energy_j") - StaticWatts(*chip.target, chip.target->units[unit]) * waited_s);
  return absl::OkStatus();
}

void MergeShares(TaskPlan* out) {
  std::vector<UnitTimeShare> merged;
  double all = 0;
  for (const UnitTimeShare& share : out->shares) {
    all += share.share;
    const auto at =
        std::find_if(merged.begin(), merged.end(), [&](const UnitTimeShare& row) { return row.unit == share.unit; });
    if (at == merged.end()) {
      merged.push_back(share);
    } else {
      at->share += share.share;
    }
  }
  for (UnitTimeShare& share : merged) share.share = all > 0 ? share.share / all : 0;
  out->shares = std::move(merged);
}

// A report is of one precision, batch and placement. Errors: kUsage where the task asks for another.
absl::Status CheckSettings(const WorkloadTask& task, const Json& request) {
  const auto refuse = [](absl::string_view key) {
    return MakeError(Code::kUsage, absl::StrCat("`", key, "` beside a saved report, which was made without it"),
                     "name the model itself, or analyse it that way and leave the key out");
  };
  if (task.precision != "auto" && task.precision != Text(request, "precision")) return refuse("precision");
  if (!task.only.empty()) return refuse("only");
  if (!task.pin.empty()) return refuse("pin");
  if (!task.dims.empty()) return refuse("dim");
  const auto batch = request.find("batch");
  const bool has_batch = batch != request.end() && batch->is_number_integer();
  if (has_batch && batch->get<int64_t>() != task.batch) {
    return MakeError(Code::kUsage,
                     absl::StrCat("the report is of batch ", batch->get<int64_t>(), ", the task of batch ", task.batch),
                     absl::StrCat("write batch: ", batch->get<int64_t>()));
  }
  return absl::OkStatus();
}

std::vector<MemoryNeed> NeedsOf(const Json& rows) {
  std::vector<MemoryNeed> needs;
  for (const Json& row : rows) {
    const auto bytes = [&](const char* key) { return static_cast<int64_t>(Number(row, key)); };
    needs.push_back({.memory = Text(row, "memory"),
                     .size_bytes = std::nullopt,
                     .weight_bytes = bytes("weight_bytes"),
                     .cache_bytes = bytes("cache_bytes"),
                     .activation_bytes = bytes("activation_bytes"),
                     .is_part = row.value("is_part", true),
                     .why = ""});
  }
  return needs;
}

}  // namespace

absl::StatusOr<std::string> ReadSavedReport(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return MakeError(Code::kModelMissing, absl::StrCat("cannot read the report ", EscapeControl(path)), kMakeReport);
  std::optional<std::string> text = ReadAtMost(file, kMaxSavedBytes);
  if (!text.has_value()) return Refused(absl::StrCat("the report ", EscapeControl(path), " is larger than 256 MiB"));
  return *std::move(text);
}

absl::StatusOr<TaskPlan> SavedCandidate(absl::string_view json, const WorkloadTask& task, const Chip& chip) {
  const Json document = Json::parse(json.begin(), json.end(), nullptr, false);
  if (document.is_discarded() || !document.is_object() || Text(document, "kind") != "analysis") {
    return Refused(absl::StrCat(EscapeControl(task.path), " is no report of an analysis"));
  }
  const std::string target = Text(ObjectOf(document, "request"), "target");
  const absl::StatusOr<Target> named = LoadTarget(target);
  if (!named.ok() || named->name != chip.target->name) {
    return Refused(
        absl::StrCat("the report is of target \"", EscapeControl(target), "\", the workload of ", chip.target->name));
  }
  const std::string mode = Text(ObjectOf(document, "request"), "mode");
  if (!mode.empty() && mode != chip.target->mode) {
    return Refused(
        absl::StrCat("the report is of mode \"", EscapeControl(mode), "\", the workload of ", chip.target->mode));
  }
  HWEST_RETURN_IF_ERROR(CheckSettings(task, ObjectOf(document, "request")));
  const Json& summary = ObjectOf(document, "summary");
  TaskPlan out{.precision = Text(ObjectOf(document, "request"), "precision"),
               .latency_s = Number(summary, "latency_s")};
  out.load.kept_bytes.assign(chip.resources.size(), 0);
  out.load.peak_bytes = Number(summary, "peak_memory_bytes");
  out.needs = NeedsOf(ListOf(document, "memory_needs"));
  out.knows_needs = document.contains("memory_needs");
  if (out.latency_s > 0) out.load.high = std::max(1.0, Number(summary, "latency_high_s") / out.latency_s);
  out.load.energy_j = 0;
  for (const Json& segment : ListOf(document, "segments")) {
    HWEST_RETURN_IF_ERROR(AddSegment(segment, ListOf(document, "groups"), chip, &out));
  }
  for (const Json& group : ListOf(document, "groups"))
    out.load.unknown_groups += !group.contains("time_s") || !group["time_s"].is_number();
  if (Number(summary, "energy_j") <= 0 || out.load.unknown_groups > 0) out.load.energy_j = -1;
  MergeShares(&out);
  return out;
}

}  // namespace hwest
