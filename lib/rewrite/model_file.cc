#include "rewrite/model_file.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "import/container.h"
#include "import/tflite_reader.h"
#include "import/window.h"

namespace hwest {
namespace {

constexpr uint32_t kGraphNumber = 7;
constexpr uint32_t kMostNumber = 16;  // of a field of GraphProto that is looked at

bool IsEntry(uint32_t tag) {
  for (const GraphField field : {GraphField::kNode, GraphField::kInitializer, GraphField::kInput, GraphField::kOutput,
                                 GraphField::kValueInfo, GraphField::kSparseInitializer}) {
    if (tag == BytesTag(static_cast<uint32_t>(field))) return true;
  }
  return false;
}

}  // namespace

absl::Status ModelFile::Index() {
  entries_.resize(kMostNumber);
  Window in(source_);
  if (source_.size() >= static_cast<int64_t>(kTfliteHeadBytes)) {
    const char* const head = in.At(0, kTfliteHeadBytes);
    if (head != nullptr && IsTflite({head, kTfliteHeadBytes})) {
      return MakeError(Code::kModelFormat,
                       absl::StrCat(source_.name(), " is a TensorFlow Lite model, which is not edited"),
                       "convert it: python -m tf2onnx.convert --tflite model.tflite --output model.onnx");
    }
  }
  for (Fields field(in, {0, source_.size()}); field.Next();) {
    if (field.tag() != BytesTag(kGraphNumber)) {
      const uint32_t number = field.tag() == BytesTag(field.number()) ? field.number() : 0;
      (graphs_ == 0 ? before_ : after_).push_back({number, field.whole(), field.contents()});
      continue;
    }
    ++graphs_;
    for (Fields part(in, field.contents()); part.Next();) {
      const bool is_entry = IsEntry(part.tag());
      if (is_entry) entries_[part.number()].push_back(static_cast<uint32_t>(graph_.size()));
      if (part.contents().length() > Window::kMaxBytes) in.SkipPayload();
      graph_.push_back({is_entry ? part.number() : 0, part.whole(), part.contents()});
    }
  }
  return in.status();
}

absl::StatusOr<ModelFile> ModelFile::Open(const std::string& path, const ReadOptions& limits) {
  if (path == "-") {
    HWEST_ASSIGN_OR_RETURN(Source source, Source::StandardInput(limits.max_stdin_bytes, CheckContainer));
    ModelFile file(std::move(source), "");
    HWEST_RETURN_IF_ERROR(file.Index());
    return file;
  }
  HWEST_ASSIGN_OR_RETURN(Source source, Source::OpenFile(path));
  ModelFile file(std::move(source), path);
  HWEST_RETURN_IF_ERROR(file.Index());
  return file;
}

absl::StatusOr<ModelFile> ModelFile::FromMemory(absl::string_view bytes, const std::string& name) {
  ModelFile file(Source::FromMemory(bytes, name), name);
  HWEST_RETURN_IF_ERROR(file.Index());
  return file;
}

const ModelFile::Field& ModelFile::At(GraphField field, size_t index) const {
  return graph_[entries_[static_cast<size_t>(field)][index]];
}

}  // namespace hwest
