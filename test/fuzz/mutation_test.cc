// The mutation driver finds planted bugs, and finds the same ones again.
#include "fuzz/mutation.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "absl/strings/match.h"
#include "fuzz/campaign.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

void AbortOnShout(absl::string_view bytes) {
  if (absl::StrContains(bytes, "9223372036854775807")) std::abort();
}
void SleepOnLong(absl::string_view bytes) {
  while (bytes.size() > 12) pause();
}
void LeaveOnEmpty(absl::string_view bytes) {
  if (bytes.empty()) _exit(3);
}
void Survive(absl::string_view) {}

CampaignResult Campaign(void (*run)(absl::string_view), int64_t executions) {
  return RunCampaign({"own", "", "", run}, {"scale: 12"}, {"word"},
                     {.seconds = 60, .executions = executions, .seed = 7, .limit_s = 1});
}

TEST_CASE("a campaign keeps the input that a process did not survive, however it ended") {
  const CampaignResult aborted = Campaign(AbortOnShout, 100000);
  REQUIRE(aborted.finding.has_value());
  CHECK(absl::StrContains(aborted.finding->input, "9223372036854775807"));
  CHECK(absl::StrContains(aborted.finding->how, "signal 6"));
  const CampaignResult again = Campaign(AbortOnShout, 100000);
  REQUIRE(again.finding.has_value());
  CHECK(again.finding->input == aborted.finding->input);
  CHECK(again.executions == aborted.executions);

  const CampaignResult slow = Campaign(SleepOnLong, 100000);
  REQUIRE(slow.finding.has_value());
  CHECK(slow.finding->input.size() > 12);
  CHECK(slow.finding->how == "took more than 1 s");

  const CampaignResult left = Campaign(LeaveOnEmpty, 100000);
  REQUIRE(left.finding.has_value());
  CHECK(left.finding->input.empty());
  CHECK(left.finding->how == "ended with status 3");
}

TEST_CASE("a campaign without a finding runs as often as it was asked to") {
  const CampaignResult result = Campaign(Survive, 1000);
  CHECK(result.executions == 1000);
  CHECK(!result.finding.has_value());
}

TEST_CASE("fields of protocol buffers are changed with the lengths around them") {
  // A message of a number and of a message with text.
  const std::string message("\x08\x05\x12\x08\x0a\x06inside", 12);
  Mutator mutator({message}, {}, 3);
  int longer = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string changed = mutator.Next();
    // Larger inside, and both lengths say so.
    if (changed.size() < 5 || changed.substr(0, 3) != message.substr(0, 3) || changed[4] != '\x0a') continue;
    const size_t outer = static_cast<unsigned char>(changed[3]), inner = static_cast<unsigned char>(changed[5]);
    longer += outer > 8 && outer < 128 && outer == inner + 2 && changed.size() == outer + 4;
  }
  CHECK(longer > 100);
}

TEST_CASE("an input is changed within its bound, with parts of remembered ones") {
  Mutator mutator({}, {}, 5);
  mutator.Remember("remembered");
  int lent = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string changed = mutator.Changed("01234567", 10);
    CHECK(changed.size() <= 10);
    lent += absl::StrContains(changed, "member");
  }
  CHECK(lent > 10);
}

TEST_CASE("words of a dictionary") {
  const std::vector<std::string> words = ParseDictionary("# no\n\"\\x08\\xff\"\n\"Shape\"\n");
  REQUIRE(words.size() == 2);
  CHECK(words[0] == "\x08\xff");
  CHECK(words[1] == "Shape");
}

}  // namespace
}  // namespace hwest::test
