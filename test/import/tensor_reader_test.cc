#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "import/import.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

using test::LittleEndian;
using test::Message;

// The model whose only initialiser is `tensor`.
RawModel ReadWith(const Message& tensor) {
  absl::StatusOr<RawModel> model = ReadModelMemory(test::Model(Message().Sub(5, tensor)).bytes(), "m");
  REQUIRE(model.ok());
  REQUIRE(model->graph.initializers.size() == 1);
  return *std::move(model);
}

Message Typed(int elem, std::vector<int64_t> dims) { return Message().Varints(1, dims).Varint(2, elem); }

TEST_CASE("Small tensors are decoded to the raw layout, whatever field holds them") {
  struct Case {
    std::string name;
    Message tensor;
    std::string data;
  };
  const std::string one_float("\0\0\x80\x3f", 4), one_double("\0\0\0\0\0\0\xf0\x3f", 8);
  const Case cases[] = {
      {"raw float", test::RawTensor("t", 1, {1}, one_float), one_float},
      {"raw before dims", Message().Bytes(9, one_float).Varint(2, 1).Varint(1, 1), one_float},
      {"packed dims", Message().PackedVarints(1, {1, 1}).Varint(2, 1).Bytes(9, one_float), one_float},
      {"scalar", Typed(1, {}).Bytes(9, one_float), one_float},
      {"raw twice, last wins", Typed(1, {1}).Bytes(9, "1234").Bytes(9, one_float), one_float},
      {"float_data packed", Typed(1, {2}).PackedFloats(4, {1, 1}), one_float + one_float},
      {"float_data unpacked", Typed(1, {2}).Floats(4, {1, 1}), one_float + one_float},
      {"float_data mixed, interrupted", Typed(1, {2}).Float(4, 1).Bytes(8, "t").PackedFloats(4, {1}),
       one_float + one_float},
      {"complex64", Typed(14, {1}).PackedFloats(4, {1, 1}), one_float + one_float},
      {"double_data packed", Typed(11, {1}).Bytes(10, one_double), one_double},
      {"double_data unpacked", Typed(11, {1}).Fixed64(10, 0x3ff0000000000000), one_double},
      {"int64_data packed", Typed(7, {3}).PackedVarints(7, {1, -1, 1 << 20}), LittleEndian({1, -1, 1 << 20}, 8)},
      {"int64_data unpacked", Typed(7, {2}).Varints(7, {0, -2}), LittleEndian({0, -2}, 8)},
      {"int64_data before type", Message().PackedVarints(7, {5}).Varint(2, 7).Varint(1, 1), LittleEndian({5}, 8)},
      {"int32_data", Typed(6, {2}).PackedVarints(5, {-1, 7}), LittleEndian({-1, 7}, 4)},
      {"uint8 in int32_data", Typed(2, {3}).PackedVarints(5, {0, 128, 255}), LittleEndian({0, 128, 255}, 1)},
      {"int8 in int32_data", Typed(3, {2}).Varints(5, {-1, 1}), LittleEndian({-1, 1}, 1)},
      {"int16 in int32_data", Typed(5, {1}).Varints(5, {-2}), LittleEndian({-2}, 2)},
      {"bool in int32_data", Typed(9, {2}).Varints(5, {1, 0}), LittleEndian({1, 0}, 1)},
      {"float16 in int32_data", Typed(10, {1}).Varints(5, {0x3c00}), LittleEndian({0x3c00}, 2)},
      {"bfloat16 in int32_data", Typed(16, {1}).Varints(5, {0x3f80}), LittleEndian({0x3f80}, 2)},
      {"float8 in int32_data", Typed(17, {1}).Varints(5, {0x38}), LittleEndian({0x38}, 1)},
      {"int4, a negative entry", Typed(22, {3}).Varints(5, {-1, 7}), LittleEndian({255, 7}, 1)},
      {"uint2, four per entry", Typed(25, {5}).Varints(5, {0xe4, 1}), LittleEndian({0xe4, 1}, 1)},
      {"uint32 in uint64_data", Typed(12, {1}).PackedVarints(11, {4000000000}), LittleEndian({4000000000}, 4)},
      {"uint64_data", Typed(13, {1}).Varints(11, {-1}), LittleEndian({-1}, 8)},
      {"unknown type, raw", test::RawTensor("t", -100, {3}, "abcdefg"), "abcdefg"},
  };
  for (const Case& test : cases) {
    INFO(test.name);
    const RawModel model = ReadWith(test.tensor);
    const Constant& constant = model.graph.initializers[0];
    CHECK(constant.storage == Storage::kDecoded);
    CHECK(constant.data == test.data);
    CHECK(model.diagnostics.empty());
    CHECK(model.metadata_bytes == model.file_bytes);
  }
}

