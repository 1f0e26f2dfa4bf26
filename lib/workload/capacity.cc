// Which targets hold a number of streams: a search over modes, precisions and batches, each point of it a workload.
#include "hwest/capacity.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <filesystem>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/host.h"
#include "plan/memory_needs.h"
#include "target/kinds.h"
#include "workload/quantity.h"
#include "workload/runner.h"

namespace hwest {
namespace {

constexpr int64_t kMostTasksOfAll = 64;  // as of a workload file
constexpr int64_t kMostStreams = 4096;
constexpr int64_t kCountedTimes = 2;  // how far above what is asked for streams are counted
constexpr double kEdgeIdle_w = 15;
constexpr double kWideVector = 32;  // bytes, of the core that stages were measured on
constexpr double kUsualVector = 16;
constexpr double kBandwidthShare = 0.8;  // above it a miss is one of memory bandwidth
constexpr double kSame = 1e-9;
constexpr int kRounds = 400;  // of the search for weights

double Seconds(const Fraction& period) { return period.value(); }

// The most of the load of units that streams can share out among plans: no choice of plans asks less of every unit.
struct LoadBound {
  double share = 0;  // of the unit that is asked for most
  uint32_t resource = 0;
};

// By weak duality: with any weights of the units, the cheapest plan of each model is a bound. Weights move to units
// that are asked for more.
LoadBound LeastLoad(const std::vector<std::vector<std::vector<double>>>& by_model, const std::vector<double>& fixed) {
  const size_t resources = fixed.size();
  std::vector<double> weights(resources, 1.0 / static_cast<double>(resources));
  LoadBound best;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> asked = fixed;
    for (const std::vector<std::vector<double>>& plans : by_model) {
      const auto cost = [&](const std::vector<double>& plan) {
        double sum = 0;
        for (size_t r = 0; r < resources; ++r) sum += weights[r] * plan[r];
        return sum;
      };
      const auto least =
          std::min_element(plans.begin(), plans.end(), [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
      for (size_t r = 0; r < resources; ++r) asked[r] += (*least)[r];
    }
    double bound = 0, most = 0;
    for (size_t r = 0; r < resources; ++r) bound += weights[r] * asked[r];
    for (const double share : asked) most = std::max(most, share);
    if (bound > best.share) {
      best.share = bound;
      best.resource = static_cast<uint32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    }
    if (most <= 0 || bound >= most * (1 - kSame)) break;
    const double step = 4.0 / (1 + round * 0.05);
    double sum = 0;
    for (size_t r = 0; r < resources; ++r) sum += weights[r] *= portable::Exp(step * (asked[r] / most - 1));
    for (double& weight : weights) weight /= sum;
  }
  return best;
}

// One mode, precision and batch.
struct Config {
  std::string mode, asked_precision, precision;
  int64_t batch = 1;
  int64_t most = 0;  // streams: no workload of more holds
  CapacityLimit why = CapacityLimit::kUnit;
  std::string reason;
  std::optional<double> least_w;        // of the streams that are asked for
  std::map<int64_t, CapacityRow> rows;  // by streams, as tried
};

class BoardSearch {
 public:
  BoardSearch(const CapacityRequest& request, const std::map<std::string, TaskModel>& models, std::string target)
      : request_(request), target_(std::move(target)), runner_(options_, &models) {
    options_.studies = false;
    options_.stop = request.watch.stop;
  }

  // Errors: kInterrupted.
  absl::StatusOr<CapacityRow> Run();
  std::vector<CapacityRow> Tried() const;

 private:
  absl::Status FindTarget();
  absl::Status AddConfigs();
  absl::Status AddConfig(const std::string& mode, const std::string& precision, int64_t batch, absl::Status* refused);
  void Bound(const RunState& state, Config* config) const;
  void BoundByDecoders(Config* config) const;
  Workload WorkloadOf(const Config& config, int64_t streams) const;
  double StageTime(const CapacityStage& stage) const;
  std::optional<double> DecodedPerS(const std::string& codec) const;
  absl::StatusOr<const CapacityRow*> Try(Config* config, int64_t streams);
  absl::StatusOr<CapacityRow> Shown(Config* config, int64_t streams);
  absl::StatusOr<CapacityRow> RunOf(const Config& config, int64_t streams, bool verdicts_alone);
  void Judge(const WorkloadReport& report, int64_t streams, CapacityRow* row) const;
  void JudgeMisses(const WorkloadReport& report, CapacityRow* row) const;
  void FillUse(const WorkloadReport& report, int64_t streams, CapacityRow* row) const;
  absl::StatusOr<int64_t> Count(Config* config, int64_t from, int64_t to);
  absl::StatusOr<CapacityRow> RowOf(Config* config, int64_t shown, int64_t to, int64_t most);
  absl::StatusOr<CapacityRow> Asked();
  absl::StatusOr<CapacityRow> Most(int64_t most);
  int64_t MostStreams(const Config& config) const;
  CapacityRow Empty() const;

  const CapacityRequest& request_;
  const std::string target_;
  WorkloadOptions options_;
  Runner runner_;
  std::string host_;
  std::shared_ptr<const Target> raw_;
  std::shared_ptr<const Target> decodes_;  // the target itself, or its host
  const Unit* cpu_ = nullptr;
  std::string unknown_;  // a figure that is missing for any number of streams; empty = none
  std::vector<Config> configs_;
};

CapacityRow BoardSearch::Empty() const {
  CapacityRow row{.target = target_, .holds = false};
  const auto price = request_.prices.find(target_);
  if (price != request_.prices.end()) row.price = price->second;
  return row;
}

absl::Status BoardSearch::FindTarget() {
  HWEST_ASSIGN_OR_RETURN(raw_, runner_.TargetOf({.target = target_}));
  if (!request_.host.empty() && IsDiscrete(*raw_)) {
    host_ = request_.host;
    HWEST_ASSIGN_OR_RETURN(raw_, runner_.TargetOf({.target = target_, .host = host_}));
  }
  decodes_ = raw_;
  if (!raw_->host.empty()) {
    const absl::StatusOr<std::shared_ptr<const Target>> host = runner_.TargetOf({.target = raw_->host});
    if (host.ok()) decodes_ = *host;
  }
  for (const Unit& unit : raw_->units) {
    if (cpu_ == nullptr && IsCpu(unit)) cpu_ = &unit;
  }
  for (const CapacityStage& stage : request_.stages) {
    if (!stage.codec.empty() && !DecodedPerS(stage.codec).has_value()) {
      unknown_ = absl::StrCat("decode of ", stage.codec, ": not stated for this board");
    }
    if (stage.codec.empty() && cpu_ == nullptr) unknown_ = absl::StrCat(stage.name, ": no CPU is stated");
    if (stage.codec.empty() && stage.cycles > 0 && cpu_ != nullptr && !cpu_->clock_hz.known()) {
      unknown_ = absl::StrCat(stage.name, ": the clock of the CPU is not known");
    }
  }
  return absl::OkStatus();
}

std::optional<double> BoardSearch::DecodedPerS(const std::string& codec) const {
  for (const Target* target : {raw_.get(), decodes_.get()}) {
    const VideoDecoder* decoder = VideoDecoderOf(*target, codec);
    if (decoder != nullptr && decoder->pixels_per_s.known()) return decoder->pixels_per_s.value();
  }
  return std::nullopt;
}

// Of all cores of the CPU, in whole nanoseconds as a file states it.
double BoardSearch::StageTime(const CapacityStage& stage) const {
  if (cpu_ == nullptr) return 0;
  double core_s = stage.time_s;
  if (stage.cycles > 0 && cpu_->clock_hz.known()) {
    const double width = cpu_->vector_bytes.value_or(kUsualVector);
    core_s = stage.cycles * (stage.is_vector ? std::max(1.0, kWideVector / width) : 1) / *cpu_->clock_hz.value();
  }
  return core_s / std::max<uint32_t>(1, cpu_->cores);
}

Workload BoardSearch::WorkloadOf(const Config& config, int64_t streams) const {
  Workload workload{.origin = absl::StrCat("fit of ", target_), .target = target_, .mode = config.mode, .host = host_};
  for (const CapacityModel& model : request_.models) {
    const std::string stem = std::filesystem::path(model.path).stem().string();
    const int64_t jobs = (streams + config.batch - 1) / config.batch;
    for (int64_t job = 0; job < jobs; ++job) {
      const int64_t batch = std::min(config.batch, streams - job * config.batch);
      WorkloadTask task{.name = jobs == 1 ? stem : absl::StrCat(stem, " ", job + 1),
                        .model = model.path,
                        .path = model.path,
                        .precision = config.asked_precision,
                        .period = model.period.value_or(request_.period),
                        .deadline_s = request_.deadline_s,
                        .batch = batch};
      workload.tasks.push_back(std::move(task));
    }
  }
  // Models of one stem.
  for (size_t i = 0; i < workload.tasks.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (workload.tasks[i].name != workload.tasks[j].name) continue;
      workload.tasks[i].name = absl::StrCat(workload.tasks[i].name, " (", i + 1, ")");
      break;
    }
  }
  const double frames_per_s = static_cast<double>(streams) / Seconds(request_.period);
  double bytes_per_s = 0;
  for (const CapacityStage& stage : request_.stages) {
    bytes_per_s += frames_per_s * stage.bytes;
    if (!stage.codec.empty() || cpu_ == nullptr) continue;
    const double time_s = std::round(static_cast<double>(streams) * StageTime(stage) * 1e9) * 1e-9;
    if (time_s <= 0) continue;
    workload.loads.push_back({.name = stage.name, .unit = cpu_->name, .period = request_.period, .time_s = time_s});
  }
  if (bytes_per_s > 0) workload.loads.push_back({.name = "traffic of stages", .bytes_per_s = std::round(bytes_per_s)});
  return workload;
}

absl::Status BoardSearch::AddConfig(const std::string& mode, const std::string& precision, int64_t batch,
                                    absl::Status* refused) {
  Config config{.mode = mode, .asked_precision = precision, .batch = batch};
  Workload one = WorkloadOf(config, batch);
  one.loads.clear();
  const absl::StatusOr<RunState> state = runner_.Prepare(std::move(one));
  if (!state.ok()) {
    if (DiagnosticOf(state.status()).code == Code::kInterrupted) return state.status();
    refused->Update(state.status());
    return absl::OkStatus();
  }
  config.precision = state->frame.candidates[0][0].precision;
  for (const Config& other : configs_) {
    const bool is_same = other.mode == config.mode && other.precision == config.precision && other.batch == batch;
    if (is_same) return absl::OkStatus();
  }
  Bound(*state, &config);
  BoundByDecoders(&config);
  configs_.push_back(std::move(config));
  return absl::OkStatus();
}

// What no choice of plans goes below: of time on units, and of energy.
void BoardSearch::Bound(const RunState& state, Config* config) const {
  const size_t resources = state.chip.resources.size();
  std::vector<std::vector<std::vector<double>>> loads;
  std::vector<double> fixed(resources, 0);
  double joules_per_s = 0;
  bool knows_energy = state.chip.target->idle_w.known();
  for (size_t t = 0; t < state.workload.tasks.size(); ++t) {
    const double period_s = Seconds(*state.workload.tasks[t].period);
    const double most_s = std::min(period_s, request_.deadline_s.value_or(period_s));
    const double inputs = static_cast<double>(state.workload.tasks[t].batch);
    std::vector<std::vector<double>> plans;
    double least_j = std::numeric_limits<double>::infinity(), least_s = least_j;
    for (const TaskPlan& plan : state.frame.candidates[t]) {
      const double alone_s = plan.load.alone_s();
      least_s = std::min(least_s, alone_s);
      if (alone_s > most_s * (1 + kSame)) continue;
      std::vector<double> shares(resources, 0);
      for (const Stage& stage : plan.load.stages) {
        for (const Piece& piece : stage.pieces) {
          const Resource& on = state.chip.resources[stage.resource];
          shares[stage.resource] += piece.alone_s() / period_s / inputs / on.servers;
        }
      }
      plans.push_back(std::move(shares));
      knows_energy &= plan.load.energy_j >= 0;
      least_j = std::min(least_j, plan.load.energy_j / inputs);
    }
    if (plans.empty()) {
      config->most = 0;
      config->why = CapacityLimit::kDeadline;
      config->reason =
          absl::StrCat(config->batch > 1 ? absl::StrCat("a batch of ", config->batch) : std::string("one frame"),
                       " takes ", FormatSeconds(least_s), " alone, and ",
                       request_.deadline_s.has_value() && *request_.deadline_s < period_s
                           ? absl::StrCat("is due after ", FormatSeconds(*request_.deadline_s))
                           : absl::StrCat("the next one comes after ", FormatSeconds(period_s)));
      return;
    }
    joules_per_s += least_j / period_s;
    loads.push_back(std::move(plans));
  }
  if (cpu_ != nullptr) {
    for (const CapacityStage& stage : request_.stages) {
      if (stage.codec.empty()) {
        fixed[UnitIdOf(*state.chip.target, cpu_->name).index()] += StageTime(stage) / Seconds(request_.period);
      }
    }
  }
  const LoadBound bound = LeastLoad(loads, fixed);
  const double most = bound.share > 0 ? std::floor((1 + kSame) / bound.share) : kMostStreams;
  // What remains of a batch may be cheaper than a whole one.
  const int64_t slack = config->batch > 1 ? config->batch : 0;
  config->most = static_cast<int64_t>(std::min<double>(kMostStreams, most)) + slack;
  config->why = CapacityLimit::kUnit;
  const int64_t beyond = std::max(config->most + 1, request_.streams);
  config->reason =
      absl::StrFormat("%s: at least %.0f %% of its time for %d streams", state.chip.resources[bound.resource].name,
                      bound.share * static_cast<double>(beyond) * 100, beyond);
  if (!knows_energy) return;
  const double asked = static_cast<double>(std::max<int64_t>(1, request_.streams));
  config->least_w = *state.chip.target->idle_w.value() + asked * joules_per_s;
  const Mode* mode = ModeOf(*state.chip.target, state.chip.target->mode);
  if (mode != nullptr && mode->cap_w.known()) config->least_w = std::min(*config->least_w, *mode->cap_w.value());
}

void BoardSearch::BoundByDecoders(Config* config) const {
  for (const CapacityStage& stage : request_.stages) {
    const std::optional<double> decoded = stage.codec.empty() ? std::nullopt : DecodedPerS(stage.codec);
    if (!decoded.has_value()) continue;
    const double most = std::floor(*decoded * Seconds(request_.period) / stage.pixels * (1 + kSame));
    if (most >= static_cast<double>(config->most)) continue;
    config->most = static_cast<int64_t>(most);
    config->why = CapacityLimit::kDecode;
    config->reason = *decoded <= 0 ? absl::StrCat("no ", stage.codec, " decoder in hardware")
                                   : absl::StrCat("the decoder takes ", config->most,
                                                  config->most == 1 ? " stream of " : " streams of ", stage.name);
  }
}

absl::Status BoardSearch::AddConfigs() {
  std::vector<std::string> modes = request_.modes;
  if (modes.empty()) modes = SummaryOf(*raw_).modes;
  if (modes.empty()) modes.emplace_back();
  const std::vector<std::string> precisions =
      request_.precisions.empty() ? std::vector<std::string>{"auto"} : request_.precisions;
  const std::vector<int64_t> batches = request_.batches.empty() ? std::vector<int64_t>{1} : request_.batches;
  absl::Status refused;
  for (const std::string& mode : modes) {
    for (const std::string& precision : precisions) {
      for (const int64_t batch : batches) HWEST_RETURN_IF_ERROR(AddConfig(mode, precision, batch, &refused));
    }
  }
  return configs_.empty() ? refused : absl::OkStatus();
}

int64_t BoardSearch::MostStreams(const Config& config) const {
  const int64_t jobs = std::max<int64_t>(1, kMostTasksOfAll / static_cast<int64_t>(request_.models.size()));
  return jobs * config.batch;
}

absl::StatusOr<CapacityRow> BoardSearch::RunOf(const Config& config, int64_t streams, bool verdicts_alone) {
  CapacityRow row = Empty();
  row.mode = config.mode;
  row.precision = config.precision;
  row.batch = config.batch;
  row.shown = row.streams = streams;
  const Workload workload = WorkloadOf(config, streams);
  row.workload = WorkloadText(workload);
  const absl::StatusOr<WorkloadReport> report = runner_.Run(workload, verdicts_alone);
  if (report.ok()) {
    Judge(*report, streams, &row);
    return row;
  }
  const Diagnostic error = DiagnosticOf(report.status());
  if (error.code == Code::kInterrupted) return report.status();
  row.first_limit = workload.loads.empty() ? CapacityLimit::kSupport : CapacityLimit::kBandwidth;
  row.reason = error.message;
  return row;
}

// Whether a workload of so many streams holds.
absl::StatusOr<const CapacityRow*> BoardSearch::Try(Config* config, int64_t streams) {
  const auto known = config->rows.find(streams);
  if (known != config->rows.end()) return &known->second;
  HWEST_ASSIGN_OR_RETURN(CapacityRow row, RunOf(*config, streams, true));
  return &config->rows.emplace(streams, std::move(row)).first->second;
}

// The same with the longest response of all runs.
absl::StatusOr<CapacityRow> BoardSearch::Shown(Config* config, int64_t streams) {
  HWEST_ASSIGN_OR_RETURN(CapacityRow row, RunOf(*config, streams, false));
  config->rows.insert_or_assign(streams, row);
  return row;
}

void BoardSearch::Judge(const WorkloadReport& report, int64_t streams, CapacityRow* row) const {
  FillUse(report, streams, row);
  bool is_missed = false, is_incomplete = false, by_bound = true;
  for (const TaskRow& task : report.tasks) {
    is_missed |= task.verdict == TaskVerdict::kMissed;
    is_incomplete |= task.incomplete;
    by_bound &= task.verdict == TaskVerdict::kHolds;
  }
  row->verdict = is_missed ? TaskVerdict::kMissed : by_bound ? TaskVerdict::kHolds : TaskVerdict::kSimulated;
  if (!report.memory.fits.value_or(true)) {
    row->first_limit = CapacityLimit::kMemory;
    row->reason = MissingMemoryText(report.memory.needs);
  } else if (is_missed) {
    JudgeMisses(report, row);
  } else if (request_.max_w.has_value() && row->power_w.has_value() && *row->power_w > *request_.max_w) {
    row->first_limit = CapacityLimit::kPower;
    row->reason = absl::StrFormat("%.3g W, of which %.3g W are allowed", *row->power_w, *request_.max_w);
  } else if (is_incomplete || !unknown_.empty() || (request_.max_w.has_value() && !row->power_w.has_value())) {
    row->holds = std::nullopt;
    row->first_limit = CapacityLimit::kUnknown;
    row->reason = is_incomplete       ? "some groups of the model have no known time here"
                  : !unknown_.empty() ? unknown_
                                      : "its power is not known";
  } else {
    row->holds = true;
  }
}

void BoardSearch::JudgeMisses(const WorkloadReport& report, CapacityRow* row) const {
  const WorkloadUnitRow* most = nullptr;
  for (const WorkloadUnitRow& unit : report.units) {
    if (most == nullptr || unit.asked_share > most->asked_share) most = &unit;
  }
  const double bandwidth = report.memory.capacity_bytes_per_s.value_or(0);
  if (most != nullptr && most->asked_share > 1 + kSame) {
    row->first_limit = CapacityLimit::kUnit;
    row->reason = absl::StrFormat("%s is asked for %.0f %% of its time", most->name, most->asked_share * 100);
  } else if (bandwidth > 0 && report.memory.mean_bytes_per_s > kBandwidthShare * bandwidth) {
    row->first_limit = CapacityLimit::kBandwidth;
    row->reason = absl::StrCat(FormatBytes(report.memory.mean_bytes_per_s), "/s of the ", FormatBytes(bandwidth),
                               "/s that the memory delivers");
  } else {
    row->first_limit = CapacityLimit::kDeadline;
    for (const TaskRow& task : report.tasks) {
      if (row->reason.empty() && !task.reason.empty()) row->reason = task.reason;
    }
  }
}

// What is used most, and the figures that a row shows.
void BoardSearch::FillUse(const WorkloadReport& report, int64_t streams, CapacityRow* row) const {
  row->power_w = report.energy_j_per_s;
  row->power_of = report.power_of;
  std::vector<std::string> units;
  double most = 0;
  const auto use = [&](const std::string& what, double share) {
    if (share <= most) return;
    most = share;
    row->busiest = what;
  };
  for (const WorkloadUnitRow& unit : report.units) {
    use(unit.name, unit.asked_share);
    const bool computes = std::any_of(report.tasks.begin(), report.tasks.end(), [&](const TaskRow& task) {
      return std::any_of(task.units.begin(), task.units.end(),
                         [&](const UnitTimeShare& share) { return share.unit == unit.name; });
    });
    if (computes) units.push_back(unit.name);
  }
  row->runs_on = absl::StrJoin(units, ", ");
  const double bandwidth = report.memory.capacity_bytes_per_s.value_or(0);
  if (bandwidth > 0) use("bandwidth", report.memory.mean_bytes_per_s / bandwidth);
  for (const CapacityStage& stage : request_.stages) {
    const std::optional<double> decoded = stage.codec.empty() ? std::nullopt : DecodedPerS(stage.codec);
    if (decoded.value_or(0) <= 0) continue;
    use(stage.codec, static_cast<double>(streams) * stage.pixels / Seconds(request_.period) / *decoded);
  }
  if (request_.max_w.has_value() && row->power_w.has_value()) use("power", *row->power_w / *request_.max_w);
  row->headroom = std::max(0.0, 1 - most);
  row->bound_s = 0;
  for (const TaskRow& task : report.tasks) {
    if (task.worst_s.has_value()) row->worst_s = std::max(row->worst_s.value_or(0), *task.worst_s);
    if (row->bound_s.has_value()) {
      row->bound_s =
          task.bound_s.has_value() ? std::optional<double>(std::max(*row->bound_s, *task.bound_s)) : std::nullopt;
    }
  }
}

// The most streams in [from, to] that hold, where `from` do (0 = none): from the upper end down, then by halves.
absl::StatusOr<int64_t> BoardSearch::Count(Config* config, int64_t from, int64_t to) {
  int64_t holds = from, fails = to + 1;
  for (int64_t step = 1, at = to; at > from; at -= step, step *= 2) {
    HWEST_ASSIGN_OR_RETURN(const CapacityRow* const row, Try(config, at));
    if (row->holds.value_or(false)) {
      holds = at;
      break;
    }
    fails = at;
  }
  while (fails - holds > 1) {
    const int64_t middle = holds + (fails - holds) / 2;
    HWEST_ASSIGN_OR_RETURN(const CapacityRow* const row, Try(config, middle));
    (row->holds.value_or(false) ? holds : fails) = middle;
  }
  return holds;
}

// The row of a configuration that holds `shown` streams, with how many it holds up to `to`.
absl::StatusOr<CapacityRow> BoardSearch::RowOf(Config* config, int64_t shown, int64_t to, int64_t streams) {
  CapacityRow row = Empty();
  row.mode = config->mode;
  row.precision = config->precision;
  row.batch = config->batch;
  if (shown > 0) {
    HWEST_ASSIGN_OR_RETURN(row, Shown(config, shown));
  }
  row.streams = streams;
  row.holds = streams >= std::max<int64_t>(1, request_.streams);
  row.at_least = streams == to && to < config->most;
  row.first_limit = CapacityLimit::kNone;
  row.reason.clear();
  if (row.at_least) return row;
  const auto beyond = config->rows.find(streams + 1);
  const bool is_tried = beyond != config->rows.end();
  row.first_limit = is_tried ? beyond->second.first_limit : config->why;
  row.reason = is_tried ? beyond->second.reason : config->reason;
  return row;
}

absl::StatusOr<CapacityRow> BoardSearch::Most(int64_t most) {
  std::vector<Config*> order;
  for (Config& config : configs_) order.push_back(&config);
  std::stable_sort(order.begin(), order.end(), [](const Config* a, const Config* b) { return a->most > b->most; });
  Config* best = order.front();
  int64_t best_streams = 0, best_to = std::min(best->most, std::min(most, MostStreams(*best)));
  for (Config* config : order) {
    const int64_t to = std::min(config->most, std::min(most, MostStreams(*config)));
    if (to < std::max<int64_t>(1, best_streams)) continue;
    HWEST_ASSIGN_OR_RETURN(const int64_t streams, Count(config, 0, to));
    bool is_better = streams > best_streams;
    if (streams == best_streams && streams > 0) {
      HWEST_ASSIGN_OR_RETURN(const CapacityRow* const own, Try(config, streams));
      HWEST_ASSIGN_OR_RETURN(const CapacityRow* const other, Try(best, streams));
      is_better = own->power_w.has_value() && own->power_w.value_or(0) < other->power_w.value_or(0) * (1 - kSame);
    }
    if (!is_better) continue;
    best = config;
    best_streams = streams;
    best_to = to;
  }
  return RowOf(best, best_streams, best_to, best_streams);
}

absl::StatusOr<CapacityRow> BoardSearch::Asked() {
  const int64_t asked = request_.streams;
  std::vector<Config*> order;
  for (Config& config : configs_) {
    if (config.most >= asked && MostStreams(config) >= asked) order.push_back(&config);
  }
  std::stable_sort(order.begin(), order.end(), [](const Config* a, const Config* b) {
    const double most = std::numeric_limits<double>::infinity();
    return a->least_w.value_or(most) < b->least_w.value_or(most);
  });
  Config* best = nullptr;
  std::optional<double> best_w;
  const CapacityRow* unknown = nullptr;
  for (Config* config : order) {
    if (best_w.has_value() && config->least_w.has_value() && *config->least_w >= *best_w * (1 - kSame)) continue;
    HWEST_ASSIGN_OR_RETURN(const CapacityRow* const row, Try(config, asked));
    if (!row->holds.has_value() && unknown == nullptr) unknown = row;
    if (!row->holds.value_or(false)) continue;
    const bool is_first = best == nullptr;
    const bool is_lower = row->power_w.has_value() && (!best_w.has_value() || *row->power_w < *best_w * (1 - kSame));
    if (!is_first && !is_lower) continue;
    best = config;
    best_w = row->power_w;
  }
  if (best != nullptr) {
    const int64_t to = std::min(best->most, std::min(asked * kCountedTimes, MostStreams(*best)));
    HWEST_ASSIGN_OR_RETURN(const int64_t streams, Count(best, asked, to));
    return RowOf(best, asked, to, streams);
  }
  if (unknown != nullptr) return *unknown;
  return Most(asked - 1);
}

absl::StatusOr<CapacityRow> BoardSearch::Run() {
  CapacityRow refused = Empty();
  const auto refuse = [&](const absl::Status& status) -> absl::StatusOr<CapacityRow> {
    const Diagnostic error = DiagnosticOf(status);
    if (error.code == Code::kInterrupted) return status;
    refused.first_limit = CapacityLimit::kSupport;
    refused.reason = error.message;
    return refused;
  };
  const absl::Status found = FindTarget();
  if (!found.ok()) return refuse(found);
  const absl::Status added = AddConfigs();
  if (!added.ok()) return refuse(added);
  if (request_.streams > 0) return Asked();
  HWEST_ASSIGN_OR_RETURN(CapacityRow row, Most(kMostStreams));
  if (row.streams > 0 || row.first_limit != CapacityLimit::kUnknown) return row;
  row.holds = std::nullopt;
  return row;
}

std::vector<CapacityRow> BoardSearch::Tried() const {
  std::vector<CapacityRow> rows;
  for (const Config& config : configs_) {
    for (const auto& [streams, row] : config.rows) rows.push_back(row);
  }
  return rows;
}

// Boards that hold it, then what is not known, then the others; by price where prices are given, else by power.
void Order(const CapacityRequest& request, std::vector<CapacityRow>* boards) {
  const bool by_count = request.streams == 0;
  std::stable_sort(boards->begin(), boards->end(), [&](const CapacityRow& a, const CapacityRow& b) {
    const auto rank = [](const CapacityRow& row) { return row.holds.has_value() ? (*row.holds ? 0 : 2) : 1; };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (rank(a) == 2 && a.streams != b.streams) return a.streams > b.streams;
    const double most = std::numeric_limits<double>::infinity();
    const double a_price = a.price.value_or(most), b_price = b.price.value_or(most);
    if (!request.prices.empty() && a_price != b_price) return a_price < b_price;
    if (by_count && rank(a) == 0 && request.prices.empty() && a.streams != b.streams) return a.streams > b.streams;
    return a.power_w.value_or(most) < b.power_w.value_or(most);
  });
}

absl::Status CheckRequest(const CapacityRequest& request) {
  if (request.models.empty()) {
    return MakeError(Code::kUsage, "no model was named", "write onnx-hwest fit MODEL --streams 4@30FPS");
  }
  if (request.targets.empty()) {
    return MakeError(Code::kUsage, "no target was named", "add --target edge", {{"--target", {"edge"}}});
  }
  const auto models = static_cast<int64_t>(request.models.size());
  if (models > kMostTasksOfAll) {
    return MakeError(Code::kUsage, absl::StrCat(models, " models"), absl::StrCat("name ", kMostTasksOfAll, " at most"));
  }
  int64_t batch = 1;
  for (const int64_t own : request.batches) batch = std::max(batch, own);
  const int64_t most = kMostTasksOfAll / models * batch;
  if (request.streams < 0 || request.streams > most) {
    return MakeError(Code::kUsage, absl::StrCat(request.streams, " streams of ", models, " models"),
                     absl::StrCat("write from 1 to ", most, ", or a larger --batch"), {"--batch"});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::map<std::string, TaskModel>> LoadModels(const CapacityRequest& request) {
  std::map<std::string, TaskModel> models;
  for (const CapacityModel& model : request.models) {
    if (models.count(model.path) > 0) continue;
    const WorkloadTask task{.name = model.path, .model = model.path, .path = model.path};
    if (task.is_report()) {
      return MakeError(Code::kUsage, absl::StrCat("'", EscapeControl(model.path), "' is a report of one target"),
                       "name an ONNX file");
    }
    // Its own words: there is no file with lines.
    HWEST_RETURN_IF_ERROR(LoadModel(model.path).status());
    HWEST_ASSIGN_OR_RETURN(TaskModel loaded, TaskModel::Load(task, "fit"));
    models.emplace(model.path, std::move(loaded));
  }
  return models;
}

// The boards, each by a thread that is free.
class Fleet {
 public:
  Fleet(const CapacityRequest& request, const std::map<std::string, TaskModel>& models)
      : request_(request), models_(models), rows_(request.targets.size()), tried_(request.targets.size()) {}

  absl::Status Run() {
    const size_t cores = std::max<size_t>(1, std::thread::hardware_concurrency());
    const size_t wanted = std::min(request_.threads > 0 ? request_.threads : cores, rows_.size());
    std::vector<std::thread> others;
    for (size_t i = 1; i < wanted; ++i) others.emplace_back([this] { Work(); });
    Work();
    for (std::thread& other : others) other.join();
    return failed_;
  }

  void Take(CapacityReport* report) {
    report->boards = std::move(rows_);
    for (std::vector<CapacityRow>& rows : tried_) {
      std::move(rows.begin(), rows.end(), std::back_inserter(report->tried));
    }
  }

 private:
  void Work() {
    for (size_t i = next_++; i < rows_.size(); i = next_++) {
      absl::Status status = One(i);
      const std::lock_guard lock(mutex_);
      failed_.Update(status);
      if (!failed_.ok()) return;
      ++done_;
      if (request_.watch.count != nullptr) request_.watch.count("boards", done_, rows_.size());
    }
  }

  absl::Status One(size_t i) {
    try {
      if (request_.watch.stop != nullptr && request_.watch.stop()) {
        return MakeError(Code::kInterrupted, "the run was cancelled", "");
      }
      BoardSearch search(request_, models_, request_.targets[i]);
      HWEST_ASSIGN_OR_RETURN(rows_[i], search.Run());
      tried_[i] = search.Tried();
      return absl::OkStatus();
    } catch (const std::exception& error) {  // mostly lack of memory
      return MakeError(Code::kInternal, absl::StrCat("fitting ", request_.targets[i], " ended with ", error.what()),
                       "name fewer targets");
    }
  }

  const CapacityRequest& request_;
  const std::map<std::string, TaskModel>& models_;
  std::vector<CapacityRow> rows_;
  std::vector<std::vector<CapacityRow>> tried_;
  std::atomic<size_t> next_ = 0;
  std::mutex mutex_;  // guards the next two
  absl::Status failed_;
  size_t done_ = 0;
};

bool IsEdge(const Target& target) {
  const bool has_gpu_card =
      target.power_of == "card" && std::any_of(target.units.begin(), target.units.end(), [](const Unit& unit) {
        return KindTraitsOf(unit).device == DeviceClass::kGpu;
      });
  return target.idle_w.known() && *target.idle_w.value() <= kEdgeIdle_w && target.power_of != "computer" &&
         !has_gpu_card;
}

}  // namespace

absl::string_view CapacityLimitName(CapacityLimit limit) {
  constexpr absl::string_view kNames[] = {"none",  "unit",   "bandwidth", "memory", "deadline",
                                          "power", "decode", "support",   "unknown"};
  static_assert(std::size(kNames) == kNumEnumerators<CapacityLimit>);
  return kNames[static_cast<size_t>(limit)];
}

absl::StatusOr<std::vector<std::string>> TargetsNamed(const std::vector<std::string>& names) {
  std::vector<std::string> targets;
  const auto add = [&](const std::string& name) {
    if (std::find(targets.begin(), targets.end(), name) == targets.end()) targets.push_back(name);
  };
  for (const std::string& name : names) {
    if (name != "all" && name != "edge") {
      HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target, SharedTarget(name, ""));
      add(target->origin == "built-in" ? target->name : name);
      continue;
    }
    for (const TargetSummary& summary : ListTargets()) {
      if (name == "edge") {
        HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target, SharedTarget(summary.name, ""));
        if (!IsEdge(*target)) continue;
      }
      add(summary.name);
    }
  }
  return targets;
}

absl::StatusOr<CapacityReport> FindCapacity(const CapacityRequest& request) {
  HWEST_RETURN_IF_ERROR(CheckRequest(request));
  CapacityReport report{.request = request};
  HWEST_ASSIGN_OR_RETURN(report.request.targets, TargetsNamed(request.targets));
  if (request.watch.step != nullptr) request.watch.step("reading models", 0);
  HWEST_ASSIGN_OR_RETURN(const auto models, LoadModels(report.request));
  Fleet fleet(report.request, models);
  HWEST_RETURN_IF_ERROR(fleet.Run());
  fleet.Take(&report);
  Order(report.request, &report.boards);
  return report;
}

}  // namespace hwest
