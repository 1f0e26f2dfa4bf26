#include "import/window.h"

#include <cstdint>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "import/source.h"
#include "support/catch.h"
#include "temp_folder.h"

namespace hwest {
namespace {

using test::TempFolder;

std::string Counting(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 + i / 256);
  return bytes;
}

TEST_CASE("Sequential reading sees every byte once") {
  const TempFolder folder;
  const std::string bytes = Counting(300'000);
  absl::StatusOr<Source> source = Source::OpenFile(folder.Write("x", bytes));
  REQUIRE(source.ok());
  Window in(*source);
  bool same = true;
  for (int64_t pos = 0; pos + 9 <= in.size(); pos += 9) {
    const char* const at = in.At(pos, 9);
    same = same && at != nullptr && bytes.compare(static_cast<size_t>(pos), 9, at, 9) == 0;
  }
  CHECK(same);
  CHECK(source->bytes_read() == 300'000);
}

TEST_CASE("After a skipped payload reading starts small") {
  const TempFolder folder;
  absl::StatusOr<Source> source = Source::OpenFile(folder.Write("x", Counting(1'000'000)));
  REQUIRE(source.ok());
  Window in(*source);
  for (int64_t pos = 0; pos < 100'000; pos += 100) in.At(pos, 100);
  const int64_t before = source->bytes_read();
  in.SkipPayload();
  in.At(500'000, 10);
  CHECK(source->bytes_read() - before == Window::kMinBytes);
}

TEST_CASE("Copy takes ranges larger than the window") {
  const TempFolder folder;
  const std::string bytes = Counting(200'000);
  absl::StatusOr<Source> source = Source::OpenFile(folder.Write("x", bytes));
  REQUIRE(source.ok());
  Window in(*source);
  std::string copy = "<";
  REQUIRE(in.Copy(10, 150'000, &copy));
  CHECK(copy == absl::StrCat("<", bytes.substr(10, 150'000)));
}

TEST_CASE("A file that became shorter is an error, and the first error stays") {
  const TempFolder folder;
  const std::string path = folder.Write("x", Counting(10'000));
  absl::StatusOr<Source> source = Source::OpenFile(path);
  REQUIRE(source.ok());
  Window in(*source);
  std::filesystem::resize_file(path, 100);
  CHECK(in.At(5'000, 10) == nullptr);
  in.Corrupt("later");
  CHECK(DiagnosticOf(in.status()).code == Code::kModelCorrupt);
  CHECK(DiagnosticOf(in.status()).message == path + ": the file became shorter while it was read");
  CHECK(in.At(20, 10) == nullptr);
}

}  // namespace
}  // namespace hwest
