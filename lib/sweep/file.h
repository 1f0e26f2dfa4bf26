// The file that a sweep writes row by row, so that nothing is lost when it ends early, and goes on with later.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sweep/points.h"
#include "sweep/row.h"

namespace hwest {

enum class RowForm : uint8_t { kCsv, kJsonLines };
enum class Resume : bool { kNo, kYes };

// Whether rows can be added to `path` one by one and read again: a regular file, or none yet.
bool CanHoldRows(const std::string& path);

// SweepFile appends to `path`, or to `path`.part where a file that is there already is to be replaced: that one stays
// until the sweep is complete.
class SweepFile {
 public:
  // Opens the file, and with kYes keeps the rows that are in it; a last line that was cut short is dropped. Errors:
  // kOutputUnwritable; kUsage when the rows are not those of the first points of `range`.
  static absl::StatusOr<std::unique_ptr<SweepFile>> Open(const std::string& path, RowForm form, Resume resume,
                                                         const SweepPlan& plan, std::pair<size_t, size_t> range);
  ~SweepFile();
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;

  size_t kept() const { return kept_; }  // rows that were there
  size_t kept_failed() const { return kept_failed_; }
  absl::Status Add(const SweepRow& row);
  absl::Status Flush();
  // Puts the complete file in its place. `with_pareto` fills that column of a CSV. Errors: kOutputUnwritable.
  absl::Status Finish(bool with_pareto);

 private:
  SweepFile(std::string path, RowForm form) : path_(std::move(path)), form_(form) {}
  absl::Status Keep(const SweepPlan& plan, std::pair<size_t, size_t> range);
  absl::Status WriteWithPareto() const;

  const std::string path_;
  const RowForm form_;
  std::string own_;  // where the rows go: path_ or path_.part
  int fd_ = -1;
  std::string buffer_;
  int64_t written_s_ = 0;  // when the buffer was last written
  size_t kept_ = 0;
  size_t kept_failed_ = 0;
};

}  // namespace hwest
