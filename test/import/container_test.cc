#include "import/container.h"

#include <string>

#include "absl/strings/match.h"
#include "hwest/diagnostic.h"
#include "import/import.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

struct Case {
  std::string head;
  std::string what;
  std::string remedy;
};

// The first entry of an archive, a file of that name.
std::string Zip(const std::string& name) {
  std::string entry = "PK\x03\x04" + std::string(26, '\0') + name;
  entry[26] = static_cast<char>(name.size());
  return entry;
}

TEST_CASE("Other containers are named, with what to do") {
  const Case cases[] = {
      {"", "is empty", "export or download"},
      {std::string(64, '\0'), "zero bytes", "export or download"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "Git LFS pointer", "git lfs pull"},
      {"\x1f\x8b\x08", "gzip", "gunzip"},
      {"PK\x03\x04zzzz", "zip archive", "torch.onnx.export"},
      {Zip("model/data.pkl"), "PyTorch checkpoint (.pt, .pth)", "torch.onnx.export(model"},
      {Zip("serialized_exported_program.json"), "torch.export (.pt2)", "torch.export.load('model.pt2')"},
      {Zip("model/archive_format"), "torch.export (.pt2)", "torch.export.load('model.pt2')"},
      {Zip("metadata.json"), "Keras model (.keras)", "keras.models.load_model('model.keras').export("},
      {std::string("model.onnx") + std::string(247, '\0') + "ustar\00000", "tar archive", "tar -xf"},
      {"\x80\x02}q", "Python pickle", "torch.onnx.export"},
      {"\x89HDF\r\n", "HDF5", "python -m tf2onnx.convert --keras model.h5"},
      {"GGUF\x03", "GGUF", "onnx-hwest llm"},
      {"RKNN\x00\x01", "RKNN", "made from"},
      {"\x01HEF", "Hailo", "made from"},
      {std::string("\x20\x00\x00\x00ORTM", 8), "ONNX Runtime flatbuffer", ".onnx file"},
      {std::string("\x40\x00\x00\x00\x00\x00\x00\x00{\"a\":", 13), "safetensors", "export the model"},
      {"\n<!DOCTYPE html><html>", "web page", "download it again"},
      {"<?xml version=\"1.0\"?><net>", "XML", ".onnx"},
      {"<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"11\">\n\t<layers>", "OpenVINO IR", "converted from"},
      {"{\"irVersion\": \"8\"}", "model as JSON", "onnx.load('FILE', 'json')"},
      {"{\"model_type\": \"qwen3\", \"hidden_size\": 2560}", "a configuration, not a model", "onnx-hwest llm"},
      {"{\n  \"schema\": \"onnx-hwest/1\",\n", "report, saved as JSON", "diff"},
      {"[{\"name\": \"a\"}]", "JSON text", "name a .onnx"},
      {"\xef\xbb\xbf{\"irVersion\": \"8\"}", "JSON", "onnx.save"},
      {"ir_version: 8\ngraph {", "text protobuf", "onnx.load('FILE', 'textproto')"},
      {"# of a tool\n#\n\nir_version: 8\ngraph {", "text protobuf", "textproto"},
      {"# A heading\n\nAnd text.", "text file", ".onnx"},
      {"name: \"my-npu\"\nunit {", "text file", ".onnx"},
      {"# only a comment", "text file", ".onnx"},
      {"graph", "text file", ".onnx"},
      {"graph {\n  node {", "text protobuf", "onnx.save"},
      {"<\n  ir_version: 8\n>\nagraph (float[N] x)", "text syntax", "onnx.save"},
      {"agraph (float[N] x) => (float[N] y) {", "text syntax", "onnx.save"},
      {"hello, world", "text file", ".onnx"},
  };
  for (const Case& test : cases) {
    INFO(test.what);
    const absl::StatusOr<RawModel> model = ReadModelMemory(test.head, "m");
    REQUIRE_FALSE(model.ok());
    const Diagnostic error = DiagnosticOf(model.status());
    CHECK(error.code == Code::kModelFormat);
    CHECK(absl::StartsWith(error.message, "m "));
    CHECK(absl::StrContains(error.message, test.what));
    CHECK(absl::StrContains(error.remedy, test.remedy));
  }
}

TEST_CASE("The start of a model is none of them") {
  const std::string model = test::Model(test::Message().Sub(1, test::Node("Relu", {"x"}, {"y"}))).bytes();
  CHECK(CheckContainer(model, "m").ok());
  CHECK(CheckContainer(std::string("\x3a\x02{\"", 4), "m").ok());
}

TEST_CASE("Protobuf and other bytes without a graph are no model") {
  // clang-format off
  const Case cases[] = {
      {test::Message().Varint(1, 8).Bytes(2, "pytorch").bytes(), "holds no graph", ""},
      {test::RawTensor("t", 1, {1}, "1234").bytes(), "no protobuf message", ""},
      {"%PDF-1.4\n%\x02\x03", "no protobuf message", ""},
      {std::string("\x7f""ELF\x02\x01\x01\x00", 8), "no protobuf message", ""},
  };
  // clang-format on
  for (const Case& test : cases) {
    INFO(test.head);
    const absl::StatusOr<RawModel> model = ReadModelMemory(test.head, "m");
    REQUIRE_FALSE(model.ok());
    const Diagnostic error = DiagnosticOf(model.status());
    CHECK(error.code == Code::kModelFormat);
    CHECK(absl::StrContains(error.message, "m is not an ONNX model"));
    CHECK(absl::StrContains(error.message, test.what));
  }
}

}  // namespace
}  // namespace hwest
