// Reading a workload file: protobuf's text form, checked value by value, with the line of what is wrong.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "analysis/request_text.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "google/protobuf/text_format.h"
#include "hwest/workload/v1/workload.pb.h"
#include "target/text_proto.h"
#include "workload/json_text.h"
#include "workload/quantity.h"

namespace hwest {
namespace {

namespace proto = ::hwest::workload::v1;
using google::protobuf::TextFormat;
using Tree = TextFormat::ParseInfoTree;

constexpr size_t kMaxFileBytes = 1 << 20;
constexpr int kMostTasks = 64;
constexpr int64_t kMostBatch = 1 << 20;
constexpr int64_t kMostGroups = 10'000;  // as many as large models have
constexpr double kLongestTime_s = 1e6;
constexpr char kSeeKeys[] = "`onnx-hwest describe workload` lists the keys";

absl::Status ErrorAt(absl::string_view origin, int line, absl::string_view what, absl::string_view remedy) {
  return MakeError(Code::kUsage, absl::StrCat(EscapeControl(origin), ":", line, ": ", what), remedy);
}

// The message that the parser misses a key in, as WorkloadKeys() calls it: `Message type "hwest.workload.v1.Task" has
// ...`.
std::string MessageOf(absl::string_view message) {
  const std::vector<absl::string_view> quoted = absl::StrSplit(message, '"');
  const absl::string_view name = quoted.size() > 1 ? quoted[1].substr(quoted[1].rfind('.') + 1) : "";
  return name == "Workload" ? "" : absl::AsciiStrToLower(name);
}

// What the parser calls a wrong key, in the words of this program.
std::string KeyMessage(const std::string& message) {
  const std::optional<std::string> key = UnknownKeyOf(message);
  if (!key.has_value()) return message;
  const std::string in = MessageOf(message);
  std::vector<std::string> names, elsewhere;
  for (const WorkloadKey& row : WorkloadKeys()) {
    if (row.in == in) names.push_back(row.name);
    if (row.in != in && row.name == *key) elsewhere.push_back(row.in.empty() ? "the file" : row.in);
  }
  const std::string what = absl::StrCat("unknown key \"", EscapeControl(*key), "\"", in.empty() ? "" : " of ", in);
  const std::vector<std::string> nearest = NearestNames(*key, names, 1);
  if (!nearest.empty()) return absl::StrCat(what, ", did you mean ", nearest[0], "?");
  return elsewhere.empty() ? what : absl::StrCat(what, ", which is one of ", absl::StrJoin(elsewhere, " and "));
}

// One message of the file with the places of its fields.
template <class Message>
struct Located {
  const Message& message;
  Tree* tree;
  absl::string_view origin;
  int line = 0;  // 1-based

