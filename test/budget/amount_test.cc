#include "budget/amount.h"

#include "support/catch.h"

namespace hwest {
namespace {

struct AmountCase {
  const char* text;
  AmountKind kind;
  std::optional<double> amount;
};

TEST_CASE("amounts with their units") {
  const auto c = GENERATE(values<AmountCase>({
      {"12 ms", AmountKind::kSeconds, 12e-3},
      {"12ms", AmountKind::kSeconds, 12e-3},
      {" 1.5e1 us ", AmountKind::kSeconds, 15e-6},
      {"2 s", AmountKind::kSeconds, 2},
      {"30", AmountKind::kPerSecond, 30},
      {"30 FPS", AmountKind::kPerSecond, 30},
      {"200 mJ", AmountKind::kJoules, 0.2},
      {"15W", AmountKind::kWatts, 15},
      {"64 MB", AmountKind::kBytes, 64e6},
      {"64 MiB", AmountKind::kBytes, 64 * 1048576.0},
      {"8.8 G", AmountKind::kCount, 8.8e9},
      {"17", AmountKind::kCount, 17},
      {"5%", AmountKind::kShare, 0.05},
      {"0.05", AmountKind::kShare, 0.05},
      {"12", AmountKind::kSeconds, std::nullopt},
      {"12 MB", AmountKind::kSeconds, std::nullopt},
      {"-1 ms", AmountKind::kSeconds, std::nullopt},
      {"1e999 ms", AmountKind::kSeconds, std::nullopt},
      {"nan ms", AmountKind::kSeconds, std::nullopt},
      {"", AmountKind::kCount, std::nullopt},
      {"ms", AmountKind::kSeconds, std::nullopt},
      {"1 2 ms", AmountKind::kSeconds, std::nullopt},
  }));
  INFO(c.text);
  const std::optional<double> amount = ParseAmount(c.text, c.kind);
  REQUIRE(amount.has_value() == c.amount.has_value());
  if (amount.has_value()) CHECK(*amount == Approx(*c.amount).epsilon(1e-12));
}

}  // namespace
}  // namespace hwest
