// Payloads: where the elements of an initialiser of the file lie, and new elements computed from them in a stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/type.h"
#include "rewrite/model_file.h"

namespace hwest {

// Takes the next bytes.
using ByteSink = absl::FunctionRef<absl::Status(absl::string_view)>;

// Payload is a range of raw elements, little endian.
struct Payload {
  std::string path;  // of the file with external data; empty = the model file
  int64_t offset = 0;
  int64_t length = 0;
};

// The payload of initialiser `index`; none when the file holds its elements in typed fields of another layout, or the
// external file is missing or too short.
std::optional<Payload> FindPayload(const ModelFile& file, size_t initializer, ElemType elem, int64_t bytes);

// Derived says what a new constant is computed from: the elements of an initialiser, in their order, element i times
// `factors[i / inner % factors.size()]`. Without factors the elements are the same, under other dims; with an `order`
// element i of each run of as many elements is the run's element order[i]. Elements that move by 128 are integers of
// 8 bits, which become those of the other sign.
struct Derived {
  Payload payload;
  ElemType elem = ElemType::kUndefined;
  std::vector<double> factors;
  int64_t inner = 1;
  std::vector<int32_t> order;
  bool moves_by_128 = false;
};

// CopyRange hands `length` bytes of `source` on, in pieces.
absl::Status CopyRange(Source& source, int64_t offset, int64_t length, ByteSink sink);
// WriteDerived computes the elements, as many bytes as the payload has.
absl::Status WriteDerived(const ModelFile& file, const Derived& derived, ByteSink sink);
// The elements of a payload as numbers: binary32, binary16 and bfloat16. Errors: those of reading.
absl::StatusOr<std::vector<double>> ReadNumbers(const ModelFile& file, const Payload& payload, ElemType elem);

// Bytes of one element at `bytes`, as a number, and back. Types as above.
double NumberAt(const char* bytes, ElemType elem);
void AppendNumber(double number, ElemType elem, std::string* out);
// The lowest `bits` of an integer, a multiple of 8, as a tensor holds them.
void AppendInt(int64_t value, int bits, std::string* out);
bool HoldsNumbers(ElemType elem);

}  // namespace hwest
