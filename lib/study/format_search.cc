#include "study/format_search.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace hwest {
namespace {

// A value that later steps read: its format, and those that it was converted to, a bit each.
struct Live {
  uint8_t format = 0;
  uint8_t converted = 0;
};

// What a step does where the values it reads are in these formats.
class Walk {
 public:
  explicit Walk(const FormatProblem& problem) : problem_(problem) {}

  // The format of a step that follows.
  uint8_t Followed(const FormatProblem::Step& step, const std::vector<Live>& live) const {
    std::optional<uint8_t> widest;
    for (const uint32_t value : step.reads) widest = std::min(widest.value_or(UINT8_MAX), live[value].format);
    return widest.value_or(0);
  }

  // The cost of the step in `format`; marks what it writes and converts in `live`.
  double Take(const FormatProblem::Step& step, uint8_t format, std::vector<Live>* live) const {
    double cost = step.cost.empty() ? 0 : step.cost[format];
    for (const uint32_t value : step.reads) {
      Live& read = (*live)[value];
      const auto bit = static_cast<uint8_t>(1U << format);
      if (!step.counts || read.format == format || (read.converted & bit) != 0) continue;
      read.converted |= bit;
      const std::vector<double>& convert = problem_.values[value].convert;
      if (!convert.empty()) cost += convert[size_t{read.format} * problem_.num_formats + format];
    }
    for (const uint32_t value : step.writes) (*live)[value] = {format, 0};
    return cost;
  }

 private:
  const FormatProblem& problem_;
};

// A partial choice, as the step that decided last and the choice before it.
struct Partial {
  double loss = 0;
  double cost = 0;
  uint32_t trace = UINT32_MAX;
};
struct Trace {
  uint32_t before = UINT32_MAX;
  uint8_t format = 0;
};

using Partials = std::vector<Partial>;

// Leaves those that no other one betters, by loss.
void KeepBest(Partials* partials) {
  std::sort(partials->begin(), partials->end(),
            [](const Partial& a, const Partial& b) { return a.loss != b.loss ? a.loss < b.loss : a.cost < b.cost; });
  size_t kept = 0;
  for (const Partial& partial : *partials) {
    if (kept > 0 && (*partials)[kept - 1].cost <= partial.cost) continue;
    (*partials)[kept++] = partial;
  }
  partials->resize(kept);
}

// Of those in order of loss, `most` at even distances: the first and the last among them.
void Thin(size_t most, Partials* partials) {
  if (partials->size() <= most || most < 2) return;
  Partials kept;
  for (size_t i = 0; i < most; ++i) kept.push_back((*partials)[i * (partials->size() - 1) / (most - 1)]);
  *partials = std::move(kept);
}

class Search {
 public:
  Search(const FormatProblem& problem, std::optional<double> budget, size_t most_states)
      : problem_(problem), budget_(budget), most_states_(most_states), walk_(problem) {
    last_read_.assign(problem.values.size(), 0);
    for (size_t s = 0; s < problem.steps.size(); ++s) {
      for (const uint32_t value : problem.steps[s].reads) last_read_[value] = s + 1;
    }
  }

  FormatFrontier Run() {
    states_[""] = {Partial{}};
    for (size_t s = 0; s < problem_.steps.size(); ++s) TakeStep(s);
    Partials all;
    for (const auto& [key, partials] : states_) all.insert(all.end(), partials.begin(), partials.end());
    KeepBest(&all);
    FormatFrontier frontier{.is_exact = is_exact_};
    for (const Partial& partial : all) frontier.choices.push_back(ChoiceOf(partial));
    return frontier;
  }

 private:
  std::string KeyOf(const std::vector<Live>& live, const std::vector<uint32_t>& alive) const {
    std::string key;
    for (const uint32_t value : alive) {
      key.push_back(static_cast<char>(live[value].format));
      key.push_back(static_cast<char>(live[value].converted));
    }
    return key;
  }

  void TakeStep(size_t s) {
    const FormatProblem::Step& step = problem_.steps[s];
    std::vector<uint32_t> next;  // values alive behind the step
    for (const uint32_t value : alive_) {
      if (last_read_[value] > s + 1) next.push_back(value);
    }
    for (const uint32_t value : step.writes) {
      if (last_read_[value] > s + 1) next.push_back(value);
    }
    absl::flat_hash_map<std::string, Partials> made;
    std::vector<Live> live(problem_.values.size());
    for (const auto& [key, partials] : states_) {
      for (size_t i = 0; i < alive_.size(); ++i) {
        live[alive_[i]] = {static_cast<uint8_t>(key[2 * i]), static_cast<uint8_t>(key[2 * i + 1])};
      }
      const uint8_t first = step.layer.has_value() ? 0 : walk_.Followed(step, live);
      const uint8_t last = step.layer.has_value() ? problem_.num_formats - 1 : first;
      for (uint8_t format = first; format <= last; ++format) {
        if (step.layer.has_value() && !step.loss[format].has_value()) continue;
        std::vector<Live> after = live;
        const double cost = walk_.Take(step, format, &after);
        const double loss = step.layer.has_value() ? *step.loss[format] : 0;
        Partials& into = made[KeyOf(after, next)];
        for (const Partial& partial : partials) {
          if (budget_.has_value() && partial.loss + loss > *budget_ * (1 + 1e-12)) continue;
          Partial more{partial.loss + loss, partial.cost + cost, partial.trace};
          if (step.layer.has_value()) {
            traces_.push_back({partial.trace, format});
            more.trace = static_cast<uint32_t>(traces_.size() - 1);
          }
          into.push_back(more);
        }
      }
    }
    size_t total = 0;
    for (auto& [key, partials] : made) {
      KeepBest(&partials);
      total += partials.size();
    }
    if (total > most_states_) {
      is_exact_ = false;
      const size_t each = std::max<size_t>(2, most_states_ / made.size());
      for (auto& [key, partials] : made) Thin(each, &partials);
    }
    states_ = std::move(made);
    alive_ = std::move(next);
  }

  // Layers are decided in the order of their steps.
  FormatChoice ChoiceOf(const Partial& partial) const {
    FormatChoice choice{.loss = partial.loss, .cost = partial.cost};
    choice.formats.assign(problem_.num_layers, 0);
    uint32_t trace = partial.trace;
    for (size_t s = problem_.steps.size(); s-- > 0;) {
      if (!problem_.steps[s].layer.has_value()) continue;
      choice.formats[*problem_.steps[s].layer] = traces_[trace].format;
      trace = traces_[trace].before;
    }
    return choice;
  }

  const FormatProblem& problem_;
  const std::optional<double> budget_;
  const size_t most_states_;
  const Walk walk_;
  std::vector<size_t> last_read_;  // by value: one more than the step
  std::vector<uint32_t> alive_;
  absl::flat_hash_map<std::string, Partials> states_;
  std::vector<Trace> traces_;
  bool is_exact_ = true;
};

}  // namespace

FormatFrontier FindFrontier(const FormatProblem& problem, std::optional<double> budget, size_t most_states) {
  return Search(problem, budget, most_states).Run();
}

double CostOf(const FormatProblem& problem, const std::vector<uint8_t>& formats) {
  const Walk walk(problem);
  std::vector<Live> live(problem.values.size());
  double cost = 0;
  for (const FormatProblem::Step& step : problem.steps) {
    cost += walk.Take(step, step.layer.has_value() ? formats[*step.layer] : walk.Followed(step, live), &live);
  }
  return cost;
}

}  // namespace hwest
