// Language models as pictures and a page.
#pragma once

#include <string>

#include "chart/drawing.h"
#include "hwest/llm.h"

namespace hwest {

// Tokens per second and memory over the context, a line for each target; dots that do not fit are hollow, and the line
// where a target no longer fits is dashed.
Drawing DrawLlm(const LlmReport& report);
std::string LlmPage(const LlmReport& report);

}  // namespace hwest
