#include "explore/silicon.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/portable_math.h"
#include "target/kinds.h"

namespace hwest {
namespace {

struct PointOfCurve {
  double x = 0, y = 0;
};

// Between the points in powers; beyond them as at the nearest two.
template <size_t size>
double Interpolated(const PointOfCurve (&points)[size], double x) {
  size_t i = 1;
  while (i + 1 < size && x > points[i].x) ++i;
  const PointOfCurve &a = points[i - 1], &b = points[i];
  return a.y * portable::Pow(x / a.x, portable::Log(b.y / a.y) / portable::Log(b.x / a.x));
}

// um2 of the smallest six-transistor cell. Sources: 45 nm Mistry et al., IEDM 2007; 28 nm Wu et al., IEDM 2009 (both
// recalled); 16 nm Chen et al., JSSC 50 (2015); 7 nm Chang et al., ISSCC 2017; 5 nm TSMC N5 as compared with N3E
// (0.021) at IEDM 2022.
constexpr PointOfCurve kCellArea[] = {{5, 0.021}, {7, 0.027}, {16, 0.07}, {28, 0.127}, {45, 0.346}};
// The share of a macro that its cells fill: 31.8 Mib/mm2 of cells of 0.021 um2 (TSMC, IEDM 2022).
constexpr double kCellShare = 0.7;

// A MAC at 45 nm and 7 nm: multiplier and adder. Energies: M. Horowitz, ISSCC 2014; N. Jouppi et al., Ten Lessons From
// Three Generations, ISCA 2021, table 2 (recalled but for the FP32 product). Areas at 45 nm (recalled): V. Sze et al.,
// Efficient Processing of Deep Neural Networks, 2017, with the figures of Horowitz. Integers add in 32 bits.
struct MacRow {
  Num num;
  double area_um2;  // at 45 nm
  double energy_45nm_j;
  double energy_7nm_j;
};
constexpr MacRow kMacs[] = {
    {Num::kInt8, 282 + 137, 0.2e-12 + 0.1e-12, 0.07e-12 + 0.03e-12},
    {Num::kFp16, 1640 + 1360, 1.1e-12 + 0.4e-12, 0.34e-12 + 0.16e-12},
    {Num::kBf16, 1640 + 1360, 1.1e-12 + 0.4e-12, 0.34e-12 + 0.16e-12},
    {Num::kFp32, 7700 + 4184, 3.7e-12 + 0.9e-12, 1.31e-12 + 0.38e-12},
};
// Registers, control and wires beside the arithmetic, estimated: a published INT8 MAC cell of 28 nm has 337 um2, twice
// what multiplier and adder come to.
constexpr double kMacOverhead = 2;

// J of 8 bytes by capacity, from the same two tables.
constexpr PointOfCurve kSram45[] = {{8e3, 10e-12}, {32e3, 20e-12}, {1e6, 100e-12}};
constexpr PointOfCurve kSram7[] = {{8e3, 7.5e-12}, {32e3, 8.5e-12}, {1e6, 14e-12}};
constexpr double kAccessBytes = 8;

// Between the two processes that tables are of; below 7 nm as there.
double BetweenProcesses(double at_7nm, double at_45nm, double process_nm) {
  const PointOfCurve points[] = {{7, at_7nm}, {45, at_45nm}};
  return Interpolated(points, std::max(process_nm, 7.0));
}

double Shrink(double process_nm) { return Interpolated(kCellArea, process_nm) / Interpolated(kCellArea, kMostProcess); }

const MacRow* FindMac(const Rate& rate) {
  const auto row = std::find_if(std::begin(kMacs), std::end(kMacs),
                                [&](const MacRow& mac) { return mac.num == rate.act && rate.weight == rate.act; });
  return row == std::end(kMacs) ? nullptr : row;
}

bool IsCounted(const Unit& unit) { return unit.placeable && !IsCpu(unit); }

// Types share the array: the one that takes most decides.
std::optional<double> ArrayArea(const Unit& unit, double process_nm) {
  std::optional<double> area_um2;
  for (const Rate& rate : unit.rates) {
    const MacRow* mac = rate.work == WorkKind::kContraction ? FindMac(rate) : nullptr;
    if (mac == nullptr || !rate.per_cycle.known()) continue;
    area_um2 = std::max(area_um2.value_or(0), *rate.per_cycle.value() * mac->area_um2);
  }
  if (!area_um2.has_value()) return std::nullopt;
  return *area_um2 * kMacOverhead * Shrink(process_nm) * unit.cores * unit.instances / 1e6;
}

std::optional<double> MemoryArea(const Memory& memory, double process_nm) {
  if (!memory.capacity_bytes.known()) return std::nullopt;
  return *memory.capacity_bytes.value() * 8 * Interpolated(kCellArea, process_nm) / kCellShare / 1e6;
}

// Memories between the accelerators and the shared one.
std::vector<uint32_t> OnChipOf(const Target& target) {
  std::vector<uint32_t> found;
  for (const Unit& unit : target.units) {
    if (!IsCounted(unit)) continue;
    for (size_t i = 0; i + 1 < unit.memories.size(); ++i) {
      const bool is_known = std::find(found.begin(), found.end(), unit.memories[i]) != found.end();
      if (!is_known) found.push_back(unit.memories[i]);
    }
  }
  return found;
}

std::vector<std::string> CountedNames(const Target& target) {
  std::vector<std::string> names;
  for (const Unit& unit : target.units) {
    if (IsCounted(unit)) names.push_back(unit.name);
  }
  for (const uint32_t index : OnChipOf(target)) names.push_back(target.memories[index].name);
  return names;
}

}  // namespace

std::optional<double> AreaOf(const Target& target, double process_nm) {
  double area = 0;
  for (const Unit& unit : target.units) {
    if (!IsCounted(unit)) continue;
    const std::optional<double> one = ArrayArea(unit, process_nm);
    if (!one.has_value()) return std::nullopt;
    area += *one;
  }
  for (const uint32_t index : OnChipOf(target)) {
    const std::optional<double> one = MemoryArea(target.memories[index], process_nm);
    if (!one.has_value()) return std::nullopt;
    area += *one;
  }
  return area > 0 ? std::optional<double>(area) : std::nullopt;
}

std::vector<std::string> FillEnergies(double process_nm, Target* target) {
  std::vector<std::string> filled;
  for (Unit& unit : target->units) {
    if (!IsCounted(unit)) continue;
    for (Rate& rate : unit.rates) {
      const MacRow* mac = rate.work == WorkKind::kContraction ? FindMac(rate) : nullptr;
      if (mac == nullptr || rate.energy_j.known()) continue;
      rate.energy_j.stated = BetweenProcesses(mac->energy_7nm_j, mac->energy_45nm_j, process_nm);
      filled.push_back(absl::StrCat("a MAC of ", unit.name, " in ", NumName(rate.act)));
    }
  }
  for (const uint32_t index : OnChipOf(*target)) {
    Memory& memory = target->memories[index];
    if (memory.energy_j_per_byte.known() || !memory.capacity_bytes.known()) continue;
    const double bytes = *memory.capacity_bytes.value();
    memory.energy_j_per_byte.stated =
        BetweenProcesses(Interpolated(kSram7, bytes), Interpolated(kSram45, bytes), process_nm) / kAccessBytes;
    filled.push_back(absl::StrCat("a byte of ", memory.name));
  }
  return filled;
}

std::string AreaNote(const Target& target, double process_nm) {
  return absl::StrCat("area is that of the multipliers and memories of ", absl::StrJoin(CountedNames(target), ", "),
                      " at ", process_nm,
                      " nm, within a factor of two: published cells and 45 nm tables (Horowitz, ISSCC 2014) scaled "
                      "with the cell");
}

}  // namespace hwest
