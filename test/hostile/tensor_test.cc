// Tensors: payloads that contradict their dims, external data that leads elsewhere.
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "hostile/hostile.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr int kFloat = 1, kInt64 = 7, kUint4 = 21;

// y = Reshape(x, shape): what the tensor `shape` holds decides the rank of y.
std::string ReshapeBy(const Message& shape) {
  return ModelWith(
      Graph({Node("Reshape", {"x", "shape"}, {"y"})}, {Value("x", FloatType({"2", "3"}))}, {"y"}).Sub(5, shape));
}

std::string WithWeight(const Message& weight) {
  return ModelWith(Graph({Node("Identity", {"w"}, {"y"})}, {}, {"y"}).Sub(5, weight));
}

std::string External(absl::string_view location, absl::string_view offset = "0", absl::string_view length = "16") {
  return ReshapeBy(ExternalTensor("shape", kInt64, {2}, location, offset, length));
}

Message Sparse(const std::vector<int64_t>& dims) {
  return Message()
      .Sub(1, RawTensor("shape", kInt64, {1}, LittleEndian({6}, 8)))
      .Sub(2, RawTensor("", kInt64, {1}, LittleEndian({0}, 8)))
      .Varints(3, dims);
}

TEST_CASE("payloads") {
  const std::string sixteen(16, '\x02');
  const Case cases[] = {
      {59, "as many bytes as elements", ReshapeBy(Int64s("shape", {3, 2})), 0, "", "y,tensor,float,3;2,"},
      {59, "raw data shorter than dims", ReshapeBy(RawTensor("shape", kInt64, {2}, "12345678")), 0,
       "tensor int64[2] needs 16 bytes but holds 8", "y,tensor,float,"},
      {59, "raw data longer than dims", ReshapeBy(RawTensor("shape", kInt64, {1}, sixteen)), 0,
       "needs 8 bytes but holds 16", "y,tensor,float,"},
      {59, "no data at all", WithWeight(Message().Varints(1, {4}).Varint(2, kFloat).Bytes(8, "w")), 0,
       "holds no values of its type", "y,tensor,float,4,"},
      {59, "values of another type",
       WithWeight(Message().Varints(1, {2}).Varint(2, kFloat).PackedVarints(7, {1, 2}).Bytes(8, "w")), 0,
       "holds no values of its type", "y,tensor,float,2,"},
      {59, "sub-byte payload of one byte an element", WithWeight(RawTensor("w", kUint4, {3}, "123")), 0,
       "tensor uint4[3] needs 2 bytes but holds 3", "y,tensor,uint4,3,"},
      {59, "sub-byte payload, packed", WithWeight(RawTensor("w", kUint4, {3}, "12")), 0, "input 0 (w) is uint4",
       "y,tensor,uint4,3,"},
      {59, "an unknown element type", WithWeight(RawTensor("w", 999, {2}, "12345678")), 0,
       "input 0 (w) is unknown(999)", "y,tensor,"},
      {32, "negative dims", WithWeight(RawTensor("w", kFloat, {-1, 4}, "")), 0,
       "has dims that are negative or too large", "y,tensor,float,"},
      {34, "dims whose product leaves 64 bits", WithWeight(RawTensor("w", kFloat, {1 << 30, 1 << 30, 1 << 30}, "1234")),
       0, "has dims that are negative or too large", "y,tensor,float,1073741824;1073741824;1073741824,"},
      {34, "bytes that leave 64 bits", WithWeight(RawTensor("w", kFloat, {int64_t{1} << 61}, "1234")), 0, "",
       "y,tensor,float,"},
      {33, "no elements", WithWeight(RawTensor("w", kFloat, {0, 1 << 30, 1 << 30, 1 << 30}, "")), 0, "",
       "y,tensor,float,0;"},
      {35, "more axes than any tensor has", WithWeight(RawTensor("w", kFloat, std::vector<int64_t>(1025, 1), "1234")),
       3, "a shape of more than 1024 axes", ""},
      {59, "sparse dims whose product leaves 64 bits",
       ModelWith(Graph({Node("Identity", {"shape"}, {"y"})}, {}, {"y"}).Sub(15, Sparse({INT64_MAX, INT64_MAX}))), 0, "",
       "y,tensor,int64,9223372036854775807;9223372036854775807,"},
  };
  for (const Case& test : cases) Check(test);
}

// What is written where: nothing of it is opened to tell shapes.
TEST_CASE("external data") {
  // clang-format off
  const Case cases[] = {
      {56, "out of the folder", External("../secret"), 0, "", "y,tensor,float,"},
      {56, "out of the folder and back", External("a/../../m.onnx"), 0, "", "y,tensor,float,"},
      {56, "absolute", External("/etc/passwd"), 0, "", "y,tensor,float,"},
      {56, "of a drive", External("C:\\w.bin"), 0, "", "y,tensor,float,"},
      {29, "missing", External("missing.bin"), 0, "", "y,tensor,float,"},
      {57, "an offset that is no number", External("w.bin", "0x10"), 0, "offset or length that is no number",
       "y,tensor,"},
      {57, "a negative offset", External("w.bin", "-1"), 0, "offset or length that is no number", "y,tensor,"},
      {57, "an offset beyond 64 bits", External("w.bin", "99999999999999999999"), 0,
       "offset or length that is no number",
       "y,tensor,"},
      {57, "offset and length that meet beyond 64 bits", External("w.bin", "9223372036854775807",
       "9223372036854775807"), 0,
       "", "y,tensor,"},
      {57, "a length of petabytes", External("w.bin", "0", "9000000000000000"), 0, "", "y,tensor,"},
      {57, "a length below the dims", External("w.bin", "0", "8"), 0, "needs 16 external bytes but names 8",
       "y,tensor,"},
      {57, "keys of another program",
       ReshapeBy(Message().Varint(1, 2).Varint(2, kInt64).Bytes(8, "shape").Sub(13,
                                                                                StringEntry("__class__", "os.system"))
                     .Sub(13, StringEntry("location", "w.bin")).Varint(14, 1)), 0, "", "y,tensor,"},
      {29, "no location", ReshapeBy(ExternalTensor("shape", kInt64, {2}, "", "0", "16")), 0,
       "is external but names no file",
       "y,tensor,"},
      {29, "an address in another process", External("*/_ORT_MEM_ADDR_/*", "140737488355328"), 0,
       "was saved as an address in another process", "y,tensor,"},
  };
  // clang-format on
  for (const Case& test : cases) Check(test);
}

}  // namespace
}  // namespace hwest::test
