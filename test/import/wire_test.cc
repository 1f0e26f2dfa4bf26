#include "import/wire.h"

#include <cstdint>
#include <string>
#include <vector>

#include "import/source.h"
#include "import/window.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

using test::Message;

struct Walk {
  std::vector<uint32_t> numbers;
  std::string error;  // "" when all was well
};

Walk WalkFields(const std::string& bytes) {
  Source source = Source::FromMemory(bytes, "m");
  Window in(source);
  Walk walk;
  for (Fields field(in, {0, in.size()}); field.Next();) walk.numbers.push_back(field.number());
  if (!in.ok()) walk.error = DiagnosticOf(in.status()).message;
  return walk;
}

TEST_CASE("Malformed fields end the walk and name the byte") {
  struct Case {
    std::string bytes;
    std::string error;
  };
  const std::string ten_bytes(10, '\x80');
  const Case cases[] = {
      {"", ""},
      {std::string("\x08\x01", 2), ""},
      {std::string("\x08", 1), "m: truncated at byte 1: a number of over 0 bytes starts there but only 0 remain"},
      {std::string("\x08\x80", 2), "m: truncated at byte 1: a number of over 1 bytes starts there but only 1 remain"},
      {"\x08" + ten_bytes, "m: malformed at byte 1: a number of more than ten bytes"},
      {std::string("\x00\x01", 2), "m: malformed at byte 0: field number 0"},
      {std::string("\x0b", 1), "m: malformed at byte 0: wire type 3"},
      {std::string("\x0c", 1), "m: malformed at byte 0: wire type 4"},
      {std::string("\x0e", 1), "m: malformed at byte 0: wire type 6"},
      {std::string("\x0f", 1), "m: malformed at byte 0: wire type 7"},
      {std::string("\x0d\x01\x02", 3), "m: truncated at byte 1: a field of 4 bytes starts there but only 2 remain"},
      {std::string("\x09\x01\x02", 3), "m: truncated at byte 1: a field of 8 bytes starts there but only 2 remain"},
      {std::string("\x0a\x63 0123456789", 12),
       "m: truncated at byte 2: a field of 99 bytes starts there but only 10 remain"},
      {Message().Raw("\x0a").Raw(test::VarintBytes(UINT64_MAX)).bytes(),
       "m: truncated at byte 11: a field of 18446744073709551615 bytes starts there but only 0 remain"},
  };
  for (const Case& test : cases) {
    INFO(test.error);
    CHECK(WalkFields(test.bytes).error == test.error);
  }
}

TEST_CASE("A length past the enclosing message is malformed, not truncated") {
  const std::string bytes = Message().Sub(1, Message().Raw("\x0a\x05x")).Varint(2, 7).bytes();
  Source source = Source::FromMemory(bytes, "m");
  Window in(source);
  Fields outer(in, {0, in.size()});
  REQUIRE(outer.Next());
  Fields inner(in, outer.contents());
  CHECK_FALSE(inner.Next());
  CHECK(DiagnosticOf(in.status()).message ==
        "m: malformed at byte 4: a field of 5 bytes starts there but only 1 remain in its message");
  CHECK_FALSE(outer.Next());
}

TEST_CASE("Fields yields every wire type, with numbers up to the largest") {
  const std::string bytes =
      Message().Varint(1, -1).Fixed64(2, 1).Bytes(3, "abc").Float(4, 1.5f).Varint((1u << 29) - 1, 0).bytes();
  Source source = Source::FromMemory(bytes, "m");
  Window in(source);
  Fields field(in, {0, in.size()});
  REQUIRE(field.Next());
  CHECK(field.AsInt64() == -1);
  REQUIRE(field.Next());
  CHECK(field.bits() == 1);
  REQUIRE(field.Next());
  CHECK(field.contents().length() == 3);
  CHECK(field.whole().length() == 5);
  REQUIRE(field.Next());
  CHECK(field.AsFloat() == 1.5f);
  REQUIRE(field.Next());
  CHECK(field.number() == (1u << 29) - 1);
  CHECK_FALSE(field.Next());
  CHECK(in.ok());
}

TEST_CASE("Repeated numbers are read packed, unpacked and mixed") {
  const std::string bytes =
      Message().Varint(1, 1).PackedVarints(1, {2, -3}).PackedVarints(1, {}).Varint(1, 300).bytes();
  Source source = Source::FromMemory(bytes, "m");
  Window in(source);
  std::vector<int64_t> values;
  for (Fields field(in, {0, in.size()}); field.Next();) {
    ForEachVarint(field, [&](uint64_t bits) { values.push_back(static_cast<int64_t>(bits)); });
  }
  CHECK(in.ok());
  CHECK(values == std::vector<int64_t>{1, 2, -3, 300});
}

TEST_CASE("A packed run of floats must be whole") {
  const std::string bytes = Message().Bytes(1, "12345").bytes();
  Source source = Source::FromMemory(bytes, "m");
  Window in(source);
  Fields field(in, {0, in.size()});
  REQUIRE(field.Next());
  ForEachFixed<4>(field, [](uint64_t) { FAIL("no element expected"); });
  CHECK(DiagnosticOf(in.status()).message == "m: malformed at byte 2: 5 bytes of numbers of 4 bytes each");
}

}  // namespace
}  // namespace hwest
