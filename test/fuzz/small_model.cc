#include "fuzz/small_model.h"

#include <vector>

#include "support/onnx_writer.h"

namespace hwest::test {

std::string SmallModel() {
  const std::vector<std::string> of_op = {"x", "w"}, op = {"a"}, relu = {"b"}, of_matmul = {"b", "w"}, out = {"y"};
  Message graph;
  graph.Sub(1, Node("Op", of_op, op).Bytes(7, "my.domain")).Sub(1, Node("Relu", op, relu));
  graph.Sub(1, Node("MatMul", of_matmul, out)).Bytes(2, "g");
  const auto rows = Message().Sub(1, Message().Bytes(2, "N")).Sub(1, Message().Varint(1, 8));
  const auto type = Message().Sub(1, Message().Varint(1, 1).Sub(2, rows));
  graph.Sub(11, Message().Bytes(1, "x").Sub(2, type)).Sub(11, TensorValue("w", 1, {8, 8}));
  graph.Sub(12, Message().Bytes(1, "y"));
  return Model(graph).Sub(8, OpsetImport("my.domain", 1)).bytes();
}

}  // namespace hwest::test
