// What an operator's row states beside its rules: traits of the operator and roles of its operands. Readers ask for
// these, never for an operator's name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "absl/strings/string_view.h"

namespace hwest {

using Traits = uint32_t;

namespace trait {
constexpr Traits kElementwise = 1u << 0;    // an output element needs only the elements at its place
constexpr Traits kCommutes = 1u << 1;       // two inputs may change places
constexpr Traits kConverts = 1u << 2;       // changes the element type and nothing else
constexpr Traits kIdentity = 1u << 3;       // the output is the input under another name
constexpr Traits kPassesThrough = 1u << 4;  // where it is a view, patterns look through it at input 0
constexpr Traits kKeepsElements =
    1u << 5;                             // as many elements as input 0: the same ones in another order or number format
constexpr Traits kClamps = 1u << 6;      // limits the elements of input 0 to a range
constexpr Traits kRepeats = 1u << 7;     // copies of input 0 along axes; the same as input 0 where the shape stays
constexpr Traits kJoins = 1u << 8;       // the inputs one behind the other along attribute "axis"
constexpr Traits kReadsShape = 1u << 9;  // needs the shape of its input and no element
constexpr Traits kBranches = 1u << 10;   // runs one of its bodies
constexpr Traits kQuantizes = 1u << 11;  // input 0 as integers of a scale
constexpr Traits kDequantizes = 1u << 12;       // integers of a scale as floating point numbers
constexpr Traits kRandom = 1u << 13;            // draws: equal inputs do not make equal outputs
constexpr Traits kWholeInput = 1u << 14;        // needs all of input 0 before the first output element
constexpr Traits kFoldsIntoWeights = 1u << 15;  // one factor and summand a channel: they go into the weights before it
constexpr Traits kCopiesRuns = 1u << 17;  // whole runs of neighbours in, the same runs out: no element changes places
constexpr Traits kWindowOfWeights =
    1u << 16;  // without "kernel_shape" the window is the shape of input 1 from axis 2 on
constexpr Traits kTakesStatistics = 1u << 18;  // scales input 0 by sums or extremes over an axis of it
constexpr Traits kHoldsTables = 1u << 19;      // its lists and tensors of attributes are part of what the model weighs
constexpr Traits kSamples = 1u << 20;      // weights elements of input 0 at places that data decide, each by a product
constexpr Traits kTakesSlices = 1u << 21;  // slices of input 0 along attribute "axis", those that input 1 counts
}  // namespace trait

// A set of inputs by position: bit i is input i.
using InputMask = uint32_t;
constexpr InputMask kAllInputs = ~InputMask{0};  // those past the 32nd, too

constexpr InputMask Inputs(std::initializer_list<uint32_t> inputs) {
  InputMask mask = 0;
  for (const uint32_t input : inputs) mask |= InputMask{1} << input;
  return mask;
}

// Inputs first, first + 3, first + 6, ... of a list of (tensor, scale, zero point).
constexpr InputMask EveryThird(uint32_t first) {
  InputMask mask = 0;
  for (uint32_t input = first; input < 32; input += 3) mask |= InputMask{1} << input;
  return mask;
}

constexpr bool Covers(InputMask mask, size_t input) {
  return input < 32 ? ((mask >> input) & 1u) != 0 : mask == kAllInputs;
}

// Inputs that hold more values than elements, several of them in each byte. Their number is the product of two
// attributes, or that of the sizes an input holds, or follows from the bits of a value.
struct PackedInputs {
  InputMask inputs = 0;
  absl::string_view rows = "", columns = "";  // attributes; "" = the number follows from something else
  int sizes_input = -1;                       // of constant contents; -1 = none
  absl::string_view bits = "";                // attribute that states the bits of a value; "" or absent = 4
  bool widens = false;  // integers that a unit of 8-bit products reads as bytes; wider units unpack them on the way
};

// How an operand states the sizes of output 0.
enum class SizeForm : uint8_t {
  kNone,
  kTarget,   // one size an axis; the elements of input 0 in their order
  kAligned,  // one size an axis, aligned with input 0 at the last one
  kEnds,     // where each axis ends that the next operand lists; without it the first ones
};
struct SizeOperand {
  SizeForm form = SizeForm::kNone;
  uint8_t input = 0;
};

}  // namespace hwest
