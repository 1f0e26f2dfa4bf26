// What an analysis answers, line by line: the head of a text report and the cards of a page say the same.
#pragma once

#include <string>
#include <vector>

#include "report/view.h"

namespace hwest {

// "Latency", "582.5 us", {"423.1 us to 801.8 us", "fitted to this device"}.
struct AnswerLine {
  std::string name;               // "" = goes on with the line above
  std::string figure;             // "" = words only
  std::vector<std::string> rest;  // what to know about the figure, never empty texts
  bool is_part = false;           // belongs to the line above
};

// Of a view with a target. What leaves out unknown nodes says "at least" or "at most".
std::vector<AnswerLine> AnswerLines(const View& view);
// What falls back and what would help, in one line each; text reports have their tables instead.
std::vector<AnswerLine> AdviceLines(const View& view);

}  // namespace hwest
