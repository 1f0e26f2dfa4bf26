#include "report/deflate.h"

#include <zlib.h>

#include <array>

#include "absl/strings/escaping.h"
#include "base/status_macros.h"

namespace hwest {
namespace {

constexpr int kRaw = -MAX_WBITS;  // without zlib's header
constexpr int kMemoryLevel = 9;
constexpr size_t kBufferBytes = 64 * 1024;
constexpr size_t kTriple = 3;  // bytes that make four letters

}  // namespace

struct DeflatedWriter::Stream {
  z_stream z = {};
  bool is_ready = false;
};

DeflatedWriter::DeflatedWriter(Sink sink) : sink_(sink), stream_(std::make_unique<Stream>()) {
  stream_->is_ready =
      deflateInit2(&stream_->z, Z_BEST_COMPRESSION, Z_DEFLATED, kRaw, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK;
}

DeflatedWriter::~DeflatedWriter() {
  if (stream_->is_ready) deflateEnd(&stream_->z);
}

absl::Status DeflatedWriter::Write(absl::string_view bytes) {
  HWEST_RETURN_IF_ERROR(Deflate(bytes, false));
  return packed_.size() < kBufferBytes ? absl::OkStatus() : Encode(false);
}

absl::Status DeflatedWriter::Finish() {
  HWEST_RETURN_IF_ERROR(Deflate("", true));
  return Encode(true);
}

absl::Status DeflatedWriter::Deflate(absl::string_view bytes, bool is_last) {
  if (!stream_->is_ready) return absl::ResourceExhaustedError("no memory to compress a report");
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  std::array<char, kBufferBytes> buffer;
  do {
    z.next_out = reinterpret_cast<Bytef*>(buffer.data());
    z.avail_out = buffer.size();
    deflate(&z, is_last ? Z_FINISH : Z_NO_FLUSH);
    packed_.append(buffer.data(), buffer.size() - z.avail_out);
  } while (z.avail_out == 0);
  return absl::OkStatus();
}

// Encodes whole triples, so that the next letters continue the last ones.
absl::Status DeflatedWriter::Encode(bool is_last) {
  const size_t size = is_last ? packed_.size() : packed_.size() / kTriple * kTriple;
  const std::string letters = absl::Base64Escape(absl::string_view(packed_).substr(0, size));
  packed_.erase(0, size);
  return letters.empty() ? absl::OkStatus() : sink_(letters);
}

}  // namespace hwest
