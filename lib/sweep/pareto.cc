// Finds the rows of a sweep that no other row beats.
#include <algorithm>

#include "sweep/row.h"

namespace hwest {
namespace {

using Point = std::array<double, 3>;

unsigned KnownOf(const ParetoFigures& figures) {
  unsigned known = 0;
  for (size_t i = 0; i < figures.size(); ++i) known |= unsigned{figures[i].has_value()} << i;
  return known;
}

Point PointOf(const ParetoFigures& figures) {
  Point point = {};
  for (size_t i = 0; i < figures.size(); ++i) point[i] = figures[i].value_or(0);
  return point;
}

// At least as good everywhere and better somewhere.
bool Dominates(const Point& a, const Point& b) {
  bool better = false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better |= a[i] < b[i];
  }
  return better;
}

}  // namespace

ParetoFigures FiguresOf(const SweepRow& row) {
  if (!row.code.empty()) return {};
  const auto& memory = row.summary.peak_memory_bytes;
  return {row.summary.latency_s, row.summary.energy_j,
          memory.has_value() ? std::optional<double>(static_cast<double>(*memory)) : std::nullopt};
}

void ParetoFront::Add(const std::string& work, const ParetoFigures& figures) {
  Front& front = fronts_[work];
  if (figures[0].has_value()) front.fastest_s = std::min(*figures[0], front.fastest_s.value_or(*figures[0]));
  std::vector<Point>& members = front.by_known[KnownOf(figures)];
  const Point point = PointOf(figures);
  const auto stays = [&](const Point& member) { return Dominates(member, point) || member == point; };
  if (std::any_of(members.begin(), members.end(), stays)) return;
  members.erase(std::remove_if(members.begin(), members.end(), [&](const Point& m) { return Dominates(point, m); }),
                members.end());
  members.push_back(point);
}

std::optional<bool> ParetoFront::IsOn(const std::string& work, const ParetoFigures& figures) const {
  const auto front = fronts_.find(work);
  if (front == fronts_.end()) return std::nullopt;
  unsigned known = 0;
  for (const auto& [some, members] : front->second.by_known) known |= some;
  if (known == 0 || KnownOf(figures) != known) return std::nullopt;
  const std::vector<Point>& members = front->second.by_known.at(known);
  return std::find(members.begin(), members.end(), PointOf(figures)) != members.end();
}

bool ParetoFront::IsFastest(const std::string& work, const ParetoFigures& figures) const {
  const auto front = fronts_.find(work);
  return front != fronts_.end() && figures[0].has_value() && figures[0] == front->second.fastest_s;
}

void MarkPareto(std::vector<SweepRow>* rows) {
  ParetoFront front;
  for (const SweepRow& row : *rows) {
    if (row.ok) front.Add(WorkOf(row), FiguresOf(row));
  }
  for (SweepRow& row : *rows) {
    if (row.ok) row.pareto = front.IsOn(WorkOf(row), FiguresOf(row));
  }
}

}  // namespace hwest
