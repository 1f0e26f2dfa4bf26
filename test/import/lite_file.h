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

// Tensor i is called t<i>.
struct LiteGraph {
  std::vector<LiteTensor> tensors;
  std::vector<LiteOp> ops;
  std::vector<int64_t> inputs, outputs;
};

namespace lite_file_detail {

// Buffers are those of all graphs, one for each tensor behind the first, which is empty.
inline size_t AddGraph(FlatWriter& flat, const LiteGraph& graph, size_t buffers, size_t first_buffer,
                       size_t first_code) {
  const size_t place = flat.Table({0, 1, 2, 3});
  const size_t all = flat.Tables(graph.tensors.size()), inputs = flat.Ints(graph.inputs),
               outputs = flat.Ints(graph.outputs), operators = flat.Tables(graph.ops.size());
  flat.Link(place, 0, all);
  flat.Link(place, 1, inputs);
  flat.Link(place, 2, outputs);
  flat.Link(place, 3, operators);
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    const LiteTensor& from = graph.tensors[i];
    const size_t buffer = from.is_constant ? flat.Table({0}) : flat.Table({});
    flat.LinkIn(buffers, first_buffer + i, buffer);
    const size_t tensor = flat.Table({0, 1, 2, 3, 8});
    flat.LinkIn(all, i, tensor);
    flat.Set(tensor, 1, static_cast<uint64_t>(from.type), 1);
    flat.Set(tensor, 2, first_buffer + i);
    flat.Set(tensor, 8, 1, 1);  // a tensor without axes has a rank, too
    const size_t shape = flat.Ints(from.dims), name = flat.Text(absl::StrCat("t", i));
    flat.Link(tensor, 0, shape);
    flat.Link(tensor, 3, name);
    if (!from.is_constant) continue;
    std::string bytes(static_cast<size_t>(from.elements()) * 4, '\0');
    for (size_t at = 0; at < from.ints.size(); ++at) {
      for (size_t byte = 0; byte < 4; ++byte) {
        bytes[4 * at + byte] = static_cast<char>(static_cast<uint64_t>(from.ints[at]) >> (8 * byte));
      }
    }
    flat.Link(buffer, 0, flat.Text(bytes));
  }
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const size_t op = flat.Table({0, 1, 2, 4});
    flat.LinkIn(operators, i, op);
    flat.Set(op, 0, first_code + i);
    const size_t from = flat.Ints(graph.ops[i].inputs), to = flat.Ints(graph.ops[i].outputs);
    flat.Link(op, 1, from);
    flat.Link(op, 2, to);
    std::vector<int> slots;
    for (const auto& [slot, value] : graph.ops[i].options) slots.push_back(slot);
    const size_t options = flat.Table(slots);
    for (const auto& [slot, value] : graph.ops[i].options) flat.Set(options, slot, static_cast<uint64_t>(value));
    flat.Link(op, 4, options);
  }
  return place;
}

}  // namespace lite_file_detail

// The first graph is the model.
inline std::string LiteFile(const std::vector<LiteGraph>& graphs) {
  FlatWriter flat;
  const size_t root = flat.Table({1, 2, 4});
  flat.Root(root);
  size_t num_ops = 0, num_tensors = 0;
  for (const LiteGraph& graph : graphs) {
    num_ops += graph.ops.size();
    num_tensors += graph.tensors.size();
  }
  const size_t codes = flat.Tables(num_ops), places = flat.Tables(graphs.size()),
               buffers = flat.Tables(num_tensors + 1);
  flat.Link(root, 1, codes);
  flat.Link(root, 2, places);
  flat.Link(root, 4, buffers);
  flat.LinkIn(buffers, 0, flat.Table({}));
  size_t first_buffer = 1, first_code = 0;
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (size_t at = 0; at < graphs[i].ops.size(); ++at) {
      const size_t code = flat.Table({0, 3});
      flat.LinkIn(codes, first_code + at, code);
      flat.Set(code, 0, static_cast<uint64_t>(std::min(graphs[i].ops[at].code, 127)), 1);
      flat.Set(code, 3, static_cast<uint64_t>(graphs[i].ops[at].code));
    }
    flat.LinkIn(places, i, lite_file_detail::AddGraph(flat, graphs[i], buffers, first_buffer, first_code));
    first_buffer += graphs[i].tensors.size();
    first_code += graphs[i].ops.size();
  }
  return flat.bytes();
}

// What nothing makes and is no constant is an input, what the last operator makes is a result.
inline std::string LiteFile(const std::vector<LiteTensor>& tensors, const std::vector<LiteOp>& ops) {
  std::vector<bool> is_made(tensors.size());
  for (const LiteOp& op : ops) {
    for (const int64_t output : op.outputs) is_made[static_cast<size_t>(output)] = true;
  }
  std::vector<int64_t> given;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!is_made[i] && !tensors[i].is_constant) given.push_back(static_cast<int64_t>(i));
  }
  return LiteFile({{tensors, ops, given, ops.back().outputs}});
}

}  // namespace hwest::test
