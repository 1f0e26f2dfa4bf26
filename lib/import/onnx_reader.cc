#include "import/onnx_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "import/container.h"
#include "import/node_reader.h"
#include "import/read_context.h"
#include "import/type_reader.h"
#include "import/window.h"
#include "import/wire.h"

namespace hwest {
namespace {

void ReadFunction(ReadContext& context, Span range, RawFunction* function) {
  function->domain = function->name = function->overload = kEmptyText;
  for (Fields field(context.in(), range); field.Next();) {
    const Span contents = field.contents();
    switch (field.tag()) {
      case BytesTag(1): function->name = context.Intern(contents); break;
      case BytesTag(4): function->inputs.push_back(context.Intern(contents)); break;
      case BytesTag(5): function->outputs.push_back(context.Intern(contents)); break;
      case BytesTag(6): function->required_attributes.push_back(context.Intern(contents)); break;
      case BytesTag(7):
        if (!context.Enter()) break;
        function->nodes.emplace_back();
        ReadNode(context, contents, 1, &function->nodes.back());
        break;
      case BytesTag(9): function->opsets.push_back(ReadOpsetImport(context, contents)); break;
      case BytesTag(10): function->domain = context.Intern(contents); break;
      case BytesTag(11):
        if (!context.Enter()) break;
        function->default_attributes.emplace_back();
        ReadAttribute(context, contents, 1, &function->default_attributes.back());
        break;
      case BytesTag(12):
        if (!context.Enter()) break;
        function->value_info.emplace_back();
        ReadValueInfo(context, contents, &function->value_info.back());
        break;
      case BytesTag(13): function->overload = context.Intern(contents); break;
      default: break;
    }
  }
}

// True when a graph was there, if only its beginning: without one a file is no ONNX model, however its bytes parse.
bool ReadModel(ReadContext& context) {
  bool has_graph = false;
  RawModel& model = context.model();
  model.graph.name = kEmptyText;
  Fields field(context.in(), {0, context.in().size()});
  while (field.Next()) {
    const Span contents = field.contents();
    switch (field.tag()) {
      case VarintTag(1): model.ir_version = field.AsInt64(); break;
      case BytesTag(2): model.producer_name = std::string(context.Text(contents)); break;
      case BytesTag(3): model.producer_version = std::string(context.Text(contents)); break;
      case BytesTag(7):
        has_graph = true;
        ReadGraph(context, contents, 1, &model.graph);
        break;
      case BytesTag(8): model.opsets.push_back(ReadOpsetImport(context, contents)); break;
      case BytesTag(25):
        if (!context.Enter()) break;
        model.functions.emplace_back();
        ReadFunction(context, contents, &model.functions.back());
        break;
      default: break;
    }
  }
  return has_graph || field.tag() == BytesTag(7);
}

absl::Status NotOnnx(absl::string_view name, absl::string_view why) {
  return MakeError(Code::kModelFormat, absl::StrCat(name, " is not an ONNX model (", why, ")"),
                   "name a .onnx file, or export one with torch.onnx.export");
}

}  // namespace

absl::StatusOr<RawModel> ReadOnnx(Source& source, const ReadOptions& options) {
  Window in(source);
  const int64_t head_bytes = std::min<int64_t>(kContainerHeadBytes, source.size());
  const char* const head = in.At(0, head_bytes);
  HWEST_RETURN_IF_ERROR(in.status());
  HWEST_RETURN_IF_ERROR(CheckContainer({head, static_cast<size_t>(head_bytes)}, source.name()));

  RawModel model;
  ReadContext context(in, options, model);
  const bool has_graph = ReadModel(context);
  if (!in.ok() && !has_graph && DiagnosticOf(in.status()).code == Code::kModelCorrupt) {
    return NotOnnx(source.name(), "its bytes are no protobuf message with a graph");
  }
  HWEST_RETURN_IF_ERROR(in.status());
  if (!has_graph) return NotOnnx(source.name(), "it holds no graph");
  context.Finish();
  return model;
}

}  // namespace hwest
