// The fuzzing engine's side: `onnx-hwest-fuzz --entry=NAME [libFuzzer options] [corpus]`, and
// `onnx-hwest-fuzz --entry=ops --model=OUT.onnx CHOICES` to write the model that choices make, for keeping it. A copy
// called hwest_NAME needs no --entry.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/strip.h"
#include "fuzz/byte_model.h"
#include "fuzz/entries.h"

namespace {

const hwest::test::Entry* g_entry = nullptr;  // the engine hands no state to the function it calls

[[noreturn]] void WriteModel(const std::string& out, const char* choices) {
  std::ifstream in(choices, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  std::ofstream(out, std::ios::binary) << hwest::test::ModelOfBytes(bytes);
  std::exit(0);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  absl::string_view program = (*argv)[0];
  program.remove_prefix(program.rfind('/') + 1);
  if (absl::ConsumePrefix(&program, "hwest_")) g_entry = hwest::test::FindEntry(program);
  for (int i = 1; i < *argc; ++i) {
    absl::string_view word = (*argv)[i];
    if (absl::ConsumePrefix(&word, "--entry=")) g_entry = hwest::test::FindEntry(word);
    if (absl::ConsumePrefix(&word, "--model=")) WriteModel(std::string(word), (*argv)[*argc - 1]);
  }
  if (g_entry != nullptr) return 0;
  std::fprintf(stderr, "name an entry with --entry=NAME:\n");
  for (const hwest::test::Entry& entry : hwest::test::Entries()) {
    std::fprintf(stderr, "  %-12s %s\n", std::string(entry.name).c_str(), std::string(entry.bytes_are).c_str());
  }
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  g_entry->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
