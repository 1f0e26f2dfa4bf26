// Fails when estimates of your own boards are further off than a share, in the C++ API.
//
//     accuracy_gate MEASUREMENTS.csv MODELS TARGET SHARE
#include <cstdio>
#include <cstdlib>
#include <string>

#include "hwest/validation.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: accuracy_gate MEASUREMENTS.csv MODELS TARGET SHARE\n");
    return 2;
  }
  hwest::app::ValidateRequest request{.measurements = argv[1], .models = argv[2]};
  request.target = argv[3];
  const absl::StatusOr<hwest::app::ValidateResult> result = hwest::app::Validate(request);
  if (!result.ok()) {
    std::fprintf(stderr, "accuracy_gate: %s\n", std::string(result.status().message()).c_str());
    return 2;
  }
  const double allowed = std::atof(argv[4]);
  bool good = !result->pools().empty();
  for (const hwest::Pool& pool : result->pools()) {
    if (!pool.summary.median.has_value()) continue;
    const bool ok = *pool.summary.median <= allowed;
    std::printf("%s, %s: %zu points, half of them within %.0f %%: %s\n", pool.unit.c_str(), pool.metric.c_str(),
                pool.summary.n, 100 * *pool.summary.median, ok ? "ok" : "too far off");
    good = good && ok;
  }
  return good ? 0 : 1;
}
