// Files that are not a model, or only part of one.
#include "absl/strings/match.h"
#include "hostile/hostile.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

std::string SmallModel() {
  const Message graph =
      Graph({Node("Conv", {"x", "w"}, {"t"}).Sub(5, IntsAttribute("pads", {1, 1, 1, 1})), Call("f", {"t"}, {"y"})},
            {Value("x", FloatType({"N", "3", "8", "8"}))}, {"y"})
          .Sub(5, RawTensor("w", 1, {1, 3, 3, 3}, std::string(108, 'w')));
  return ModelWith(graph, {Function("f", {"a"}, {"b"}, {Node("Relu", {"a"}, {"b"})})});
}

TEST_CASE("files that are no model") {
  // clang-format off
  const Case cases[] = {
      {37, "empty", "", 3, "is empty", ""},
      {37, "zeros", std::string(4096, '\0'), 3, "holds zero bytes where a model should start", ""},
      {52, "an ONNX Runtime flatbuffer", std::string("\x20\0\0\0ORTM", 8) + std::string(100, '\1'), 3,
       "is an ONNX Runtime flatbuffer (.ort)", ""},
      {58, "a zip archive", std::string("PK\x03\x04\x14\0\0\0", 8) + std::string(100, '\1'), 3, "is a zip archive", ""},
      {58, "a tar archive whose file would lie elsewhere",
       std::string("../../evil.onnx") + std::string(242, '\0') + std::string("ustar\0" "00", 8) +
       std::string(600, '\0'), 3,
       "is a tar archive", ""},
      {37, "a gzip archive", "\x1f\x8b\x08 and more", 3, "is a gzip archive", ""},
      {37, "a pickle", std::string("\x80\x02}q\0", 5) + std::string(100, '\1'), 3, "is a Python pickle", ""},
      {37, "a text", "hello, world", 3, "is a text file", ""},
      {37, "a message without a graph", Message().Varint(1, 8).bytes(), 3, "holds no graph", ""},
      {59, "a field longer than the file", Message().Varint(1, 8).Raw("\x3a\xff\xff\xff\xff\x0f\x0a").bytes(), 3,
       "truncated at byte 8: a field of 4294967295 bytes starts there", ""},
      {59, "a field longer than 63 bits", Message().Varint(1, 8).Raw("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
       .bytes(), 3,
       "a field of 18446744073709551615 bytes starts there", ""},
      {59, "a number without end", Message().Varint(1, 8).Sub(7, Message().Raw(std::string(100, '\xff'))).bytes(), 3,
       "a number of more than ten bytes", ""},
      {59, "a group, which no ONNX file has", Message().Varint(1, 8).Sub(7, Message().Raw("\x0b\x0c")).bytes(), 3,
       "wire type 3", ""},
      {59, "field number 0", Message().Varint(1, 8).Sub(7, Message().Raw(std::string("\x02\x01\x00", 3))).bytes(), 3,
       "field number 0", ""},
      {28, "a whole model", SmallModel(), 0, "", "y,tensor,float,N;1;8;8,"},
  };
  // clang-format on
  for (const Case& test : cases) Check(test);
}

TEST_CASE("a model cut at any byte is refused, or the part that is whole is looked at") {
  const std::string bytes = SmallModel();
  for (size_t length = 0; length < bytes.size(); ++length) {
    const Outcome outcome = RunOn(bytes.substr(0, length));
    INFO(length << ": " << outcome.err);
    CHECK((outcome.code == 3 || outcome.code == 0));
    CHECK(absl::StrContains(outcome.err, "error:") == (outcome.code == 3));
    CHECK(outcome.out.empty() == (outcome.code == 3));
  }
}

}  // namespace
}  // namespace hwest::test
