#include "analysis/stated_slowdown.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "cost/machine.h"
#include "cost/precision.h"

namespace hwest::test {
namespace {

class Comparison {
 public:
  Comparison(const Machine& wide, const Machine& narrow) : wide_(wide), narrow_(narrow) {}

  Slowdown Run() {
    const double contraction = Rates(wide_.contraction->per_cycle.value_or(0) * wide_.compute_efficiency,
                                     narrow_.contraction->per_cycle.value_or(0) * narrow_.compute_efficiency);
    const double edges = Times(1 + wide_.channels_half, 1 + narrow_.channels_half) *
                         Times(1 + wide_.waves_half, 1 + narrow_.waves_half) * Tiles();
    const double windows = ComputesLessInWindows() ? 2 : 1;
    Add("contraction", contraction * edges * windows);
    Add("contraction of activations",
        contraction * edges * Rates(wide_.activation_efficiency, narrow_.activation_efficiency));
    Add("recurrent steps", Rates(RecurrentRate(wide_), RecurrentRate(narrow_)));
    Add("vector contraction", Rates(wide_.vector_macs_per_cycle, narrow_.vector_macs_per_cycle));
    Add("pointwise", Rates(wide_.pointwise_per_cycle * wide_.pointwise_efficiency,
                           narrow_.pointwise_per_cycle * narrow_.pointwise_efficiency));
    Add("transcendental", Rates(wide_.transcendental_per_cycle * wide_.transcendental_efficiency,
                                narrow_.transcendental_per_cycle * narrow_.transcendental_efficiency));
    AddMoves();
    Add("bandwidth",
        Rates(wide_.shared_bytes_per_s * wide_.dram_efficiency, narrow_.shared_bytes_per_s * narrow_.dram_efficiency));
    Add("launch", Times(wide_.launch_s, narrow_.launch_s));
    Add("steps", Times(wide_.step_kernels * wide_.launch_s, narrow_.step_kernels * narrow_.launch_s));
    Add("clock", Rates(wide_.clock_hz, narrow_.clock_hz));
    worst_.factor *= std::max(1.0, (2 - narrow_.overlap) / (2 - wide_.overlap));
    worst_.factor *= std::max(1.0, wide_.engines / narrow_.engines);  // a smaller part of each kernel runs on all cores
    return worst_;
  }

 private:
  static double Rates(double wide, double narrow) { return wide > 0 && narrow > 0 ? wide / narrow : 1; }
  static double Times(double wide, double narrow) { return Rates(narrow, wide); }

  // What a contraction that fills the smallest tile of `wide` leaves empty of one of `narrow`.
  double Tiles() const {
    double worst = 1;
    for (const Tile& wide : wide_.tiles) {
      double best = std::numeric_limits<double>::infinity();
      for (const Tile& narrow : narrow_.tiles) {
        double empty = 1;
        for (uint32_t Tile::* side : {&Tile::m, &Tile::n, &Tile::k}) {
          empty *= std::max(1.0, static_cast<double>(narrow.*side) / (wide.*side));
        }
        best = std::min(best, empty);
      }
      if (std::isfinite(best)) worst = std::max(worst, best);
    }
    return worst;
  }
  // CPUs take the gates of networks in 8 bits in single precision: lib/cost/simd_cpu.cc.
  static double RecurrentRate(const Machine& machine) {
    double rate = machine.contraction->per_cycle.value_or(0);
    const Rate* single = RateFor(machine.unit, WorkKind::kContraction, {Num::kFp32, Num::kFp32});
    if (machine.unit.kind == UnitKind::kSimdCpu && machine.precision.act == Num::kInt8 && single != nullptr) {
      rate = std::min(rate, single->per_cycle.value_or(rate));
    }
    return rate * machine.compute_efficiency;
  }
  // Libraries of CPUs take windows of 3 x 3 with fewer products in half precision, but in 8 bits only on some cores:
  // lib/cost/simd_cpu.cc.
  bool ComputesLessInWindows() const {
    return wide_.unit.kind == UnitKind::kSimdCpu && wide_.precision.act == Num::kFp16 &&
           narrow_.precision.act != Num::kFp16;
  }

  void Add(absl::string_view figure, double factor) {
    if (factor <= worst_.factor) return;
    worst_ = {factor, std::string(figure)};
  }
  // Elements of both precisions are as many, bytes are not; short rows fill as many vectors of either.
  void AddMoves() {
    const double bytes = static_cast<double>(NumBits(narrow_.precision.act)) / NumBits(wide_.precision.act);
    const double in_rows = narrow_.row_bytes > 0 ? std::max(bytes, 1.0) : bytes;
    Add("move", in_rows * Rates(wide_.moved_bytes_per_cycle, narrow_.moved_bytes_per_cycle));
    Add("copy", bytes * Rates(wide_.copied_bytes_per_cycle, narrow_.copied_bytes_per_cycle));
  }

  const Machine& wide_;
  const Machine& narrow_;
  Slowdown worst_;
};

bool IsOwnTime(absl::string_view name) {
  constexpr absl::string_view kNames[] = {"statistic_efficiency", "image_efficiency",  "channel_efficiency",
                                          "window_efficiency",    "search_efficiency", "pool_efficiency",
                                          "lookup_efficiency"};
  return absl::c_any_of(kNames, [name](absl::string_view own) { return absl::StartsWith(name, own); });
}

template <class Drop>
Target Without(Target target, const Drop& drop) {
  for (Unit& unit : target.units) {
    unit.params.erase(
        std::remove_if(unit.params.begin(), unit.params.end(), [&](const Param& param) { return drop(param.name); }),
        unit.params.end());
  }
  return target;
}

}  // namespace

absl::StatusOr<Slowdown> StatedSlowdown(const Target& target, const Unit& unit, Precision wide, Precision narrow) {
  HWEST_ASSIGN_OR_RETURN(const Machine a, MakeMachine(target, unit, wide));
  HWEST_ASSIGN_OR_RETURN(const Machine b, MakeMachine(target, unit, narrow));
  return Comparison(a, b).Run();
}

bool RatesGrow(const Unit& unit, Precision wide, Precision narrow) {
  const Rate* a = RateFor(unit, WorkKind::kContraction, wide);
  const Rate* b = RateFor(unit, WorkKind::kContraction, narrow);
  return a != nullptr && b != nullptr && b->per_cycle.value_or(0) >= a->per_cycle.value_or(0);
}

Target WithoutOwnTimes(Target target) { return Without(std::move(target), IsOwnTime); }

Target WithoutClasses(Target target) {
  return Without(std::move(target), [](absl::string_view name) { return absl::StrContains(name, '.'); });
}

}  // namespace hwest::test
