#include "target/text_proto.h"

#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace hwest {
namespace {

constexpr int kMostTextNesting = 32;

class TextProtoErrors : public google::protobuf::io::ErrorCollector {
 public:
  explicit TextProtoErrors(std::vector<TextProtoError>* errors) : errors_(errors) {}
#if GOOGLE_PROTOBUF_VERSION >= 4022000
  void RecordError(int line, google::protobuf::io::ColumnNumber column, absl::string_view message) override {
    errors_->push_back({line + 1, column + 1, std::string(message)});
  }
#else
  void AddError(int line, int column, const std::string& message) override {
    errors_->push_back({line + 1, column + 1, message});
  }
#endif

 private:
  std::vector<TextProtoError>* errors_;
};

}  // namespace

bool ReadTextProto(absl::string_view text, google::protobuf::Message* out,
                   google::protobuf::TextFormat::ParseInfoTree* tree, std::vector<TextProtoError>* errors) {
  TextProtoErrors collector(errors);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  parser.SetRecursionLimit(kMostTextNesting);
  if (tree != nullptr) parser.WriteLocationsTo(tree);
  google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  return parser.Parse(&stream, out);
}

std::optional<std::string> UnknownKeyOf(absl::string_view message) {
  constexpr absl::string_view kBefore = " has no field named \"";
  const size_t at = message.find(kBefore);
  if (at == absl::string_view::npos) return std::nullopt;
  const absl::string_view rest = message.substr(at + kBefore.size());
  return std::string(rest.substr(0, rest.find('"')));
}

}  // namespace hwest
