// onnx-hwest-check MODEL: libonnx's checker as a separate program. Loading libonnx registers all its schemas, and it
// may crash on a file that this project reads; neither must affect the main program.
//
// Exit status: 0 accepted, 8 rejected, 3 not readable by libonnx, 7 newer than libonnx knows and hence not checked. The
// reason is on standard output.
#include <onnx/checker.h>
#include <onnx/common/constants.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

namespace {

int Say(const std::string& text, int status) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return status;
}

// The import that is too new for libonnx; "" when there is none. Domains that it does not know are ignored.
std::string NewerThanLibrary(const onnx::ModelProto& model) {
  const auto& known = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  for (const auto& import : model.opset_import()) {
    const std::string domain = import.domain() == "ai.onnx" ? "" : import.domain();
    const auto range = known.find(domain);
    if (range == known.end() || import.version() <= range->second.second) continue;
    return (domain.empty() ? "ai.onnx" : domain) + " " + std::to_string(import.version()) +
           ", libonnx knows versions up to " + std::to_string(range->second.second);
  }
  if (model.ir_version() <= onnx::Version::IR_VERSION) return "";
  return "IR version " + std::to_string(model.ir_version()) + ", libonnx knows versions up to " +
         std::to_string(onnx::Version::IR_VERSION);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return Say("usage: onnx-hwest-check MODEL", 2);
  google::protobuf::SetLogHandler(nullptr);
  onnx::ModelProto model;
  std::ifstream file(argv[1], std::ios::binary);
  if (!file || !model.ParseFromIstream(&file)) return Say("libonnx cannot read the file", 3);
  if (const std::string newer = NewerThanLibrary(model); !newer.empty()) return Say(newer, 7);
  try {
    onnx::checker::check_model(std::string(argv[1]));
  } catch (const std::exception& error) {
    return Say(error.what(), 8);
  }
  return 0;
}