TEST_CASE("Larger payloads stay in the file") {
  struct Case {
    std::string name;
    Message tensor;
    Storage storage;
    int64_t length;
  };
  const auto raw = [](int elem, int64_t count, int bytes) {
    return test::RawTensor("t", elem, {count}, std::string(static_cast<size_t>(count * bytes), 'x'));
  };
  const Case cases[] = {
      {"float at the cap", raw(1, 256, 4), Storage::kDecoded, 1024},
      {"float above it", raw(1, 257, 4), Storage::kInline, 1028},
      {"int64 at the cap", raw(7, 8192, 8), Storage::kDecoded, 65536},
      {"int64 above it", raw(7, 8193, 8), Storage::kInline, 65544},
      {"bool", raw(9, 65536, 1), Storage::kDecoded, 65536},
      {"uint8 above the cap", raw(2, 65537, 1), Storage::kInline, 65537},
      {"float_data packed", Typed(1, {500}).PackedFloats(4, std::vector<float>(500)), Storage::kInline, 2000},
      {"float_data unpacked", Typed(1, {500}).Floats(4, std::vector<float>(500)), Storage::kInline, 2500},
      {"int64_data of one byte each", Typed(7, {9000}).PackedVarints(7, std::vector<int64_t>(9000)), Storage::kInline,
       9000},
  };
  for (const Case& test : cases) {
    INFO(test.name);
    const RawModel model = ReadWith(test.tensor);
    const Constant& constant = model.graph.initializers[0];
    CHECK(constant.storage == test.storage);
    CHECK(constant.length == test.length);
    CHECK(model.diagnostics.empty());
    const bool skipped = test.storage == Storage::kInline;
    CHECK(constant.data.empty() == skipped);
    CHECK(model.file_bytes - model.metadata_bytes == (skipped ? test.length : 0));
  }
}

TEST_CASE("The offset of an inline payload is its place in the file") {
  const std::string payload = "begin" + std::string(2000, 'x');
  const std::string bytes = test::Model(Message().Sub(5, test::RawTensor("w", 10, {5, 401}, payload))).bytes();
  CHECK(ReadModelMemory(bytes, "m")->graph.initializers[0].storage == Storage::kMissing);
  const std::string good = test::Model(Message().Sub(5, test::RawTensor("w", 3, {5, 401}, payload))).bytes();
  const absl::StatusOr<RawModel> model = ReadModelMemory(good, "m");
  CHECK(model->graph.initializers[0].data == payload);
  CHECK(model->graph.initializers[0].offset == static_cast<int64_t>(good.find("begin")));
}

TEST_CASE("A payload that contradicts its tensor is a diagnostic of that tensor") {
  struct Case {
    std::string name;
    Message tensor;
    std::string message;
  };
  const Case cases[] = {
      {"raw too short", test::RawTensor("t", 1, {2, 3}, "1234"), "tensor float[2,3] needs 24 bytes but holds 4"},
      {"raw too long", test::RawTensor("t", 22, {3}, "123"), "tensor int4[3] needs 2 bytes but holds 3"},
      {"typed too short", Typed(7, {2}).Varint(7, 1).Bytes(8, "t"), "tensor int64[2] needs 16 bytes but holds 8"},
      {"no values", Typed(1, {2}).Bytes(8, "t"), "tensor float[2] holds no values of its type"},
      {"another type's field", Typed(7, {1}).Varint(5, 1).Bytes(8, "t"), "tensor int64[1] holds no values of its type"},
      {"negative dim", test::RawTensor("t", 1, {-1, 2}, "1234"),
       "tensor float[-1,2] has dims that are negative or too large"},
      {"overflow", test::RawTensor("t", 1, {INT64_MAX, 4}, "1234"),
       "tensor float[9223372036854775807,4] has dims that are negative or too large"},
      {"string count", Typed(8, {2}).Bytes(6, "a").Bytes(8, "t"), "tensor string[2] holds another number of strings"},
      {"raw strings", test::RawTensor("t", 8, {1}, "a"), "tensor string[1] holds no values of its type"},
  };
  for (const Case& test : cases) {
    INFO(test.name);
    const RawModel model = ReadWith(test.tensor);
    CHECK(model.graph.initializers[0].storage == Storage::kMissing);
    CHECK(model.graph.initializers[0].data.empty());
    CHECK(model.graph.initializers[0].strings.empty());
    REQUIRE(model.diagnostics.size() == 1);
    CHECK(model.diagnostics[0].code == Code::kTensorData);
    CHECK(model.diagnostics[0].message == test.message);
    CHECK(model.diagnostics[0].value == "t");
  }
}

