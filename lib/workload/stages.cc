// The library of stages before and after a network, and stages as users state them.
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/text.h"
#include "hwest/capacity.h"
#include "workload/quantity.h"

namespace hwest {
namespace {

constexpr double kFullHd = 1920.0 * 1080.0;
constexpr double kMostSide = 65536;

// Of a picture in 4:2:0: written once, and about twice as much read as references; of JPEG written alone.
constexpr double kVideoBytes = 4.5;
constexpr double kPictureBytes = 1.5;

NamedStage Decode(const std::string& codec, const std::string& title) {
  const bool is_video = codec != "jpeg";
  return {.stage = {.name = codec,
                    .codec = codec,
                    .pixels = kFullHd,
                    .bytes = kFullHd * (is_video ? kVideoBytes : kPictureBytes),
                    .figure = is_video ? "4.5 bytes of traffic a pixel: 1.5 written, twice that read as references"
                                       : "1.5 bytes of traffic a pixel, written in 4:2:0",
                    .trust = Trust::kEstimated},
          .meaning = absl::StrCat(title, " in the decoder of the target, as its file states it")};
}

std::vector<NamedStage> AllStages() {
  std::vector<NamedStage> rows = {Decode("h264", "H.264"), Decode("h265", "H.265"), Decode("av1", "AV1"),
                                  Decode("vp9", "VP9"), Decode("jpeg", "JPEG")};
  // Measured with OpenCV 4 on one core of an AMD EPYC at 2.6 GHz, median of 60.
  rows.push_back({.stage = {.name = "resize",
                            .pixels = kFullHd,
                            .cycles = 4.5e6,
                            .is_vector = true,
                            .bytes = kFullHd * 7.5 + 640.0 * 640 * 6,
                            .figure = "1.75 ms of one x86 core at 2.6 GHz with AVX2, OpenCV 4",
                            .trust = Trust::kMeasured},
                  .meaning = "NV12 to RGB, to 640 wide, and a border, in 8 bit on a CPU core; cycles by pixel that it "
                             "reads"});
  rows.push_back({.stage = {.name = "nms",
                            .cycles = 4.9e5,
                            .bytes = 84.0 * 8400 * 4,
                            .figure = "0.19 ms of one x86 core at 2.6 GHz, NumPy and OpenCV 4",
                            .trust = Trust::kMeasured},
                  .meaning = "best class of 8400 boxes of 80 classes, and NMS of the 150 that remain, on a CPU core"});
  rows.push_back({.stage = {.name = "track",
                            .cycles = 9.6e6,
                            .figure = "SORT (Bewley 2016): 260 frames a second on one Core i7 at 2.5 GHz, in Python",
                            .trust = Trust::kRecalled},
                  .meaning = "Kalman filters and assignment of a crowd, on a CPU core; one in C++ takes less"});
  return rows;
}

absl::Status BadStage(absl::string_view text) {
  std::vector<std::string> names;
  for (const NamedStage& row : CapacityStages()) names.push_back(row.stage.name);
  return MakeError(Code::kUsage, absl::StrCat("'", EscapeControl(text), "' is no stage"),
                   absl::StrCat("write one of ", absl::StrJoin(names, ", "),
                                ", with @WIDTHxHEIGHT where it is not 1920x1080, or NAME=TIME of a CPU core, "
                                "e.g. planner=2ms"));
}

}  // namespace

const std::vector<NamedStage>& CapacityStages() {
  static const auto* const kStages = new std::vector<NamedStage>(AllStages());
  return *kStages;
}

absl::StatusOr<CapacityStage> ParseCapacityStage(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> stated = absl::StrSplit(text, absl::MaxSplits('=', 1));
  if (text.find('=') != absl::string_view::npos) {
    const std::optional<Fraction> time = ReadTime(stated.second);
    if (stated.first.empty() || !time.has_value()) return BadStage(text);
    return CapacityStage{
        .name = std::string(stated.first), .time_s = time->value(), .figure = "as stated in the command"};
  }
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(text, absl::MaxSplits('@', 1));
  for (const NamedStage& row : CapacityStages()) {
    if (row.stage.name != parts.first) continue;
    CapacityStage stage = row.stage;
    if (text.find('@') == absl::string_view::npos) return stage;
    const std::pair<absl::string_view, absl::string_view> sides = absl::StrSplit(parts.second, absl::MaxSplits('x', 1));
    int64_t width = 0, height = 0;
    const bool is_size = absl::SimpleAtoi(sides.first, &width) && absl::SimpleAtoi(sides.second, &height) &&
                         width > 0 && height > 0 && width <= kMostSide && height <= kMostSide;
    if (!is_size || stage.pixels <= 0) return BadStage(text);
    const double factor = static_cast<double>(width) * static_cast<double>(height) / stage.pixels;
    stage.name = std::string(text);
    stage.pixels *= factor;
    stage.cycles *= factor;
    stage.bytes *= factor;
    return stage;
  }
  return BadStage(text);
}

}  // namespace hwest
