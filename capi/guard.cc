#include "guard.h"

#include <exception>
#include <new>
#include <string>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "words.h"

namespace hwest::capi {
namespace {

struct LastError {
  std::string text;
  const char* message = "";  // text.c_str(), or a literal when there was no memory for it
  const char* code = "";
};

LastError& Last() noexcept {
  thread_local LastError last;
  return last;
}

void Remember(const char* message, Code code) noexcept {
  Last().message = message;
  Last().code = InfoOf(code).id.data();
}

hwest_status Remember(const absl::Status& status) {
  LastError& last = Last();
  const Diagnostic diagnostic = DiagnosticOf(status);
  last.text = Worded(status.message(), diagnostic.options);
  Remember(last.text.c_str(), diagnostic.code);
  return static_cast<hwest_status>(status.code());
}

hwest_status Run(absl::FunctionRef<absl::Status()> body) {
  try {
    const absl::Status status = body();
    return status.ok() ? HWEST_OK : Remember(status);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return Remember(MakeError(Code::kInternal, error.what(), "please report this with the model's structure"));
  }
}

}  // namespace

hwest_status Guard(absl::FunctionRef<absl::Status()> body) noexcept {
  Last().message = Last().code = "";
  try {
    return Run(body);
  } catch (const std::bad_alloc&) {
    Remember("out of memory", Code::kInternal);
    return HWEST_RESOURCE_EXHAUSTED;
  } catch (...) {
    Remember("an exception of unknown type", Code::kInternal);
    return HWEST_INTERNAL;
  }
}

const char* LastErrorMessage() noexcept { return Last().message; }
const char* LastErrorCode() noexcept { return Last().code; }

absl::Status NullArgument(absl::string_view name) {
  return MakeError(Code::kUsage, absl::StrCat(name, " is NULL"), "see hwest.h for what may be NULL");
}

absl::Status BadStructSize(absl::string_view name) {
  return MakeError(Code::kUsage, absl::StrCat(name, " has no struct_size"), "set it to sizeof the struct");
}

absl::Status UnknownOption(absl::string_view name) {
  return MakeError(Code::kUsage, absl::StrCat(name, " has a field set that this library does not know"),
                   "use a newer library, or begin with {0}");
}

absl::Status NotZero(absl::string_view name, absl::string_view member, uint32_t value) {
  return MakeError(Code::kUsage, absl::StrCat(name, ".", member, " is ", value), "set it to 0, or begin with {0}");
}

absl::Status BadOption(absl::string_view name, int64_t value, absl::string_view remedy) {
  return MakeError(Code::kUsage, absl::StrCat(name, " cannot be '", value, "'"), remedy, {name});
}

}  // namespace hwest::capi
