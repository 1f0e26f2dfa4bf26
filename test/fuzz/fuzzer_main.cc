// The fuzzing engine's side: `onnx-hwest-fuzz --entry=NAME [libFuzzer options] [corpus]`, and
// `onnx-hwest-fuzz --entry=ops --model=OUT.onnx CHOICES` to save the model that the choices make. A copy called
// hwest_NAME needs no --entry.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/strip.h"
#include "fuzz/byte_model.h"
#include "fuzz/entries.h"
#include "fuzz/mutation.h"

namespace {

const hwest::test::Entry* g_entry = nullptr;  // the engine hands no state to the function it calls

[[noreturn]] void WriteModel(const std::string& out, const char* choices) {
  std::ifstream in(choices, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  std::ofstream(out, std::ios::binary) << hwest::test::ModelOfBytes(bytes);
  std::exit(0);
}

hwest::test::Mutator& TheMutator() {
  static auto& mutator = *new hwest::test::Mutator({}, {}, 1);
  return mutator;
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

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

// Every second input is changed by fields, numbers and lines, so that lengths around a change stay true; the engine,
// with its dictionary and the comparisons it saw, changes the others.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const absl::string_view given(reinterpret_cast<const char*>(data), size);
  if (seed % 16 == 1) TheMutator().Remember(given);
  const std::string changed = TheMutator().Changed(std::string(given), max_size);
  if (!changed.empty()) std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
