// Compresses the data of a page: raw deflate in base64, piece by piece.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "report/report.h"

namespace hwest {

// Browsers read the result with atob() and DecompressionStream("deflate-raw"). The sink must outlive the writer.
class DeflatedWriter {
 public:
  explicit DeflatedWriter(Sink sink);
  ~DeflatedWriter();
  DeflatedWriter(const DeflatedWriter&) = delete;

  absl::Status Write(absl::string_view bytes);
  absl::Status Finish();  // once, after the last Write

 private:
  struct Stream;

  absl::Status Deflate(absl::string_view bytes, bool is_last);
  absl::Status Encode(bool is_last);

  Sink sink_;
  std::unique_ptr<Stream> stream_;
  std::string packed_;  // deflated and not yet encoded
};

}  // namespace hwest
