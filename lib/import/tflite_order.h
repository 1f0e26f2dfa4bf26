// Orders of axes: which tensors of a TensorFlow Lite graph are taken channels first.
#pragma once

#include <cstdint>
#include <vector>

#include "import/tflite_file.h"

namespace hwest {

enum class Order : uint8_t {
  kStored,  // as the file has it
  kFirst,   // the last axis, which holds channels, behind the batch
};

// Axis i in `order` is axis PermOf()[i] as stored. Tensors of fewer than three axes have one order.
std::vector<int64_t> PermOf(Order order, int rank);
// Where an axis as stored, or one counted from the end, is in `order`.
int64_t AxisIn(Order order, int rank, int64_t axis);
// A list of one entry for each axis, put in `order`.
std::vector<int64_t> InOrderOf(Order order, const std::vector<int64_t>& by_axis);
bool IsIdentity(const std::vector<int64_t>& perm);
// Where an axis as stored is in a permutation of axes.
int64_t PlaceOf(const std::vector<int64_t>& perm, int64_t axis);
// 0 .. rank - 1, -1 for an axis outside.
int64_t AxisFromStart(int64_t axis, int rank);

// True when both orders are the same row of elements: one channel, or one position.
bool IsSameRow(const TfliteTensor& tensor);
// True when the two differ by axes of size 1 between the first and the last axis.
bool DiffersByUnitAxes(const TfliteTensor& a, const TfliteTensor& b);

// OrdersOf gives each tensor one order. Operators on images want channels first, others want what is stored, most take
// either as long as their operands agree: what must agree is decided together, by what fewer transposes follow from.
std::vector<Order> OrdersOf(const TfliteFile& file, const std::vector<bool>& is_constant, FlatBuffer& flat);

}  // namespace hwest
