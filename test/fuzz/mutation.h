// Mutation: changed copies of given inputs, as hostile and as careless users make them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hwest::test {

// Mutator makes one input after the other; the same seed and the same inputs make the same ones. Inputs that parse as
// protocol buffers are also changed field by field, so that the lengths around a change stay true.
class Mutator {
 public:
  // `words` are put into inputs as they are. `inputs` may be empty.
  Mutator(std::vector<std::string> inputs, std::vector<std::string> words, uint64_t seed);

  std::string Next();
  // One to six changes of `bytes`; what grows beyond `most_bytes` is cut.
  std::string Changed(std::string bytes, size_t most_bytes);
  // Lends parts of `input` to others from now on; of many such inputs an older one is forgotten.
  void Remember(absl::string_view input);

 private:
  size_t Below(size_t count);  // of 0..count - 1; 0 for none
  const std::string& AnyInput();
  std::string Piece();  // something to put in
  void ChangeBytes(std::string* bytes);
  void ChangeNumber(std::string* bytes);
  void ChangeLines(std::string* bytes);
  void ChangeFields(std::string* bytes);

  std::vector<std::string> inputs_;
  std::vector<std::string> words_;
  std::mt19937_64 random_;
};

// The words of a libFuzzer dictionary: "..." on each line, with \xNN.
std::vector<std::string> ParseDictionary(absl::string_view text);

}  // namespace hwest::test
