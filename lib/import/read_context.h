// What the readers of one model share: input, result, caps, and small helpers over them.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "import/read_options.h"
#include "import/window.h"
#include "import/wire.h"
#include "ir/raw.h"

namespace hwest {

inline constexpr StrId kEmptyText{0u};  // StringTable stores "" first

class ReadContext {
 public:
  ReadContext(Window& in, const ReadOptions& options, RawModel& model) : in_(in), options_(options), model_(model) {}

  Window& in() { return in_; }
  const ReadOptions& options() const { return options_; }
  RawModel& model() { return model_; }

  // Text returns the bytes of a name, valid until the next read. Longer than the window holds = kModelRefused.
  absl::string_view Text(Span range);
  StrId Intern(Span range) { return model_.strings.Intern(Text(range)); }

  // Enter counts one object against max_objects; false, with the error recorded, beyond it.
  bool Enter();
  // CheckDepth and CheckRank record kModelRefused and return false beyond the cap.
  bool CheckDepth(int depth);
  bool CheckRank(size_t rank);

  // Warn adds a diagnostic about `value`; after the first hundred they are only counted, see Finish.
  void Warn(Code code, std::string message, absl::string_view remedy, StrId value);
  // Skipped counts payload bytes that were not read.
  void Skipped(int64_t bytes) { skipped_bytes_ += bytes; }
  // Finish fills the totals of the model.
  void Finish();

 private:
  Window& in_;
  const ReadOptions& options_;
  RawModel& model_;
  int64_t objects_ = 0;
  int64_t warnings_ = 0;
  int64_t skipped_bytes_ = 0;
};

// Entry is a StringStringEntryProto.
struct Entry {
  std::string key;
  Span value;
};

Entry ReadEntry(ReadContext& context, Span range);
OpsetImport ReadOpsetImport(ReadContext& context, Span range);

}  // namespace hwest
