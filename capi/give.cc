#include "give.h"

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "analysis/request_text.h"
#include "base/status_macros.h"

namespace hwest::capi {
namespace {

absl::Status BadNumber(const RequestOption& option, int64_t number, absl::string_view remedy) {
  return BadValue(absl::StrCat("options.", option.name), absl::StrCat(number), remedy);
}

absl::Status GiveSwitch(const RequestOption& option, int32_t number, RequestDraft* draft) {
  if (number == 0) return absl::OkStatus();
  if (number != 1) return BadNumber(option, number, "use 0 or 1");
  return hwest::Give(option, "", draft);
}

absl::Status GiveChoice(const RequestOption& option, int32_t number, RequestDraft* draft) {
  const std::vector<std::string> words = absl::StrSplit(option.choices, ' ');
  if (number < 0 || static_cast<size_t>(number) >= words.size()) {
    return BadNumber(option, number, "use a constant of hwest.h");
  }
  return hwest::Give(option, words[static_cast<size_t>(number)], draft);
}

}  // namespace

absl::Status Give(absl::string_view name, const char* text, RequestDraft* draft) {
  return text == nullptr ? absl::OkStatus() : hwest::Give(RequestOptionNamed(name), text, draft);
}

absl::Status Give(absl::string_view name, const char* const* list, RequestDraft* draft) {
  for (; list != nullptr && *list != nullptr; ++list) HWEST_RETURN_IF_ERROR(Give(name, *list, draft));
  return absl::OkStatus();
}

absl::Status Give(absl::string_view name, int32_t number, RequestDraft* draft) {
  const RequestOption& option = RequestOptionNamed(name);
  if (option.form == OptionForm::kSwitch) return GiveSwitch(option, number, draft);
  if (option.choices != nullptr) return GiveChoice(option, number, draft);
  return Give(name, static_cast<int64_t>(number), draft);
}

absl::Status Give(absl::string_view name, int64_t number, RequestDraft* draft) {
  return number == 0 ? absl::OkStatus() : hwest::Give(RequestOptionNamed(name), absl::StrCat(number), draft);
}

absl::Status Give(absl::string_view name, double figure, RequestDraft* draft) {
  if (figure == 0) return absl::OkStatus();
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), figure).ptr;  // exact when read again
  return hwest::Give(RequestOptionNamed(name), absl::string_view(digits.data(), end - digits.data()), draft);
}

}  // namespace hwest::capi
