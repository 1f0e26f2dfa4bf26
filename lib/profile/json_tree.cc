#include "profile/json_tree.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

constexpr int kMaxDepth = 64;

}  // namespace

absl::Status ImportError(absl::string_view name, absl::string_view what, absl::string_view remedy) {
  return MakeError(Code::kUsage, absl::StrCat(EscapeControl(name), ": ", EscapeControl(what)), remedy);
}

absl::StatusOr<Tree> ParseJson(absl::string_view text, absl::string_view name) {
  if (text.size() > kMaxTreeBytes) return ImportError(name, "is above 64 MiB", "export a shorter run");
  absl::ConsumePrefix(&text, "\xef\xbb\xbf");
  bool too_deep = false;
  const auto check = [&](int depth, Tree::parse_event_t, Tree&) {
    too_deep = too_deep || depth > kMaxDepth;
    return !too_deep;
  };
  Tree tree = Tree::parse(text.begin(), text.end(), check, /*allow_exceptions=*/false);
  if (too_deep) return ImportError(name, "the JSON is nested too deeply", "give a file that one of the programs wrote");
  if (!tree.is_discarded()) return tree;
  return ImportError(name, "the JSON is not complete or not valid", "let the program that writes it end properly");
}

const Tree* MemberOf(const Tree& tree, absl::string_view key) {
  if (!tree.is_object()) return nullptr;
  const auto found = tree.find(std::string(key));
  return found == tree.end() ? nullptr : &*found;
}

std::optional<double> NumberOf(const Tree& tree, absl::string_view key) {
  const Tree* member = MemberOf(tree, key);
  if (member == nullptr || !member->is_number()) return std::nullopt;
  const double number = member->get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string TextOf(const Tree& tree, absl::string_view key) {
  const Tree* member = MemberOf(tree, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : "";
}

std::optional<double> MedianOf(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace hwest
