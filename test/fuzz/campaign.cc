#include "fuzz/campaign.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "fuzz/mutation.h"

namespace hwest::test {
namespace {

constexpr size_t kMostBytes = size_t{1} << 20;    // of an input
constexpr rlim_t kMemoryBytes = rlim_t{4} << 30;  // for the process

// Shared lies in memory that both processes see, so that the input is there however the other one ended.
struct Shared {
  int64_t executions;
  size_t size;
  char input[kMostBytes];
};

void Limit(int resource, rlim_t most) {
  const rlimit limit = {.rlim_cur = most, .rlim_max = most};
  setrlimit(resource, &limit);
}

[[noreturn]] void Run(const Entry& entry, Mutator mutator, const CampaignOptions& options, Shared* shared) {
  std::signal(SIGABRT, SIG_DFL);  // a test's own handler would print and go on
  Limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  Limit(RLIMIT_AS, kMemoryBytes);  // the shadow of a sanitizer is larger
#endif
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
  while (shared->executions < options.executions && Clock::now() < end) {
    std::string input = mutator.Next();
    if (input.size() > kMostBytes) input.resize(kMostBytes);
    std::memcpy(shared->input, input.data(), input.size());
    shared->size = input.size();
    alarm(options.limit_s);
    entry.run(input);
    ++shared->executions;
  }
  _exit(0);
}

std::string EndOf(int status, unsigned limit_s) {
  if (WIFEXITED(status)) return absl::StrCat("ended with status ", WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGALRM) return absl::StrCat("took more than ", limit_s, " s");
  return absl::StrCat("ended with signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
}

}  // namespace

CampaignResult RunCampaign(const Entry& entry, std::vector<std::string> inputs, std::vector<std::string> words,
                           const CampaignOptions& options) {
  void* mapped = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    std::perror("mmap");
    std::exit(2);
  }
  auto* shared = static_cast<Shared*>(mapped);
  std::fflush(nullptr);  // or both processes write what is buffered
  const pid_t child = fork();
  if (child == 0) Run(entry, Mutator(std::move(inputs), std::move(words), options.seed), options, shared);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    std::perror("fork");
    std::exit(2);
  }
  CampaignResult result{.executions = shared->executions, .finding = std::nullopt};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    result.finding = Finding{std::string(shared->input, shared->size), EndOf(status, options.limit_s)};
  }
  munmap(mapped, sizeof(Shared));
  return result;
}

}  // namespace hwest::test
