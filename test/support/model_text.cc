#include <onnx/defs/parser.h>

#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest::test {

std::string ModelFromText(absl::string_view text) {
  const std::string copy(text);
  onnx::OnnxParser parser(copy.c_str());
  onnx::ModelProto model;
  const auto status = parser.Parse(model);
  if (!status.IsOK()) FAIL(status.ErrorMessage());
  return model.SerializeAsString();
}

}  // namespace hwest::test
