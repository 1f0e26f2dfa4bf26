// Keeps the models of tests as files: with HWEST_KEEP_MODELS=FOLDER in the environment, tests save each model that they
// make in FOLDER. The fuzzer's seeds come from these.
#pragma once

#include "absl/strings/string_view.h"

namespace hwest::test {

bool KeepsModels();  // whether it is set

// Writes `bytes` to that folder, under a name that follows from them; nothing where the variable is not set.
void KeepModel(absl::string_view bytes);

}  // namespace hwest::test
