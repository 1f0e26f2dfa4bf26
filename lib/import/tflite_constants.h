// Constant tensors of a TensorFlow Lite file, in the orders of axes that operators of ONNX ask for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "import/flatbuffer.h"
#include "import/read_context.h"
#include "import/tflite_file.h"
#include "import/tflite_nodes.h"
#include "import/tflite_order.h"

namespace hwest {

// TfliteConstants writes each form of a constant once.
class TfliteConstants {
 public:
  TfliteConstants(ReadContext& context, FlatBuffer& flat, const TfliteFile& file, RawGraph& graph, TfliteNodes& nodes)
      : context_(context),
        flat_(flat),
        file_(file),
        graph_(graph),
        strings_(context.model().strings),
        nodes_(nodes),
        quantization_(file.tensors.size()),
        is_written_(file.tensors.size()) {}

  // Axis i is axis perm[i] as stored; the constant has `dims` if given.
  StrId Of(int64_t number, const std::vector<int64_t>& perm, const std::vector<int64_t>& dims);
  // `view` are dims of as many elements as the tensor has, which `perm` orders.
  StrId Of(int64_t number, const std::vector<int64_t>& view, const std::vector<int64_t>& perm,
           const std::vector<int64_t>& dims);
  bool IsWritten(int64_t number) const { return is_written_[static_cast<size_t>(number)]; }
  // Scale and zero point. Integers of 32 bits, which are sums, have none.
  std::vector<StrId> QuantizationOf(int64_t number);

 private:
  const TfliteTensor& tensor(int64_t number) const { return file_.tensors[static_cast<size_t>(number)]; }
  void Fill(const TfliteTensor& from, const std::vector<int64_t>& view, const std::vector<int64_t>& perm,
            Constant* constant);

  ReadContext& context_;
  FlatBuffer& flat_;
  const TfliteFile& file_;
  RawGraph& graph_;
  StringTable& strings_;
  TfliteNodes& nodes_;
  std::vector<std::vector<StrId>> quantization_;  // by tensor
  std::vector<bool> is_written_;                  // by tensor
  absl::flat_hash_map<std::string, StrId> forms_;
};

}  // namespace hwest
