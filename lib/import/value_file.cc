#include "import/value_file.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "hwest/facts.h"
#include "import/read_context.h"
#include "import/source.h"
#include "import/tensor_reader.h"
#include "import/window.h"
#include "import/wire.h"

namespace hwest {
namespace {

constexpr int64_t kMaxFileBytes = INT32_MAX;  // protobuf's own limit of one message
constexpr int64_t kMaxSequenceTensors = 65536;

enum OptionalElement : int32_t { kNothing = 0, kTensorElement = 1, kSequenceElement = 3 };

ReadOptions ValueOptions() {
  ReadOptions options;
  options.decode_any_bytes = options.decode_integer_bytes = kMaxKnownElements * static_cast<int64_t>(sizeof(int64_t));
  return options;
}

class ValueReader {
 public:
  explicit ValueReader(Source& source)
      : name_(source.name()), in_(source), options_(ValueOptions()), context_(in_, options_, model_) {}

  absl::StatusOr<StoredValue> Run(ValueKind kind);

 private:
  void ReadOne(Span range);
  void ReadSequence(Span range);
  void ReadOptional(Span range);
  void NotFollowed(absl::string_view what);
  absl::Status CheckTensors() const;

  const std::string name_;
  Window in_;
  const ReadOptions options_;
  RawModel model_;
  ReadContext context_;
  StoredValue value_;
};

void ValueReader::NotFollowed(absl::string_view what) {
  in_.Fail(Code::kUsage, absl::StrCat("holds ", what), "give a tensor, or a sequence of tensors");
}

void ValueReader::ReadOne(Span range) {
  TensorParts parts = NewTensorParts();
  ReadTensor(context_, range, &parts);
  if (!in_.ok()) return;
  Constant tensor = FinishTensor(context_, std::move(parts));
  tensor.name = tensor.location = StrId();  // texts of this reader's own table
  value_.tensors.push_back(std::move(tensor));
}

void ValueReader::ReadSequence(Span range) {
  value_.kind = ValueKind::kSequence;
  for (Fields field(in_, range); field.Next();) {
    switch (field.tag()) {
      case BytesTag(3):
        if (value_.tensors.size() == kMaxSequenceTensors) return NotFollowed("too long a sequence");
        ReadOne(field.contents());
        break;
      case BytesTag(4):
      case BytesTag(5):
      case BytesTag(6):
      case BytesTag(7): return NotFollowed("a sequence of something else than tensors");
      default: break;
    }
  }
}

void ValueReader::ReadOptional(Span range) {
  value_.kind = ValueKind::kOptional;
  int32_t element = kNothing;
  Span tensor, sequence;
  for (Fields field(in_, range); field.Next();) {
    if (field.tag() == VarintTag(2)) element = field.AsInt32();
    if (field.tag() == BytesTag(3)) tensor = field.contents();
    if (field.tag() == BytesTag(5)) sequence = field.contents();
  }
  if (element == kNothing || !in_.ok()) return;
  if (element == kTensorElement) {
    value_.kind = ValueKind::kTensor;
    return ReadOne(tensor);
  }
  if (element == kSequenceElement) return ReadSequence(sequence);
  NotFollowed("an optional of something else than a tensor or a sequence");
}

// Fields of any bytes may pass for a tensor: it needs an element type, and contents that fit.
absl::Status ValueReader::CheckTensors() const {
  constexpr absl::string_view kRemedy = "save it again, e.g. with onnx.numpy_helper.from_array";
  for (const Constant& tensor : value_.tensors) {
    if (tensor.elem == ElemType::kUndefined) {
      return MakeError(Code::kUsage, absl::StrCat("'", name_, "' holds no serialised tensor"), kRemedy);
    }
    if (tensor.storage == Storage::kExternal) {
      return MakeError(Code::kUsage, absl::StrCat("'", name_, "': the tensor's data is in another file"), kRemedy);
    }
  }
  if (!model_.diagnostics.empty()) {
    return MakeError(Code::kUsage, absl::StrCat("'", name_, "': ", model_.diagnostics.front().message), kRemedy);
  }
  return absl::OkStatus();
}

absl::StatusOr<StoredValue> ValueReader::Run(ValueKind kind) {
  const Span all = {0, in_.size()};
  if (in_.size() > kMaxFileBytes) {
    return MakeError(Code::kUsage, absl::StrCat("'", name_, "' has ", in_.size(), " bytes, no message is that long"),
                     "give the file of one tensor");
  }
  switch (kind) {
    case ValueKind::kUnknown:
    case ValueKind::kTensor: ReadOne(all); break;
    case ValueKind::kSequence: ReadSequence(all); break;
    case ValueKind::kOptional: ReadOptional(all); break;
    case ValueKind::kMap:
    case ValueKind::kSparse:
      return MakeError(Code::kUsage, absl::StrCat("contents of a ", ValueKindName(kind), " input are not followed"),
                       "leave them out");
  }
  HWEST_RETURN_IF_ERROR(in_.status());
  HWEST_RETURN_IF_ERROR(CheckTensors());
  return std::move(value_);
}

absl::StatusOr<StoredValue> ReadValue(Source& source, ValueKind kind) {
  absl::StatusOr<StoredValue> value = ValueReader(source).Run(kind);
  if (value.ok()) return value;
  const Diagnostic error = DiagnosticOf(value.status());
  if (error.code == Code::kUsage) return value;
  return MakeError(Code::kUsage, error.message,
                   "give a serialised tensor, e.g. one that onnx.numpy_helper.from_array made");
}

}  // namespace

absl::StatusOr<StoredValue> ReadValueFile(const std::string& path, ValueKind kind) {
  absl::StatusOr<Source> source = Source::OpenFile(path);
  if (source.ok()) return ReadValue(*source, kind);
  return MakeError(Code::kUsage, DiagnosticOf(source.status()).message, "name the file of a serialised tensor");
}

absl::StatusOr<StoredValue> ReadValueMemory(absl::string_view bytes, const std::string& name, ValueKind kind) {
  Source source = Source::FromMemory(bytes, name);
  return ReadValue(source, kind);
}

}  // namespace hwest
