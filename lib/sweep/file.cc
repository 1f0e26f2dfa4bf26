#include "sweep/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/read_json.h"
#include "report/report.h"
#include "report/writers.h"
#include "sweep/columns.h"

namespace hwest {
namespace {

constexpr size_t kBufferBytes = 64 * 1024;
constexpr char kPart[] = ".part";

absl::Status Unwritable(const std::string& path, int error) {
  return MakeError(Code::kOutputUnwritable,
                   absl::StrCat("cannot write ", EscapeControl(path), " (", std::strerror(error), ")"),
                   "choose a file in a folder that exists, has room, and that you may write to");
}

absl::Status NotThisSweep(const std::string& path, size_t line) {
  return MakeError(
      Code::kUsage,
      absl::StrCat(EscapeControl(path), " line ", line, " is no row of this sweep, so --resume cannot go on"),
      "leave --resume out to begin anew, or name another --output");
}

bool Exists(const std::string& path) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0;
}

// Fields of a record whose text has no line breaks.
std::vector<std::string> FieldsOf(absl::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

const Columns& RowColumns() { return ColumnsOf(static_cast<const SweepRow*>(nullptr)); }

size_t ColumnNamed(absl::string_view key) {
  const Columns& columns = RowColumns();
  const auto column = std::find_if(columns.begin(), columns.end(), [&](const ColumnInfo& c) { return c.key == key; });
  return static_cast<size_t>(column - columns.begin());
}

// What distinguishes points, as written in a file.
struct Identity {
  std::string model, target, mode, set, precision, batch, dims, size, rewritten;
};

// A text as CsvLine writes it.
std::string Written(const std::string& text) { return FieldsOf(CsvField(text))[0]; }

Identity IdentityOf(const std::vector<std::string>& fields) {
  const auto field = [&](absl::string_view key) { return fields[ColumnNamed(key)]; };
  return {field("model"), field("target"), field("mode"), field("set"),      field("precision"),
          field("batch"), field("dims"),   field("size"), field("rewritten")};
}

std::string TextOf(const Cell* cell) {
  if (cell == nullptr || cell->is_null()) return "";
  return cell->text() != nullptr ? Written(*cell->text()) : DumpJson(*cell);
}

Identity IdentityOf(const Cell& row) {
  const auto text = [&](absl::string_view key) { return TextOf(FindMember(row, key)); };
  Dims dims;
  const Cell* object = FindMember(row, "dims");
  if (object != nullptr && object->object() != nullptr) {
    for (const auto& [name, size] : *object->object()) dims.emplace_back(name, size.number() ? *size.number() : -1);
  }
  NamedShares set;
  const Cell* figures = FindMember(row, "set");
  if (figures != nullptr && figures->object() != nullptr) {
    for (const auto& [path, value] : *figures->object()) {
      set.emplace_back(path, value.is_number() ? value.figure() : -1);
    }
  }
  return {text("model"), text("target"),          text("mode"), Written(SetText(set)), text("precision"),
          text("batch"), Written(DimsText(dims)), text("size"), text("rewritten")};
}

// Whether the row belongs to the point. What the point leaves to the target or the model may be anything.
bool IsOf(const Identity& row, const SweepPlan& plan, const SweepPoint& point) {
  const auto asked = [](const std::string& found, const std::string& wanted) {
    return wanted.empty() || absl::EqualsIgnoreCase(found, Written(wanted));
  };
  const auto number = [](const std::optional<int64_t>& n) { return n.has_value() ? absl::StrCat(*n) : std::string(); };
  return row.model == Written(plan.models()[point.model]) && row.target == Written(point.target) &&
         asked(row.mode, point.mode) && asked(row.precision, point.precision == "auto" ? "" : point.precision) &&
         asked(row.batch, number(point.batch)) && row.dims == Written(DimsText(point.dims)) &&
         row.set == Written(SetText(SetOf(point))) && row.size == number(point.size) &&
         row.rewritten == (point.rewritten ? "true" : "false");
}

struct RowSeen {
  Identity identity;
  bool failed = false;
};

std::optional<RowSeen> ReadRow(absl::string_view line, RowForm form) {
  if (form == RowForm::kCsv) {
    const std::vector<std::string> fields = FieldsOf(line);
    if (fields.size() != RowColumns().size()) return std::nullopt;
    return RowSeen{IdentityOf(fields), fields[ColumnNamed("status")] != "ok"};
  }
  const absl::StatusOr<Cell> row = ReadJson(line);
  if (!row.ok() || row->object() == nullptr) return std::nullopt;
  return RowSeen{IdentityOf(*row), TextOf(FindMember(*row, "status")) != "ok"};
}

std::optional<double> NumberOf(const std::string& field) {
  double number;
  return absl::SimpleAtod(field, &number) ? std::optional<double>(number) : std::nullopt;
}

// WorkOf and FiguresOf of a written row.
struct Standing {
  std::string work;
  ParetoFigures figures;
};
Standing StandingOf(const std::vector<std::string>& fields) {
  const Identity row = IdentityOf(fields);
  const bool is_whole = fields[ColumnNamed("code")].empty();
  const auto figure = [&](absl::string_view key) {
    return is_whole ? NumberOf(fields[ColumnNamed(key)]) : std::nullopt;
  };
  return {absl::StrCat(row.model, "\n", row.batch, "\n", row.dims, "\n", row.size),
          {figure("latency_s"), figure("energy_j"), figure("peak_memory_bytes")}};
}

int64_t NowSeconds() { return static_cast<int64_t>(std::time(nullptr)); }

}  // namespace

bool CanHoldRows(const std::string& path) {
  struct stat found;
  return ::stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode);
}