TEST_CASE("A tensor without elements is empty, and strings are decoded") {
  CHECK(ReadWith(Typed(1, {0, 5})).graph.initializers[0].storage == Storage::kEmpty);
  const RawModel model = ReadWith(Typed(8, {2}).Bytes(6, "a").Bytes(6, ""));
  CHECK(model.graph.initializers[0].storage == Storage::kDecoded);
  CHECK(model.graph.initializers[0].strings == std::vector<std::string>{"a", ""});
}

TEST_CASE("External data is a place, and nothing is opened") {
  struct Case {
    std::string name;
    Message tensor;
    Storage storage;
    int64_t offset, length;
    size_t diagnostics;
  };
  const auto external = [](const char* location, const char* offset, const char* length) {
    return test::ExternalTensor("t", 1, {2, 3}, location, offset, length);
  };
  const Case cases[] = {
      {"all keys", external("w.bin", "4097", "24"), Storage::kExternal, 4097, 24, 0},
      {"length and offset absent", external("w.bin", "", ""), Storage::kExternal, 0, 24, 0},
      {"length 0", external("w.bin", "8", "0"), Storage::kExternal, 8, 24, 0},
      {"longer than needed", external("w.bin", "0", "32"), Storage::kExternal, 0, 32, 0},
      {"too short", external("w.bin", "0", "23"), Storage::kMissing, 0, 23, 1},
      {"no location", external("", "0", "24"), Storage::kMissing, 0, 0, 1},
      {"offset no number", external("w.bin", "4k", "24"), Storage::kMissing, 0, 0, 1},
      {"negative offset", external("w.bin", "-1", "24"), Storage::kMissing, 0, 0, 1},
      {"address", external("*/_ORT_MEM_ADDR_/*", "140000000", "24"), Storage::kMissing, 0, 0, 1},
      {"marker in raw_data", external("w.bin", "0", "24").Bytes(9, "__EXTERNAL"), Storage::kExternal, 0, 24, 0},
      {"location flag absent", external("w.bin", "0", "24").Varint(14, 0), Storage::kExternal, 0, 24, 1},
  };
  for (const Case& test : cases) {
    INFO(test.name);
    const RawModel model = ReadWith(test.tensor);
    const Constant& constant = model.graph.initializers[0];
    CHECK(constant.storage == test.storage);
    CHECK(constant.offset == test.offset);
    CHECK(constant.length == test.length);
    CHECK(constant.data.empty());
    CHECK(model.diagnostics.size() == test.diagnostics);
    if (constant.storage == Storage::kExternal) CHECK(model.strings[constant.location] == "w.bin");
  }
}

TEST_CASE("A sparse initialiser has the name of its values and the dense dims") {
  const Message values = test::RawTensor("s", 1, {2}, "12345678");
  const Message indices = test::RawTensor("", 7, {2}, LittleEndian({1, 8}, 8));
  const Message sparse = Message().Sub(1, values).Sub(2, indices).Varints(3, {3, 4});
  const absl::StatusOr<RawModel> model = ReadModelMemory(test::Model(Message().Sub(15, sparse)).bytes(), "m");
  REQUIRE(model.ok());
  const Constant& constant = model->graph.initializers.at(0);
  CHECK(model->strings[constant.name] == "s");
  CHECK(constant.sparse);
  CHECK(constant.dims == std::vector<int64_t>{3, 4});
  CHECK(constant.storage == Storage::kInline);
  CHECK(constant.length == 24);
  CHECK(constant.data.empty());
}

TEST_CASE("Diagnostics about tensors are listed up to a hundred and then counted") {
  Message graph;
  for (int i = 0; i < 130; ++i) graph.Sub(5, test::RawTensor(absl::StrCat("t", i), 1, {2}, "1"));
  const absl::StatusOr<RawModel> model = ReadModelMemory(test::Model(graph).bytes(), "m");
  REQUIRE(model->diagnostics.size() == 101);
  CHECK(absl::StartsWith(model->diagnostics.back().message, "30 more"));
}

}  // namespace
}  // namespace hwest
