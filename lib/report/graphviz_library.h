// The functions of Graphviz that pictures need, loaded at run time: without pictures, the program needs no Graphviz.
#pragma once

#include <graphviz/gvc.h>

#include "chart/shared_library.h"

namespace hwest {

struct Graphviz {
  explicit Graphviz(const char* file)
      : library(file, "pictures need Graphviz",
                "install it, on Debian and Ubuntu the package graphviz, or write dot, text, json, csv or markdown") {}

  SharedLibrary library;
  decltype(&::agread) agread = library["agread"];
  decltype(&::agclose) agclose = library["agclose"];
  decltype(&::agstrdup) agstrdup = library["agstrdup"];
  decltype(&::agseterr) agseterr = library["agseterr"];
  decltype(&::agseterrf) agseterrf = library["agseterrf"];
  decltype(&::gvContext) gvContext = library["gvContext"];
  decltype(&::gvLayout) gvLayout = library["gvLayout"];
  decltype(&::gvRenderData) gvRenderData = library["gvRenderData"];
  decltype(&::gvFreeRenderData) gvFreeRenderData = library["gvFreeRenderData"];
  decltype(&::gvFreeLayout) gvFreeLayout = library["gvFreeLayout"];
};

}  // namespace hwest