SweepFile::~SweepFile() {
  if (fd_ >= 0) ::close(fd_);
}

absl::StatusOr<std::unique_ptr<SweepFile>> SweepFile::Open(const std::string& path, RowForm form, Resume resume,
                                                           const SweepPlan& plan, std::pair<size_t, size_t> range) {
  std::unique_ptr<SweepFile> file(new SweepFile(path, form));
  const std::string part = absl::StrCat(path, kPart);
  if (Exists(path) && ::access(path.c_str(), W_OK) != 0) return Unwritable(path, errno);
  const bool beside = resume == Resume::kYes ? Exists(part) : Exists(path);
  if (resume == Resume::kNo) (void)std::remove(part.c_str());
  file->own_ = beside ? part : path;
  file->fd_ = ::open(file->own_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (resume == Resume::kNo ? O_TRUNC : 0), 0666);
  if (file->fd_ < 0) return Unwritable(path, errno);
  if (resume == Resume::kYes) HWEST_RETURN_IF_ERROR(file->Keep(plan, range));
  if (file->kept_ == 0 && form == RowForm::kCsv && ::lseek(file->fd_, 0, SEEK_CUR) == 0) file->buffer_ = CsvHead();
  HWEST_RETURN_IF_ERROR(file->Flush());
  return file;
}

// Reads the existing rows and positions the file after the last whole one.
absl::Status SweepFile::Keep(const SweepPlan& plan, std::pair<size_t, size_t> range) {
  std::ifstream in(own_, std::ios::binary);
  std::string line;
  int64_t whole = 0;
  for (size_t number = 1; std::getline(in, line) && !in.eof(); ++number) {
    const bool is_head = form_ == RowForm::kCsv && number == 1;
    if (is_head && absl::StrCat(line, "\n") != CsvHead()) return NotThisSweep(own_, number);
    if (!is_head) {
      const std::optional<RowSeen> row = ReadRow(line, form_);
      const size_t index = range.first + kept_;
      if (!row.has_value() || index >= range.second || !IsOf(row->identity, plan, plan.point(index))) {
        return NotThisSweep(own_, number);
      }
      ++kept_;
      kept_failed_ += row->failed;
    }
    whole += static_cast<int64_t>(line.size()) + 1;
  }
  if (::ftruncate(fd_, whole) != 0 || ::lseek(fd_, whole, SEEK_SET) != whole) return Unwritable(path_, errno);
  return absl::OkStatus();
}

absl::Status SweepFile::Add(const SweepRow& row) {
  absl::StrAppend(&buffer_, form_ == RowForm::kCsv ? CsvLine(row) : JsonLine(row));
  if (buffer_.size() < kBufferBytes && NowSeconds() == written_s_) return absl::OkStatus();
  return Flush();
}

absl::Status SweepFile::Flush() {
  absl::string_view bytes = buffer_;
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      buffer_.erase(0, buffer_.size() - bytes.size());
      return Unwritable(path_, error);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  buffer_.clear();
  written_s_ = NowSeconds();
  return absl::OkStatus();
}

absl::Status SweepFile::WriteWithPareto() const {
  ParetoFront front;
  std::string line;
  std::ifstream first(own_, std::ios::binary);
  std::getline(first, line);
  while (std::getline(first, line)) {
    const std::vector<std::string> fields = FieldsOf(line);
    if (fields[ColumnNamed("status")] != "ok") continue;
    const Standing row = StandingOf(fields);
    front.Add(row.work, row.figures);
  }
  return WriteFile(path_, [&](Sink sink) -> absl::Status {
    std::ifstream second(own_, std::ios::binary);
    std::getline(second, line);
    std::string text = absl::StrCat(line, "\n");
    while (std::getline(second, line)) {
      const std::vector<std::string> fields = FieldsOf(line);
      std::optional<bool> is_on;
      const Standing row = StandingOf(fields);
      if (fields[ColumnNamed("status")] == "ok") is_on = front.IsOn(row.work, row.figures);
      // `pareto` is the last column; a complete file already has it.
      line.resize(line.rfind(',') + 1);
      absl::StrAppend(&text, line, is_on.has_value() ? DumpJson(*is_on) : "", "\n");
      if (text.size() < kBufferBytes) continue;
      HWEST_RETURN_IF_ERROR(sink(text));
      text.clear();
    }
    return sink(text);
  });
}

absl::Status SweepFile::Finish(bool with_pareto) {
  HWEST_RETURN_IF_ERROR(Flush());
  if (form_ == RowForm::kCsv && with_pareto) {
    HWEST_RETURN_IF_ERROR(WriteWithPareto());
    if (own_ != path_) (void)std::remove(own_.c_str());
  } else if (own_ != path_ && std::rename(own_.c_str(), path_.c_str()) != 0) {
    return Unwritable(path_, errno);
  }
  return absl::OkStatus();
}

}  // namespace hwest
