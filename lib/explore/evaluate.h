// What the models cost on one point of a space.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/variants.h"
#include "explore/space.h"

namespace hwest {

struct ExplorePoint {
  GridPoint point;                // indices of its values
  std::vector<double> values;     // by axis
  std::vector<double> latency_s;  // by model; empty = it has no figures
  std::vector<double> energy_j;   // likewise; empty also where the target states no energies
  std::string message;            // why it has none
  double geomean_latency_s = 0;
  double worst_latency_s = 0;
  std::optional<double> geomean_energy_j, worst_energy_j;
  std::optional<double> power_w;   // average during an inference, of the model that draws most
  std::optional<double> area_mm2;  // none = not known
  bool keeps = false;              // every constraint
  double broken_by = 0;            // sum over those it breaks of ln(figure / limit)
  std::optional<double> score;     // by the objective, less is better; none = a figure of it is not known
  bool pareto = false;             // no other point that keeps the constraints beats it

  bool ok() const { return message.empty(); }
};

// A model of an exploration.
struct ExploreModel {
  std::string name;
  std::shared_ptr<Variants> variants;
};

class Evaluator {
 public:
  // `base` has its mode applied and is what `models` are variants of but for energies. No process = areas are unknown.
  Evaluator(const Target& base, const Space& space, std::vector<ExploreModel> models, std::optional<double> process_nm);

  // Figures of the models on the base with these values, without constraints and score.
  ExplorePoint At(const std::vector<double>& values);
  // The plan of one model there, valid until the next call.
  absl::StatusOr<const Plan*> PlanAt(size_t model, const std::vector<double>& values);
  // The target itself.
  std::shared_ptr<const Target> TargetAt(const std::vector<double>& values) const;

  const std::vector<ExploreModel>& models() const { return models_; }
  const Space& space() const { return space_; }

 private:
  std::shared_ptr<const Target> VariantFor(const ExploreModel& model, const std::vector<double>& values);

  const Target base_;
  const Space& space_;
  const std::vector<ExploreModel> models_;
  const std::optional<double> process_nm_;
  Target scratch_;  // a copy of the base whose figures are restated for each point
};

}  // namespace hwest
