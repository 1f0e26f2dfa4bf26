// Embedding in a server, in the C++ API: workers answer questions about one loaded model at the same time. The graph is
// immutable, so they share it without a lock; a question that takes too long ends before its next stage.
//
//     server_thread MODEL TARGET...
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hwest/analysis.h"

namespace {

constexpr int kWorkers = 4;
constexpr auto kPatience = std::chrono::seconds(60);

struct Question {
  std::string target;
  std::string* answer;  // where the caller waits for it
};

// Questions in the order they came. All are here before the workers begin; a server would wait instead of ending.
class Questions {
 public:
  void Ask(Question question) {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push(std::move(question));
  }

  bool Take(Question* question) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (waiting_.empty()) return false;
    *question = std::move(waiting_.front());
    waiting_.pop();
    return true;
  }

 private:
  std::mutex mutex_;
  std::queue<Question> waiting_;
};

std::string Answer(const std::shared_ptr<const hwest::Graph>& graph, const std::string& target) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  hwest::AnalysisRequest request;
  request.target = target;
  request.watch = [deadline](absl::string_view, size_t, size_t) { return std::chrono::steady_clock::now() < deadline; };
  const absl::StatusOr<hwest::Analysis> analysis = hwest::Analyze(graph, request);
  if (!analysis.ok()) return target + ": " + std::string(analysis.status().message());
  char text[128];
  std::snprintf(text, sizeof text, "%s: %.3f ms, %zu groups", analysis->target->name.c_str(),
                analysis->plan->latency_s * 1e3, analysis->plan->groups.size());
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: server_thread MODEL TARGET...\n");
    return 2;
  }
  const absl::StatusOr<std::shared_ptr<const hwest::Graph>> graph = hwest::LoadModel(argv[1]);
  if (!graph.ok()) {
    std::fprintf(stderr, "server_thread: %s\n", std::string(graph.status().message()).c_str());
    return 1;
  }
  std::vector<std::string> answers(static_cast<size_t>(argc) - 2);
  Questions questions;
  for (size_t i = 0; i < answers.size(); ++i) questions.Ask({argv[i + 2], &answers[i]});
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) {
    workers.emplace_back([&] {
      for (Question question; questions.Take(&question);) *question.answer = Answer(*graph, question.target);
    });
  }
  for (std::thread& worker : workers) worker.join();
  for (const std::string& answer : answers) std::printf("%s\n", answer.c_str());
  return 0;
}
