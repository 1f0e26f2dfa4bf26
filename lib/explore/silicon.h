// Area and energy of multipliers and SRAM from their size and process, where a target states none: published tables at
// 45 nm, and at the processes since. They are estimates to within a factor of two.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hwest/target.h"

namespace hwest {

// Processes that the tables cover, in nm.
inline constexpr double kLeastProcess = 5, kMostProcess = 45;

// mm2 of the multipliers and the memories on the chip of a target's accelerators. None where it cannot be told: the
// capacity of a memory is not stated, or there is no table for the type that the accelerator multiplies in.
std::optional<double> AreaOf(const Target& target, double process_nm);

// Energies that the target does not state: of a MAC, and of a byte of the memories on the chip. Says which.
std::vector<std::string> FillEnergies(double process_nm, Target* target);

// What the area covers, and where the tables are from.
std::string AreaNote(const Target& target, double process_nm);

}  // namespace hwest
