// The file that a sweep writes row by row, so that an early end loses nothing and a later run can resume.
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

// Whether rows can be appended to `path` one by one and read back: it is a regular file, or does not exist yet.
bool CanHoldRows(const std::string& path);

// SweepFile appends to `path`, or to `path`.part when it replaces an existing file, which stays until the sweep is
// complete.
class SweepFile {
 public:
  // Opens the file. With kYes it keeps the file's rows, except a last line that was cut short. Errors:
  // kOutputUnwritable; kUsage when the rows are not those of the first points of `range`.
  static absl::StatusOr<std::unique_ptr<SweepFile>> Open(const std::string& path, RowForm form, Resume resume,
                                                         const SweepPlan& plan, std::pair<size_t, size_t> range);
  ~SweepFile();
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;

  size_t kept() const { return kept_; }  // rows already there
  size_t kept_failed() const { return kept_failed_; }
  absl::Status Add(const SweepRow& row);
  absl::Status Flush();
  // Moves the complete file into place. `with_pareto` fills that column of a CSV. Errors: kOutputUnwritable.
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
