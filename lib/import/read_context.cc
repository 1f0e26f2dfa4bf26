#include "import/read_context.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

constexpr int64_t kMaxWarnings = 100;

}  // namespace

absl::string_view ReadContext::Text(Span range) {
  if (range.length() == 0) return "";
  if (range.length() > Window::kMaxBytes) {
    in_.Fail(Code::kModelRefused, absl::StrCat("a name of ", range.length(), " bytes at byte ", range.begin),
             absl::StrCat("names may have up to ", Window::kMaxBytes, " bytes"));
    return "";
  }
  const char* const bytes = in_.At(range.begin, range.length());
  return bytes == nullptr ? "" : absl::string_view(bytes, static_cast<size_t>(range.length()));
}

bool ReadContext::Enter() {
  if (++objects_ <= options_.max_objects) return true;
  in_.Fail(Code::kModelRefused, absl::StrCat("more than ", options_.max_objects, " nodes, attributes and tensors"),
           "split the model");
  return false;
}

bool ReadContext::CheckDepth(int depth) {
  if (depth <= options_.max_depth) return true;
  in_.Fail(Code::kModelRefused, absl::StrCat("graphs or types nested more than ", options_.max_depth, " deep"),
           "flatten the nested bodies");
  return false;
}

bool ReadContext::CheckRank(size_t rank) {
  if (rank <= static_cast<size_t>(options_.max_rank)) return true;
  in_.Fail(Code::kModelRefused, absl::StrCat("a shape of more than ", options_.max_rank, " axes"),
           "export the model again");
  return false;
}

void ReadContext::Warn(Code code, std::string message, absl::string_view remedy, StrId value) {
  if (++warnings_ > kMaxWarnings) return;
  model_.diagnostics.push_back(Diagnostic{.code = code,
                                          .message = std::move(message),
                                          .remedy = std::string(remedy),
                                          .value = std::string(model_.strings[value])});
}

void ReadContext::Finish() {
  if (warnings_ > kMaxWarnings) {
    model_.diagnostics.push_back(
        Diagnostic{.code = model_.diagnostics.back().code,
                   .message = absl::StrCat(warnings_ - kMaxWarnings, " more tensors or attributes like these"),
                   .remedy = model_.diagnostics.back().remedy});
  }
  model_.file_bytes = in_.size();
  model_.metadata_bytes = in_.size() - skipped_bytes_;
}

Entry ReadEntry(ReadContext& context, Span range) {
  Entry entry;
  for (Fields field(context.in(), range); field.Next();) {
    if (field.tag() == BytesTag(1)) {
      entry.key = std::string(context.Text(field.contents()));
    } else if (field.tag() == BytesTag(2)) {
      entry.value = field.contents();
    }
  }
  return entry;
}

OpsetImport ReadOpsetImport(ReadContext& context, Span range) {
  OpsetImport import{.domain = kEmptyText};
  for (Fields field(context.in(), range); field.Next();) {
    if (field.tag() == BytesTag(1)) import.domain = context.Intern(field.contents());
    if (field.tag() == VarintTag(2)) import.version = field.AsInt64();
  }
  return import;
}

}  // namespace hwest
