// Opens libraries on first use: programs start without them, and run where they are absent.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace hwest {

class SharedLibrary {
 public:
  // Loads `file`, a name for the system's loader or a path, for the life of the process. `purpose` and `remedy` form
  // the error: "pictures need Graphviz", "install it, ...".
  SharedLibrary(const char* file, std::string purpose, std::string remedy);

  // A function of the library; null where it has none of that name.
  class Function {
   public:
    explicit Function(void* found) : found_(found) {}
    template <typename Type>
    operator Type*() const {
      return reinterpret_cast<Type*>(found_);
    }

   private:
    void* found_;
  };
  Function operator[](const char* name);

  const absl::Status& status() const { return status_; }  // kOutputUnwritable once the file or a function was absent

 private:
  void* Checked(void* found);

  std::string purpose_, remedy_;
  absl::Status status_;
  void* handle_;
};

}  // namespace hwest
