// Notes on assumed readings: those of which the compilers' own documents say nothing.
#pragma once

#include <cstdint>

#include "hwest/analysis.h"

namespace hwest {

// Adds a note where the model has guards against NaN, or operators of ONNX Runtime's own, that a toolchain of the
// target does not list and that are read as something else.
void NoteAssumedReadings(Analysis& analysis);

// Operators of ONNX Runtime's own on units whose toolchain does not list them: they count as what they were made of, in
// a file that this compiler refuses.
int64_t CountTakenForPlain(const Analysis& analysis);

}  // namespace hwest
