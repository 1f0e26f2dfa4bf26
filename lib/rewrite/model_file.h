// ModelFile: the bytes of a model and where in them each part of its graph lies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "import/read_options.h"
#include "import/source.h"
#include "import/wire.h"

namespace hwest {

// Fields of GraphProto that hold one entry each.
enum class GraphField : uint32_t {
  kNode = 1,
  kInitializer = 5,
  kInput = 11,
  kOutput = 12,
  kValueInfo = 13,
  kSparseInitializer = 15,
};

class ModelFile {
 public:
  struct Field {
    uint32_t number = 0;  // 0 = written as it is, whatever it holds
    Span whole;           // tag included
    Span contents;
  };

  // Open reads the file at `path` ("-" = standard input) field by field; payloads are skipped. Errors: as
  // ReadModelFile.
  static absl::StatusOr<ModelFile> Open(const std::string& path, const ReadOptions& limits = {});
  // As above; `bytes` must outlive the result. `name` is used in messages, external data lie in the folder `path` is
  // in.
  static absl::StatusOr<ModelFile> FromMemory(absl::string_view bytes, const std::string& name);

  Source& source() const { return source_; }
  // Where it was read, external data lie in the folder of it; "" where that is the current one.
  const std::string& path() const { return path_; }
  // Fields of the model before the graph and after it; fields of the graph in their order.
  const std::vector<Field>& before() const { return before_; }
  const std::vector<Field>& graph() const { return graph_; }
  const std::vector<Field>& after() const { return after_; }
  // Whether the file has the graph in one piece, whose tag and length are written as any other program does.
  int graphs() const { return graphs_; }
  // Entry `index` of the graph's repeated field.
  const Field& At(GraphField field, size_t index) const;

 private:
  explicit ModelFile(Source source, std::string path) : source_(std::move(source)), path_(std::move(path)) {}
  absl::Status Index();

  mutable Source source_;
  std::string path_;
  std::vector<Field> before_, graph_, after_;
  int graphs_ = 0;
  std::vector<std::vector<uint32_t>> entries_;  // by number of the field: positions in graph_
};

}  // namespace hwest