  // Line of a field, or of the message where it is not written.
  int LineOf(const char* field, int index = -1) const {
    const auto* descriptor = Message::descriptor()->FindFieldByName(field);
    if (tree == nullptr || descriptor == nullptr) return line;
    if (descriptor->is_repeated() && index < 0) index = 0;
    const int found = tree->GetLocation(descriptor, index).line;
    return found < 0 ? line : found + 1;
  }
  absl::Status Error(const char* field, absl::string_view what, absl::string_view remedy) const {
    return ErrorAt(origin, LineOf(field), what, remedy);
  }
  absl::Status BadQuantity(const char* field, const std::string& text, const char* example) const {
    return Error(field, absl::StrCat(field, " cannot be \"", EscapeControl(text), "\""),
                 absl::StrCat("write it as \"", example, "\""));
  }
};

absl::StatusOr<Fraction> TimeOf(const std::string& text, const char* field, const char* example, const auto& row) {
  const std::optional<Fraction> time = ReadTime(text);
  if (!time.has_value() || time->value() > kLongestTime_s) return row.BadQuantity(field, text, example);
  return *time;
}

std::string PathFrom(const std::string& path, absl::string_view origin) {
  if (path == "-" || origin == "-" || absl::StartsWith(path, "/")) return path;
  const std::filesystem::path folder = std::filesystem::path(std::string(origin)).parent_path();
  return folder.empty() ? path : (folder / path).lexically_normal().string();
}

using TaskMessage = Located<proto::Task>;

absl::Status ReadStated(const TaskMessage& row, WorkloadTask* task) {
  const proto::Task& m = row.message;
  if (m.time().empty()) {
    if (!m.memory().empty())
      return row.Error("memory", "memory without time", "state `time`, or leave `memory` to the model");
    if (!m.memory_bound().empty())
      return row.Error("memory_bound", "memory_bound without time", "state `time` and `memory`");
    if (m.has_groups())
      return row.Error("groups", "groups without time", "state `time`, or leave `groups` to the model");
    return absl::OkStatus();
  }
  StatedTime stated;
  HWEST_ASSIGN_OR_RETURN(const Fraction time, TimeOf(m.time(), "time", "45 ms", row));
  stated.time_s = time.value();
  if (stated.time_s <= 0) return row.BadQuantity("time", m.time(), "45 ms");
  if (!m.memory().empty()) {
    stated.bytes_per_s = ReadBandwidth(m.memory());
    stated.memory_share = ReadShare(m.memory());
    if (!stated.bytes_per_s.has_value() && !stated.memory_share.has_value()) {
      return row.BadQuantity("memory", m.memory(), "60 GB/s\" or \"40 %");
    }
  }
  if (!m.memory_bound().empty()) {
    stated.memory_bound = ReadShare(m.memory_bound());
    if (!stated.memory_bound.has_value()) return row.BadQuantity("memory_bound", m.memory_bound(), "30 %");
    if (m.memory().empty()) return row.Error("memory_bound", "memory_bound without memory", "state `memory`, too");
  }
  if (m.has_groups()) stated.groups = m.groups();
  if (stated.groups < 1 || stated.groups > kMostGroups)
    return row.Error("groups", absl::StrCat("groups has to be from 1 to ", kMostGroups), "write e.g. groups: 60");
  if (task->only.empty()) return row.Error("time", "a stated time without a unit", "name the unit: only: \"gpu\"");
  task->stated = stated;
  return absl::OkStatus();
}

absl::Status ReadTiming(const TaskMessage& row, WorkloadTask* task) {
  const proto::Task& m = row.message;
  if (!m.rate().empty()) {
    task->period = ReadPeriod(m.rate());
    if (task->period.has_value()) task->period = Times(*task->period, task->batch);
    if (!task->period.has_value()) return row.BadQuantity("rate", m.rate(), "30 FPS");
  }
  if (!m.deadline().empty()) {
    HWEST_ASSIGN_OR_RETURN(const Fraction deadline, TimeOf(m.deadline(), "deadline", "33 ms", row));
    if (deadline.num == 0) return row.BadQuantity("deadline", m.deadline(), "33 ms");
    task->deadline_s = deadline.value();
  }
  if (!m.jitter().empty()) {
    HWEST_ASSIGN_OR_RETURN(const Fraction jitter, TimeOf(m.jitter(), "jitter", "1 ms", row));
    task->jitter_s = jitter.value();
  }
  if (!m.offset().empty()) {
    HWEST_ASSIGN_OR_RETURN(const Fraction offset, TimeOf(m.offset(), "offset", "5 ms", row));
    task->offset_s = offset.value();
  }
  if (m.has_probability()) {
    task->probability = m.probability();
    if (!(task->probability >= 0 && task->probability <= 1)) {
      return row.Error("probability", "probability has to be from 0 to 1", "write a number such as 0.25");
    }
    if (m.after().empty())
      return row.Error("probability", "probability without `after`", "name the task that releases this one");
  }
  if (task->jitter_s > 0 && !task->period.has_value())
    return row.Error("jitter", "jitter without a rate", "state `rate`");
  return absl::OkStatus();
}

absl::Status ReadUnits(const TaskMessage& row, WorkloadTask* task) {
  const proto::Task& m = row.message;
  for (const std::string& list : m.only()) {
    for (const absl::string_view name : absl::StrSplit(list, ',')) {
      const absl::string_view unit = absl::StripAsciiWhitespace(name);
      if (unit.empty()) return row.Error("only", "`only` has an empty name", "write units, e.g. only: \"dla0,cpu\"");
      task->only.emplace_back(unit);
    }
  }
  for (int i = 0; i < m.pin_size(); ++i) {
    const std::optional<Pin> pin = ParsePin(m.pin(i));
    if (!pin.has_value()) return ErrorAt(row.origin, row.LineOf("pin", i), "a pin has another form", "write NODE@UNIT");
    task->pin.push_back(*pin);
  }
  return absl::OkStatus();
}

absl::Status ReadDims(const TaskMessage& row, WorkloadTask* task) {
  for (const proto::Dim& dim : row.message.dim()) {
    const std::string& name = dim.name().empty() ? dim.key() : dim.name();
    if (name.empty() || !dim.has_value() || dim.value() < 0) {
      return row.Error("dim", "a size needs a name and a value", "write dim { name: \"seq\" value: 128 }");
    }
    task->dims.emplace_back(name, dim.value());
  }
  return absl::OkStatus();
}

// A runtime takes a language model whole, in formats and on a unit of its own.
absl::Status ReadTokens(const TaskMessage& row, WorkloadTask* task) {
  const proto::Task& m = row.message;
  TaskTokens tokens{.runtime = m.runtime(), .weights = m.weights(), .cache = m.kv()};
  if (m.has_context()) tokens.context = m.context();
  if (m.has_prompt()) tokens.prompt = m.prompt();
  const bool is_asked = tokens.context.has_value() || tokens.prompt.has_value() || !tokens.runtime.empty() ||
                        !tokens.weights.empty() || !tokens.cache.empty();
  if (!is_asked) return absl::OkStatus();
  const char* const first = m.has_context() ? "context" : m.has_prompt() ? "prompt" : "runtime";
  if (task->stated.has_value()) return row.Error(first, "a language model with a time", "leave `time` out");
  for (const auto& [field, count] : {std::pair("context", tokens.context), std::pair("prompt", tokens.prompt)}) {
    if (count.has_value() && *count < 1)
      return row.Error(field, absl::StrCat(field, " has to be 1 or more"), "write e.g. 1024");
  }
  const std::pair<const char*, bool> others[] = {{"only", !task->only.empty()},
                                                 {"pin", !task->pin.empty()},
                                                 {"dim", !task->dims.empty()},
                                                 {"precision", task->precision != "auto"}};
  for (const auto& [field, is_stated] : others) {
    if (is_stated)
      return row.Error(field, absl::StrCat(field, " of a language model: its runtime decides that"),
                       absl::StrCat("leave `", field, "` out; `runtime`, `weights` and `kv` choose"));
  }
  task->tokens = std::move(tokens);
  return absl::OkStatus();
}

absl::StatusOr<WorkloadTask> ReadTask(const TaskMessage& row) {
  const proto::Task& m = row.message;
  WorkloadTask task;
  task.name = m.name().empty() ? std::filesystem::path(m.model()).stem().string() : m.name();
  task.model = m.model();
  task.line = row.line;
  if (m.model().empty() == m.time().empty()) {
    return row.Error("name",
                     absl::StrCat("task \"", EscapeControl(task.name), "\" has ",
                                  m.time().empty() ? "no model" : "a model and a time"),
                     "state one of `model` and `time`");
  }
  if (!m.model().empty()) task.path = PathFrom(m.model(), row.origin);
  if (task.name.empty()) return row.Error("name", "a task without a name", "state `name`");
  if (!m.precision().empty()) task.precision = m.precision();
  if (m.has_batch()) task.batch = m.batch();
  if (task.batch < 1 || task.batch > kMostBatch)
    return row.Error("batch", "batch has to be 1 or more", "write e.g. batch: 4");
  if (m.priority() < 0)
    return row.Error("priority", "priority has to be 0 or more",
                     absl::StrCat("0 is the highest, ", kUsualPriority, " that of a task without"));
  if (m.has_priority()) task.priority = m.priority();
  task.after = m.after();
  HWEST_RETURN_IF_ERROR(ReadUnits(row, &task));
  HWEST_RETURN_IF_ERROR(ReadTiming(row, &task));
  HWEST_RETURN_IF_ERROR(ReadDims(row, &task));
  HWEST_RETURN_IF_ERROR(ReadStated(row, &task));
  HWEST_RETURN_IF_ERROR(ReadTokens(row, &task));
  return task;
}

absl::StatusOr<WorkloadLoad> ReadLoad(const Located<proto::Load>& row) {
  const proto::Load& m = row.message;
  WorkloadLoad load{.name = m.name(), .unit = m.unit(), .line = row.line};
  if (load.name.empty()) load.name = load.unit.empty() ? "load" : absl::StrCat("load on ", load.unit);
  if (!m.memory().empty()) {
    const std::optional<double> bandwidth = ReadBandwidth(m.memory());
    if (!bandwidth.has_value()) return row.BadQuantity("memory", m.memory(), "6 GB/s");
    load.bytes_per_s = *bandwidth;
  }
  if (load.unit.empty()) {
    if (m.memory().empty())
      return row.Error("name", "a load takes neither memory nor a unit", "state `memory`, or `unit` and `time`");
    if (!m.time().empty() || !m.period().empty())
      return row.Error("time", "a load with a time needs a unit", "state `unit`, too");
    return load;
  }
  load.period = {1, 100};
  if (!m.period().empty()) {
    const std::optional<Fraction> by_rate = ReadPeriod(m.period());
    if (by_rate.has_value()) {
      load.period = *by_rate;
    } else {
      HWEST_ASSIGN_OR_RETURN(load.period, TimeOf(m.period(), "period", "10 ms", row));
    }
    if (load.period.num == 0) return row.BadQuantity("period", m.period(), "10 ms");
  }
  if (m.time().empty())
    return row.Error("unit", "a load on a unit needs a time", "state `time`, e.g. \"2 ms\" or \"20 %\"");
  if (const std::optional<double> share = ReadShare(m.time()); share.has_value()) {
    load.time_s = *share * load.period.value();
  } else {
    HWEST_ASSIGN_OR_RETURN(const Fraction time, TimeOf(m.time(), "time", "2 ms", row));
    load.time_s = time.value();
  }
  if (load.time_s > load.period.value()) {
    return row.Error("time",
                     absl::StrCat("a load of ", FormatSeconds(load.time_s), " every ",
                                  FormatSeconds(load.period.value()), " takes more than there is"),
                     "state a shorter time or a longer period");
  }
  return load;
}

// Each kind with what it can yield by. Slices are of round robin.
absl::Status CheckYield(const Located<proto::Policy>& row, const WorkloadPolicy& policy) {
  const bool in_turn = policy.kind == PolicyKind::kRoundRobin;
  if (!row.message.slice().empty()) {
    if (!in_turn) return row.Error("slice", "slice belongs to ROUND_ROBIN", "leave it out");
    if (policy.yield.value_or(Preemption::kSlices) != Preemption::kSlices)
      return row.Error("slice", "slice belongs to yield: BY_SLICE", "leave one of them out");
  }
  if (policy.kind == PolicyKind::kFifo && policy.yield.value_or(Preemption::kNever) != Preemption::kNever)
    return row.Error("yield", "FIFO runs who came first to the end", "leave `yield` out, or write kind: ROUND_ROBIN");
  if (!in_turn && policy.yield == Preemption::kSlices)
    return row.Error("yield", "BY_SLICE belongs to ROUND_ROBIN", "write yield: BETWEEN_GROUPS");
  return absl::OkStatus();
}

absl::StatusOr<WorkloadPolicy> ReadPolicy(const Located<proto::Policy>& row) {
  const proto::Policy& m = row.message;
  WorkloadPolicy policy{.unit = m.unit(), .line = row.line};
  if (policy.unit.empty()) return row.Error("unit", "a policy without a unit", "name the unit");
  if (m.kind() == proto::POLICY_KIND_UNSET) {
    return row.Error("kind", "a policy without a kind", "write FIFO, PRIORITY or ROUND_ROBIN");
  }
  policy.kind = static_cast<PolicyKind>(m.kind() - 1);
  if (m.yield() != proto::YIELD_UNSET) policy.yield = static_cast<Preemption>(m.yield() - 1);
  HWEST_RETURN_IF_ERROR(CheckYield(row, policy));
  if (m.slice().empty()) return policy;
  HWEST_ASSIGN_OR_RETURN(const Fraction slice, TimeOf(m.slice(), "slice", "2 ms", row));
  if (slice.value() < 1e-6) return row.BadQuantity("slice", m.slice(), "2 ms");
  policy.slice_s = slice.value();
  return policy;
}

int LineOfNested(Tree* tree, const char* field, int index) {
  return tree->GetLocation(proto::Workload::descriptor()->FindFieldByName(field), index).line + 1;
}

template <class Message>
Located<Message> Nested(const Message& message, Tree* tree, const char* field, int index, absl::string_view origin) {
  const auto* descriptor = proto::Workload::descriptor()->FindFieldByName(field);
  return {message, tree->GetTreeForNested(descriptor, index), origin, LineOfNested(tree, field, index)};
}

absl::Status CheckNames(const Workload& workload) {
  std::set<std::string> seen;
  for (const WorkloadTask& task : workload.tasks) {
    if (!seen.insert(task.name).second) {
      return ErrorAt(workload.origin, task.line,
                     absl::StrCat("two tasks are called \"", EscapeControl(task.name), "\""),
                     "give each its own `name`");
    }
  }
  for (const WorkloadLoad& load : workload.loads) {
    if (!seen.insert(load.name).second) {
      return ErrorAt(workload.origin, load.line,
                     absl::StrCat("two loads or tasks are called \"", EscapeControl(load.name), "\""),
                     "give each its own `name`");
    }
  }
  return absl::OkStatus();
}

const WorkloadTask* TaskNamed(const Workload& workload, const std::string& name) {
  for (const WorkloadTask& task : workload.tasks) {
    if (task.name == name) return &task;
  }
  return nullptr;
}

absl::Status CheckPolicies(const Workload& workload) {
  std::set<std::string> seen;
  for (const WorkloadPolicy& policy : workload.policies) {
    if (!seen.insert(policy.unit).second) {
      return ErrorAt(workload.origin, policy.line,
                     absl::StrCat("two policies of unit \"", EscapeControl(policy.unit), "\""), "keep one of them");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckChains(const Workload& workload) {
  for (const WorkloadTask& task : workload.tasks) {
    if (task.after.empty()) continue;
    const WorkloadTask* at = &task;
    std::vector<std::string> chain = {EscapeControl(task.name)};
    while (!at->after.empty()) {
      const WorkloadTask* before = TaskNamed(workload, at->after);
      if (before == nullptr) {
        return ErrorAt(workload.origin, at->line,
                       absl::StrCat("there is no task \"", EscapeControl(at->after), "\" for \"",
                                    EscapeControl(at->name), "\" to come after"),
                       "name a task of this file");
      }
      chain.push_back(EscapeControl(before->name));
      if (chain.size() > workload.tasks.size() + 1 || before == &task) {
        return ErrorAt(workload.origin, task.line,
                       absl::StrCat("tasks come after each other in a circle: ", absl::StrJoin(chain, " after ")),
                       "break the circle");
      }
      at = before;
    }
    const WorkloadTask* before = TaskNamed(workload, task.after);
    const bool runs_more = task.period.has_value() && before->period.has_value() &&
                           task.period->value() < before->period->value() * (1 - 1e-12);
    if (runs_more) {
      return ErrorAt(workload.origin, task.line,
                     absl::StrCat("\"", EscapeControl(task.name), "\" is to run more often than \"",
                                  EscapeControl(before->name), "\", which releases it"),
                     "leave its `rate` out, or state a lower one");
    }
    if (task.offset_s.has_value() || task.jitter_s > 0) {
      return ErrorAt(workload.origin, task.line,
                     absl::StrCat("\"", EscapeControl(task.name), "\" is released by another task"),
                     "leave `offset` and `jitter` out");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Workload> Convert(const proto::Workload& message, Tree* tree, absl::string_view origin) {
  Workload workload{
      .origin = std::string(origin), .target = message.target(), .mode = message.mode(), .host = message.host()};
  if (message.task_size() == 0)
    return ErrorAt(origin, 1, "no task", "write task { model: \"model.onnx\" rate: \"30 FPS\" }");
  if (message.task_size() > kMostTasks) {
    return ErrorAt(origin, LineOfNested(tree, "task", kMostTasks), absl::StrCat("more than ", kMostTasks, " tasks"),
                   "write fewer");
  }
  const bool is_path = absl::EndsWith(workload.target, ".textproto") || absl::StrContains(workload.target, '/');
  if (is_path) workload.target = PathFrom(workload.target, origin);
  if (absl::EndsWith(workload.host, ".textproto")) workload.host = PathFrom(workload.host, origin);
  for (int i = 0; i < message.task_size(); ++i) {
    HWEST_ASSIGN_OR_RETURN(WorkloadTask task, ReadTask(Nested(message.task(i), tree, "task", i, origin)));
    workload.tasks.push_back(std::move(task));
  }
  for (int i = 0; i < message.load_size(); ++i) {
    HWEST_ASSIGN_OR_RETURN(WorkloadLoad load, ReadLoad(Nested(message.load(i), tree, "load", i, origin)));
    workload.loads.push_back(std::move(load));
  }
  for (int i = 0; i < message.policy_size(); ++i) {
    HWEST_ASSIGN_OR_RETURN(WorkloadPolicy policy, ReadPolicy(Nested(message.policy(i), tree, "policy", i, origin)));
    workload.policies.push_back(std::move(policy));
  }
  HWEST_RETURN_IF_ERROR(CheckNames(workload));
  HWEST_RETURN_IF_ERROR(CheckPolicies(workload));
  HWEST_RETURN_IF_ERROR(CheckChains(workload));
  return workload;
}

}  // namespace

absl::StatusOr<Workload> ParseWorkload(absl::string_view text, absl::string_view origin) {
  std::string translated;
  if (LooksLikeJson(text)) {
    HWEST_ASSIGN_OR_RETURN(translated, TextFromJson(text, origin));
    text = translated;
  }
  proto::Workload message;
  Tree tree;
  std::vector<TextProtoError> errors;
  if (!ReadTextProto(text, &message, &tree, &errors)) {
    const TextProtoError first = errors.empty() ? TextProtoError() : errors.front();
    return ErrorAt(origin, first.line, KeyMessage(first.message), kSeeKeys);
  }
  return Convert(message, &tree, origin);
}

absl::StatusOr<Workload> LoadWorkload(absl::string_view path) {
  std::ostringstream text;
  std::ifstream file;
  const bool is_stdin = path == "-";
  std::error_code error;
  if (!is_stdin) file.open(std::string(path), std::ios::binary);
  const bool is_readable = is_stdin || (file && std::filesystem::is_regular_file(std::string(path), error));
  if (!is_readable) {
    return MakeError(Code::kUsage,
                     absl::StrCat("cannot read the workload ", EscapeControl(path), " (",
                                  std::strerror(errno != 0 ? errno : EISDIR), ")"),
                     "name a file; `onnx-hwest describe workload` lists its keys");
  }
  std::string read(kMaxFileBytes + 1, '\0');
  std::istream& from = is_stdin ? std::cin : file;
  from.read(read.data(), static_cast<std::streamsize>(read.size()));
  read.resize(static_cast<size_t>(from.gcount()));
  if (read.size() > kMaxFileBytes) return ErrorAt(path, 1, "the file is larger than 1 MiB", "name a workload file");
  return ParseWorkload(read, path);
}

absl::StatusOr<Workload> WorkloadOfStreams(const std::vector<std::string>& models, int64_t streams,
                                           absl::string_view rate) {
  const std::optional<Fraction> period = rate.empty() ? std::nullopt : ReadPeriod(rate);
  if (!rate.empty() && !period.has_value()) {
    return MakeError(Code::kUsage, absl::StrCat("'", EscapeControl(rate), "' is not a rate"), "write e.g. 30FPS");
  }
  const auto most = static_cast<int64_t>(kMostTasks / std::max<size_t>(1, models.size()));
  if (streams < 1 || streams > most) {
    return MakeError(Code::kUsage, absl::StrCat(streams, " streams of ", models.size(), " models"),
                     absl::StrCat("write from 1 to ", most));
  }
  Workload workload{
      .origin = absl::StrCat(absl::StrJoin(models, ", "), " in ", streams, streams == 1 ? " stream" : " streams")};
  for (const std::string& model : models) {
    const std::string stem = std::filesystem::path(model).stem().string();
    for (int64_t stream = 1; stream <= streams; ++stream) {
      WorkloadTask task{.name = streams == 1 ? stem : absl::StrCat(stem, " ", stream), .model = model, .path = model};
      task.period = period;
      workload.tasks.push_back(std::move(task));
    }
  }
  HWEST_RETURN_IF_ERROR(CheckNames(workload));
  return workload;
}

}  // namespace hwest
