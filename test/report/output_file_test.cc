// A file is replaced whole or not at all.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "report/report.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

class Folder {
 public:
  Folder() : path_("hwest_output_XXXXXX") { REQUIRE(::mkdtemp(path_.data()) != nullptr); }
  ~Folder() {
    for (const std::string& name : Names()) ::unlink((path_ + "/" + name).c_str());
    ::rmdir(path_.c_str());
  }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    DIR* folder = ::opendir(path_.c_str());
    while (const dirent* entry = ::readdir(folder)) {
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    ::closedir(folder);
    return names;
  }

 private:
  std::string path_;
};

std::string TextOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

absl::Status WriteNew(Sink sink) {
  const absl::Status status = sink("new ");
  return status.ok() ? sink("text") : status;
}

TEST_CASE("a new file and a replaced one hold exactly the report") {
  const Folder folder;
  const std::string path = folder / "report.txt";
  REQUIRE(WriteFile(path, WriteNew).ok());
  CHECK(TextOf(path) == "new text");
  std::ofstream(path) << "something much longer than that";
  ::chmod(path.c_str(), 0640);
  REQUIRE(WriteFile(path, WriteNew).ok());
  CHECK(TextOf(path) == "new text");
  struct stat info;
  REQUIRE(::stat(path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0640);
  CHECK(folder.Names().size() == 1);
}

TEST_CASE("a report that fails half way replaces nothing") {
  const Folder folder;
  const std::string path = folder / "report.txt";
  std::ofstream(path) << "old";
  const absl::Status status = WriteFile(path, [](Sink sink) {
    (void)sink("half");
    return absl::InternalError("broken");
  });
  CHECK(status.message() == "broken");
  CHECK(TextOf(path) == "old");
  CHECK(folder.Names().size() == 1);
}

TEST_CASE("a link keeps its place") {
  const Folder folder;
  std::ofstream(folder / "real.txt") << "old";
  REQUIRE(::symlink("real.txt", (folder / "link.txt").c_str()) == 0);
  REQUIRE(WriteFile(folder / "link.txt", WriteNew).ok());
  CHECK(TextOf(folder / "real.txt") == "new text");
  struct stat info;
  REQUIRE(::lstat((folder / "link.txt").c_str(), &info) == 0);
  CHECK(S_ISLNK(info.st_mode));
}

TEST_CASE("places that cannot be written") {
  const Folder folder;
  const auto path = GENERATE_REF(values<std::string>({"", folder / "no/such/folder.txt", folder / "", "/dev/full"}));
  INFO(path);
  CHECK(DiagnosticOf(WriteFile(path, WriteNew)).code == Code::kOutputUnwritable);
  CHECK(folder.Names().empty());
}

TEST_CASE("devices are written to, not replaced") {
  REQUIRE(WriteFile("/dev/null", WriteNew).ok());
  struct stat info;
  REQUIRE(::stat("/dev/null", &info) == 0);
  CHECK(S_ISCHR(info.st_mode));
}

}  // namespace
}  // namespace hwest::test
