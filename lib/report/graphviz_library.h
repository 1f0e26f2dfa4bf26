// The functions of Graphviz that pictures need, opened at run time: a program without pictures needs no Graphviz.
#pragma once

#include <graphviz/gvc.h>

#include "absl/status/statusor.h"

namespace hwest {

struct Graphviz {
  decltype(&::agread) agread = nullptr;
  decltype(&::agclose) agclose = nullptr;
  decltype(&::agstrdup) agstrdup = nullptr;
  decltype(&::agseterr) agseterr = nullptr;
  decltype(&::agseterrf) agseterrf = nullptr;
  decltype(&::gvContext) gvContext = nullptr;
  decltype(&::gvLayout) gvLayout = nullptr;
  decltype(&::gvRenderData) gvRenderData = nullptr;
  decltype(&::gvFreeRenderData) gvFreeRenderData = nullptr;
  decltype(&::gvFreeLayout) gvFreeLayout = nullptr;
};

// OpenGraphviz loads `library`, a name for the system's loader or a path, for as long as the process lives. Errors:
// kOutputUnwritable, saying what to install, when it cannot be loaded or is no Graphviz.
absl::StatusOr<Graphviz> OpenGraphviz(const char* library);

}  // namespace hwest
