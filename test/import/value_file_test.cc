#include "import/value_file.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hwest/diagnostic.h"
#include "import/temp_folder.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

using test::LittleEndian;
using test::Message;

Message Longs(const std::vector<int64_t>& values) {
  return test::RawTensor("t", 7, {static_cast<int64_t>(values.size())}, LittleEndian(values, 8));
}

// "sequence int64[2] int64[1]", or the message of the error.
std::string Describe(const absl::StatusOr<StoredValue>& value) {
  if (!value.ok()) {
    CHECK(DiagnosticOf(value.status()).code == Code::kUsage);
    return DiagnosticOf(value.status()).message;
  }
  std::string text(ValueKindName(value->kind));
  for (const Constant& tensor : value->tensors) {
    absl::StrAppend(&text, " ", ElemTypeName(tensor.elem), "[", absl::StrJoin(tensor.dims, ","), "]",
                    tensor.storage == Storage::kDecoded ? "" : "?");
  }
  return text;
}

struct Case {
  std::string name;
  Message file;
  ValueKind kind;
  std::string want;
};

TEST_CASE("contents of an input from a serialised message") {
  const Message two = Longs({7, -1}), one = Longs({3});
  const std::string floats(4 * 300, '\0');
  const Case cases[] = {
      {"tensor", two, ValueKind::kTensor, "tensor int64[2]"},
      {"input of no declared kind", two, ValueKind::kUnknown, "tensor int64[2]"},
      {"floats beyond what a model's weights decode", test::RawTensor("t", 1, {300}, floats), ValueKind::kTensor,
       "tensor float[300]"},
      {"sequence", Message().Bytes(1, "s").Varint(2, 1).Sub(3, two).Sub(3, one), ValueKind::kSequence,
       "sequence int64[2] int64[1]"},
      {"empty sequence", Message(), ValueKind::kSequence, "sequence"},
      {"optional tensor", Message().Varint(2, 1).Sub(3, two), ValueKind::kOptional, "tensor int64[2]"},
      {"optional sequence", Message().Varint(2, 3).Sub(5, Message().Varint(2, 1).Sub(3, one)), ValueKind::kOptional,
       "sequence int64[1]"},
      {"empty optional", Message().Bytes(1, "o").Varint(2, 0), ValueKind::kOptional, "optional"},
      {"nothing", Message(), ValueKind::kTensor, "'v.pb' holds no serialised tensor"},
      {"a model", test::Model(Message()), ValueKind::kTensor, "'v.pb' holds no serialised tensor"},
      {"truncated", Message().Raw(two.bytes().substr(0, 12)), ValueKind::kTensor, "v.pb: truncated at byte 9"},
      {"too few values", test::RawTensor("t", 7, {2}, "12345678"), ValueKind::kTensor,
       "'v.pb': tensor int64[2] needs 16 bytes but holds 8"},
      {"external", test::ExternalTensor("t", 7, {2}, "w.bin", "0", "16"), ValueKind::kTensor,
       "'v.pb': the tensor's data is in another file"},
      {"sequence of maps", Message().Varint(2, 4).Sub(6, Message()), ValueKind::kSequence,
       "v.pb: holds a sequence of something else than tensors"},
      {"map input", two, ValueKind::kMap, "contents of a map input are not followed"},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    const std::string found = Describe(ReadValueMemory(c.file.bytes(), "v.pb", c.kind));
    CHECK(found.substr(0, c.want.size()) == c.want);
  }
}

TEST_CASE("a file that is none is one clear error") {
  const test::TempFolder folder;
  CHECK_THAT(Describe(ReadValueFile((folder / "none.pb").string(), ValueKind::kTensor)),
             Catch::StartsWith("cannot open"));
  CHECK_THAT(Describe(ReadValueFile((folder / "").string(), ValueKind::kTensor)), Catch::Contains("it is a directory"));
}

}  // namespace
}  // namespace hwest
