// The answer of an analysis, line by line, as the head of a text report and the cards of a page both show it.
#pragma once

#include <string>
#include <vector>

#include "report/view.h"

namespace hwest {

// "Latency", "582.5 us", {"423.1 us to 801.8 us", "fitted to this device"}.
struct AnswerLine {
  std::string name;               // "" = continues the line above
  std::string figure;             // "" = words only
  std::vector<std::string> rest;  // what to know about the figure, never empty texts
  bool is_part = false;           // belongs to the line above
};

// The answer in one sentence: "86.7 FPS on tda4vm, 99.6 % of the MACs on accelerators, Softmax falls back; Softmax on
// c7x-mma would give 114 FPS". The last clause is the first change of the study that makes the rate higher. The view
// has a target.
std::string VerdictText(const View& view);

// The view has a target. Figures that leave out unknown nodes say "at least" or "at most".
std::vector<AnswerLine> AnswerLines(const View& view);
// What falls back and what would help, one line each; text reports have tables instead.
std::vector<AnswerLine> AdviceLines(const View& view);

}  // namespace hwest
