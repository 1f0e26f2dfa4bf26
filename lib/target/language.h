// Constants of the laws of language models: what files may name, and what applies to those that none states.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/target.h"
#include "target/names.h"

namespace hwest {

// All constants, in the order of the reference. The kinds of a row are not read.
absl::Span<const ParamRow> LanguageConstants();
// The row of a constant, ignoring a format behind a dot ("prompt_efficiency.w4a16"). Null when there is none.
const ParamRow* FindLanguageConstant(absl::string_view name);
NameProblem CheckLanguageConstant(absl::string_view name);

// The constant that holds for a weight format: of the runtime on the target for the format, on the target, of the
// toolchain for the format, of the toolchain. Null where no file states it.
const Param* LanguageConstantOf(const Language& language, const LanguageRuntime& runtime, absl::string_view name,
                                absl::string_view format);

}  // namespace hwest
