// The first screen and the table of fallbacks, on accelerators that refuse nodes and on rates.
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "report/report.h"
#include "report_fixture.h"
#include "support/golden.h"
#include "support/graphs.h"

namespace hwest::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

std::string TextOf(const std::string& target, const std::string& model, const std::string& node = "",
                   std::optional<int64_t> batch = std::nullopt) {
  AnalysisRequest request;
  request.target = target;
  request.bind.batch = batch;
  const auto analysis = Analyze(std::make_shared<const Graph>(GraphFromText(model)), request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  const ReportKind kind = node.empty() ? ReportKind::kAnalysis : ReportKind::kExplain;
  std::string text = ReportText(*analysis, kind, {.model_path = "m.onnx"}, {.node = node});
  // Tables break lines.
  std::string joined;
  for (const char c : text) {
    const char put = c == '\n' ? ' ' : c;
    if (put != ' ' || joined.empty() || joined.back() != ' ') joined += put;
  }
  return joined;
}

constexpr char kQuantised[] = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[1, 3, 32, 32] x) => (y)
<float s = {0.1}, uint8 z = {0}, int8[2, 3, 1, 1] w = {1, 2, 3, 4, 5, 6}, int8 zw = {0}> {
  q = QuantizeLinear(x, s, z)
  d = DequantizeLinear(q, s, z)
  f = DequantizeLinear(w, s, zw)
  c = Conv(d, f)
  qc = QuantizeLinear(c, s, z)
  y = DequantizeLinear(qc, s, z)
})";

// Five dims: more than an Edge TPU takes.
constexpr char kVolume[] = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[1, 3, 8, 8, 8] x) => (y) <float[2, 3, 1, 1, 1] w = {1, 2, 3, 4, 5, 6}> {
  c = Conv(x, w)
  y = Relu(c)
})";

TEST_CASE("a fused group names the operator that is refused") {
  CHECK_THAT(TextOf("coral-usb", kVolume), Contains("edgetpu: Conv: rank of "));
  CHECK_THAT(TextOf("coral-usb", kVolume, "y"), Contains("its group does not run there: "));
}

// ONNX Runtime has vector code for the first and none for the second.
constexpr char kSlow[] = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[1, 8, 64, 64] x) => (y) <float[8, 1, 1] s = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}> {
  n = Neg(x)
  y = PRelu(n, s)
})";

TEST_CASE("reports say where a kernel is slow because the runtime has no fast code for it") {
  const std::string words =
      "PRelu takes 9 cycles of a core an element in onnxruntime-cpu, most of its kernel's time: 14 on random numbers, "
      "whose signs no branch foresees, a few where they are alike (derived: ort-timed)";
  CHECK_THAT(TextOf("x86-avx512", kSlow), Contains("- " + words + " (1 group)"));
  CHECK_THAT(TextOf("x86-avx512", kSlow, "y"), Contains(words));
  CHECK_THAT(TextOf("x86-avx512", kSlow, "n"), !Contains("cycles of a core"));
  CHECK_THAT(TextOf("jetson-orin", kSlow), !Contains("cycles of a core"));
}

TEST_CASE("the first screen says that nothing runs on the accelerator") {
  const std::string text = TextOf("coral-usb", kVolume);
  const size_t idle = text.find("Nothing runs on edgetpu: edgetpu refuses ");
  CHECK(idle != std::string::npos);
  CHECK(idle < text.find("Latency"));
  CHECK_THAT(TextOf("x86-avx2", kQuantised), !Contains("Nothing runs on"));
}

TEST_CASE("rates have the unit of what the model makes") {
  const std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17]> g (int64[1, 4] ids) => (y) { s = Constant<value = "
      "int64[2] {1000, 64}>()  w = ConstantOfShape(s)  e = Gather(w, ids)  ";
  CHECK_THAT(TextOf("x86-avx2", text + "y = Relu(e) }"), Contains(" inferences/s"));
  CHECK_THAT(TextOf("x86-avx2", text + "t = Transpose(w)  y = MatMul(e, t) }"),
             Contains(" tokens/s") && Contains("of a prompt: 4 tokens processed every "));
  CHECK_THAT(TextOf("x86-avx2", kQuantised), Contains(" FPS"));
}

TEST_CASE("a rate above one over the latency says what goes on meanwhile") {
  const std::string conv =
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1, 3, 32, 32] x) => (y) "
      "<float[2, 3, 1, 1] w = {1, 2, 3, 4, 5, 6}> { y = Conv(x, w) }";
  CHECK_THAT(TextOf("rtx-4090", conv, "", 4),
             Contains(" a batch of 4 every ") && Contains(", the next inputs are copied meanwhile"));
  // What one input takes, below the latency and the energy of the batch.
  const std::string text = TextOf("rtx-4090", conv, "", 4);
  const std::vector<std::string> parts = absl::StrSplit(text, " above: the batch of 4 ");
  REQUIRE(parts.size() == 3);
  CHECK_THAT(parts[0], Contains(" per input ") && EndsWith("s"));
  CHECK_THAT(parts[1], Contains(" per input ") && EndsWith("J"));
  CHECK_THAT(TextOf("rtx-4090", conv), !Contains("per input"));
  CHECK_THAT(TextOf("hailo-8", conv), Contains(" a result every ") && Contains(", inferences overlap"));
  CHECK_THAT(TextOf("jetson-orin", conv),
             Contains(" a result every ") && !Contains("meanwhile") && !Contains("overlap"));
}

TEST_CASE("a file with packed 4-bit weights is called int4") {
  std::string bytes = "1";
  for (int i = 1; i < 32; ++i) bytes += ", 1";
  const std::string text =
      TextOf("jetson-orin",
             "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]> g (float[1, 64] x) => (y) <uint8[1, 2, "
             "16] w = {" +
                 bytes +
                 "}, float[2] s = {1, 1}> { y = com.microsoft.MatMulNBits<K = 64, N = 1, bits = 4, "
                 "block_size = 32>(x, w, s) }");
  CHECK_THAT(text, Contains("file is int4 weights"));
}

}  // namespace
}  // namespace hwest::test
