// The table of steps from one version of an operator to the one before, where more than the types changed.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest {

class Form;

struct FormStep {
  const char* ops;                                        // space separated
  int since = 0;                                          // the version that brought what the step takes back
  std::string (*take)(const FormStep& step, Form* form);  // "" = done, else why that cannot be
  char attribute[32] = "";                                // in place, see TypesRow
  size_t input = 0;
  int64_t value = 0;
  char text[24] = "";
};

absl::Span<const FormStep> FormSteps();
bool IsFor(const FormStep& step, absl::string_view op, int since);

}  // namespace hwest
