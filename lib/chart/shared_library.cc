#include "chart/shared_library.h"

#include <dlfcn.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"

namespace hwest {

SharedLibrary::SharedLibrary(const char* file, std::string purpose, std::string remedy)
    : purpose_(std::move(purpose)),
      remedy_(std::move(remedy)),
      handle_(Checked(::dlopen(file, RTLD_NOW | RTLD_LOCAL))) {}

SharedLibrary::Function SharedLibrary::operator[](const char* name) {
  return Function(status_.ok() ? Checked(::dlsym(handle_, name)) : nullptr);
}

void* SharedLibrary::Checked(void* found) {
  if (found == nullptr) {
    status_ = MakeError(Code::kOutputUnwritable, absl::StrCat(purpose_, " (", ::dlerror(), ")"), remedy_);
  }
  return found;
}

}  // namespace hwest
