#include "import/tflite_reader.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "import/flatbuffer.h"
#include "import/read_context.h"
#include "import/tflite_file.h"
#include "import/tflite_translator.h"

namespace hwest {
namespace {

constexpr absl::string_view kIdentifier = "TFL3";
constexpr size_t kIdentifierAt = 4;

}  // namespace

bool IsTflite(absl::string_view head) {
  return head.size() >= kTfliteHeadBytes && absl::StartsWith(head.substr(kIdentifierAt), kIdentifier);
}

absl::StatusOr<RawModel> ReadTflite(Source& source, const ReadOptions& options) {
  Window in(source);
  RawModel model;
  ReadContext context(in, options, model);
  FlatBuffer flat(context);
  TfliteNames names;
  TfliteFileReader graphs(context, flat, names);
  HWEST_RETURN_IF_ERROR(in.status());
  const TfliteFile file = graphs.Read(0);
  HWEST_RETURN_IF_ERROR(in.status());
  TfliteTranslator(context, flat, graphs, file, names, model.graph).Run();
  HWEST_RETURN_IF_ERROR(in.status());
  context.Finish();
  return model;
}

}  // namespace hwest
