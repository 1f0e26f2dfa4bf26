// Small TensorFlow Lite files, written tensor by tensor and operator by operator.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "import/flat_writer.h"

namespace hwest::test {

enum LiteType { kLiteFloat = 0, kLiteInt = 2, kLiteLong = 4, kLiteBool = 6, kLiteComplex = 8, kLiteResource = 13 };

struct LiteTensor {
  std::vector<int64_t> dims;
  LiteType type = kLiteFloat;
  bool is_constant = false;
  std::vector<int64_t> ints;  // of a constant in kLiteInt

  int64_t elements() const {
    int64_t all = 1;
    for (const int64_t dim : dims) all *= dim;
    return all;
  }
};
inline LiteTensor Real(std::vector<int64_t> dims) { return {std::move(dims)}; }
inline LiteTensor Complex(std::vector<int64_t> dims) { return {std::move(dims), kLiteComplex}; }
inline LiteTensor Weights(std::vector<int64_t> dims) { return {std::move(dims), kLiteFloat, true}; }
inline LiteTensor Ints(std::vector<int64_t> values) {
  return {{static_cast<int64_t>(values.size())}, kLiteInt, true, values};
}

struct LiteOp {
  int code = 0;
  std::vector<int64_t> inputs, outputs;
  std::vector<std::pair<int, int64_t>> options;  // slot and value
};

// Tensor i is called t<i>; those that nothing makes and that are no constant are inputs, the last operator's outputs
// are those of the graph.
inline std::string LiteFile(const std::vector<LiteTensor>& tensors, const std::vector<LiteOp>& ops) {
  FlatWriter flat;
  const size_t root = flat.Table({1, 2, 4});
  flat.Root(root);
  const size_t codes = flat.Tables(ops.size()), graphs = flat.Tables(1), buffers = flat.Tables(tensors.size() + 1);
  flat.Link(root, 1, codes);
  flat.Link(root, 2, graphs);
  flat.Link(root, 4, buffers);
  std::vector<bool> is_made(tensors.size());
  for (size_t i = 0; i < ops.size(); ++i) {
    const size_t code = flat.Table({0, 3});
    flat.LinkIn(codes, i, code);
    flat.Set(code, 0, static_cast<uint64_t>(std::min(ops[i].code, 127)), 1);
    flat.Set(code, 3, static_cast<uint64_t>(ops[i].code));
    for (const int64_t output : ops[i].outputs) is_made[static_cast<size_t>(output)] = true;
  }
  const size_t graph = flat.Table({0, 1, 2, 3});
  flat.LinkIn(graphs, 0, graph);
  std::vector<int64_t> given;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!is_made[i] && !tensors[i].is_constant) given.push_back(static_cast<int64_t>(i));
  }
  const size_t all = flat.Tables(tensors.size()), inputs = flat.Ints(given), outputs = flat.Ints(ops.back().outputs);
  const size_t operators = flat.Tables(ops.size());
  flat.Link(graph, 0, all);
  flat.Link(graph, 1, inputs);
  flat.Link(graph, 2, outputs);
  flat.Link(graph, 3, operators);
  flat.LinkIn(buffers, 0, flat.Table({}));
  for (size_t i = 0; i < tensors.size(); ++i) {
    const size_t buffer = tensors[i].is_constant ? flat.Table({0}) : flat.Table({});
    flat.LinkIn(buffers, i + 1, buffer);
    const size_t tensor = flat.Table({0, 1, 2, 3, 8});
    flat.LinkIn(all, i, tensor);
    flat.Set(tensor, 1, static_cast<uint64_t>(tensors[i].type), 1);
    flat.Set(tensor, 2, i + 1);
    flat.Set(tensor, 8, 1, 1);  // a tensor without axes has a rank, too
    const size_t shape = flat.Ints(tensors[i].dims), name = flat.Text(absl::StrCat("t", i));
    flat.Link(tensor, 0, shape);
    flat.Link(tensor, 3, name);
    if (!tensors[i].is_constant) continue;
    std::string bytes(static_cast<size_t>(tensors[i].elements()) * 4, '\0');
    for (size_t at = 0; at < tensors[i].ints.size(); ++at) {
      for (size_t byte = 0; byte < 4; ++byte) {
        bytes[4 * at + byte] = static_cast<char>(static_cast<uint64_t>(tensors[i].ints[at]) >> (8 * byte));
      }
    }
    flat.Link(buffer, 0, flat.Text(bytes));
  }
  for (size_t i = 0; i < ops.size(); ++i) {
    const size_t op = flat.Table({0, 1, 2, 4});
    flat.LinkIn(operators, i, op);
    flat.Set(op, 0, i);
    const size_t from = flat.Ints(ops[i].inputs), to = flat.Ints(ops[i].outputs);
    flat.Link(op, 1, from);
    flat.Link(op, 2, to);
    std::vector<int> slots;
    for (const auto& [slot, value] : ops[i].options) slots.push_back(slot);
    const size_t options = flat.Table(slots);
    for (const auto& [slot, value] : ops[i].options) flat.Set(options, slot, static_cast<uint64_t>(value));
    flat.Link(op, 4, options);
  }
  return flat.bytes();
}

}  // namespace hwest::test
