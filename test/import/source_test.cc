#include "import/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "hwest/diagnostic.h"
#include "import/import.h"
#include "support/catch.h"
#include "support/onnx_writer.h"
#include "temp_folder.h"

namespace hwest {
namespace {

using test::TempFolder;

std::string ReadAll(Source& source) {
  std::string bytes(static_cast<size_t>(source.size()), '\0');
  REQUIRE(source.Read(0, source.size(), bytes.data()).ok());
  return bytes;
}

// The reading end of a pipe that holds `bytes`.
int PipeWith(const std::string& bytes) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  close(ends[1]);
  return ends[0];
}

TEST_CASE("Only regular files are opened") {
  const TempFolder folder;
  const std::string pipe_path = (folder / "fifo").string();
  REQUIRE(mkfifo(pipe_path.c_str(), 0600) == 0);
  const absl::StatusOr<Source> directory = Source::OpenFile((folder / "").string());
  REQUIRE_FALSE(directory.ok());
  CHECK(DiagnosticOf(directory.status()).code == Code::kModelMissing);
  CHECK(DiagnosticOf(directory.status()).message == "cannot read '" + (folder / "").string() + "': it is a directory");
  const absl::StatusOr<Source> fifo = Source::OpenFile(pipe_path);
  REQUIRE_FALSE(fifo.ok());
  CHECK(DiagnosticOf(fifo.status()).message == "cannot read '" + pipe_path + "': it is a pipe");
}

TEST_CASE("A missing model names similar files") {
  const TempFolder folder;
  folder.Write("resnet18.onnx", "x");
  const std::string path = (folder / "resnet81.onnx").string();
  const absl::StatusOr<RawModel> model = ReadModelFile(path);
  REQUIRE_FALSE(model.ok());
  const Diagnostic error = DiagnosticOf(model.status());
  CHECK(error.code == Code::kModelMissing);
  CHECK(error.message == "cannot open '" + path + "': No such file or directory");
  CHECK(error.remedy == "check the path; that folder holds resnet18.onnx");
}

TEST_CASE("A pipe is copied, up to the cap") {
  const std::string bytes(10'000, 'b');
  const int small = PipeWith(bytes);
  absl::StatusOr<Source> source = Source::FromDescriptor(small, "standard input", 10'000);
  close(small);
  REQUIRE(source.ok());
  CHECK(ReadAll(*source) == bytes);

  const int large = PipeWith(bytes);
  const absl::StatusOr<Source> refused = Source::FromDescriptor(large, "standard input", 9'999);
  close(large);
  REQUIRE_FALSE(refused.ok());
  CHECK(DiagnosticOf(refused.status()).code == Code::kModelRefused);
}

TEST_CASE("A stream that is no model is refused by its first bytes") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], std::string(200, 'b').data(), 200) == 200);  // and the writer never ends
  const absl::StatusOr<Source> refused =
      Source::FromDescriptor(ends[0], "standard input", 1 << 20, [](absl::string_view head, absl::string_view) {
        return head == std::string(128, 'b') ? absl::InvalidArgumentError("no model") : absl::OkStatus();
      });
  CHECK(refused.status().message() == "no model");
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("Standard input that is a pipe can be read again") {
  const int own = dup(STDIN_FILENO), pipe = PipeWith("0123456789"), other = PipeWith("other");
  std::vector<std::string> read;
  for (const int input : {pipe, pipe, other}) {
    REQUIRE(dup2(input, STDIN_FILENO) == STDIN_FILENO);
    absl::StatusOr<Source> source = Source::StandardInput(100, nullptr);
    REQUIRE(source.ok());
    read.push_back(ReadAll(*source));
  }
  dup2(own, STDIN_FILENO);
  for (const int fd : {own, pipe, other}) close(fd);
  CHECK(read == std::vector<std::string>{"0123456789", "0123456789", "other"});
}

TEST_CASE("A redirected file is read in place") {
  const TempFolder folder;
  const std::string path = folder.Write("x", "0123456789");
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  absl::StatusOr<Source> whole = Source::FromDescriptor(fd, "standard input", 1);
  REQUIRE(whole.ok());
  CHECK(ReadAll(*whole) == "0123456789");
  REQUIRE(lseek(fd, 4, SEEK_SET) == 4);
  absl::StatusOr<Source> rest = Source::FromDescriptor(fd, "standard input", 100);
  REQUIRE(rest.ok());
  CHECK(ReadAll(*rest) == "456789");
  close(fd);
}

TEST_CASE("The same model reads from a file and from memory") {
  const TempFolder folder;
  const std::string bytes =
      test::ModelFromText("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }");
  const absl::StatusOr<RawModel> file = ReadModelFile(folder.Write("m.onnx", bytes));
  const absl::StatusOr<RawModel> memory = ReadModelMemory(bytes, "m");
  REQUIRE(file.ok());
  REQUIRE(memory.ok());
  for (const RawModel* model : {&*file, &*memory}) {
    REQUIRE(model->graph.nodes.size() == 1);
    CHECK(model->strings[model->graph.nodes[0].op] == "Relu");
    CHECK(model->file_bytes == static_cast<int64_t>(bytes.size()));
  }
}

}  // namespace
}  // namespace hwest
