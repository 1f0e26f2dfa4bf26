#include "workload/speeds.h"

#include <algorithm>

namespace hwest {
namespace {

constexpr int kMeetingHalvings = 30;
constexpr double kSharingTolerance = 1e-9;

// Bytes per second that all move when bursts meet with weight `meeting`: 0 = mean traffic, 1 = all the time.
double Moved(absl::Span<const Demand> running, const SharedPool& pool, double meeting, std::vector<double>* seconds) {
  double asked = 0, moved = 0;
  const auto seen = [&](const Demand& d) {
    return d.mean_bytes_per_s + meeting * (d.burst_bytes_per_s - d.mean_bytes_per_s);
  };
  for (const Demand& demand : running) asked += seen(demand);
  for (size_t i = 0; i < running.size(); ++i) {
    const double others = std::max(0.0, asked - seen(running[i]));
    (*seconds)[i] = running[i].piece->Seconds(StretchOf(running[i], others, pool));
    if ((*seconds)[i] > 0) moved += running[i].piece->bytes / (*seconds)[i];
  }
  return moved;
}

}  // namespace

Demand DemandOf(const Piece& piece) { return {&piece, piece.mean_bytes_per_s(), piece.burst_bytes_per_s()}; }

double StretchOf(const Demand& own, double others_bytes_per_s, const SharedPool& pool) {
  if (pool.bytes_per_s <= 0 || own.burst_bytes_per_s <= 0) return 1;
  return std::max(1.0, (own.burst_bytes_per_s + others_bytes_per_s) / pool.bytes_per_s);
}

void SecondsOf(absl::Span<const Demand> running, const SharedPool& pool, std::vector<double>* seconds) {
  seconds->resize(running.size());
  const double most = pool.bytes_per_s * (1 + kSharingTolerance);
  if (Moved(running, pool, 0, seconds) <= most || running.size() < 2 || pool.bytes_per_s <= 0) return;
  double low = 0, high = 1;
  for (int i = 0; i < kMeetingHalvings; ++i) {
    const double middle = (low + high) / 2;
    (Moved(running, pool, middle, seconds) <= most ? high : low) = middle;
  }
  Moved(running, pool, high, seconds);
}

}  // namespace hwest
