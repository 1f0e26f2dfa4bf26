// Language models as a picture.
#pragma once

#include "chart/drawing.h"
#include "hwest/llm.h"

namespace hwest {

// Tokens per second and memory over the context, a line for each target; dots that do not fit are hollow, and the line
// where a target no longer fits is dashed.
Drawing DrawLlm(const LlmReport& report);

}  // namespace hwest
