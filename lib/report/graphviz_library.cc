#include "report/graphviz_library.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

absl::Status Absent() {
  const char* reason = ::dlerror();
  return MakeError(Code::kOutputUnwritable,
                   absl::StrCat("pictures need Graphviz (", reason == nullptr ? "it cannot be loaded" : reason, ")"),
                   "install it, on Debian and Ubuntu the package graphviz, or write dot, text, json, csv or markdown");
}

// Whether `library` has the function `name`, then in `function`.
template <typename Function>
bool Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(::dlsym(library, name));
  return *function != nullptr;
}

}  // namespace

absl::StatusOr<Graphviz> OpenGraphviz(const char* library) {
  void* handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Absent();
  Graphviz graphviz;
  const bool complete =
      Find(handle, "agread", &graphviz.agread) && Find(handle, "agclose", &graphviz.agclose) &&
      Find(handle, "agstrdup", &graphviz.agstrdup) && Find(handle, "agseterr", &graphviz.agseterr) &&
      Find(handle, "agseterrf", &graphviz.agseterrf) && Find(handle, "gvContext", &graphviz.gvContext) &&
      Find(handle, "gvLayout", &graphviz.gvLayout) && Find(handle, "gvRenderData", &graphviz.gvRenderData) &&
      Find(handle, "gvFreeRenderData", &graphviz.gvFreeRenderData) &&
      Find(handle, "gvFreeLayout", &graphviz.gvFreeLayout);
  if (!complete) return Absent();
  return graphviz;
}

}  // namespace hwest
