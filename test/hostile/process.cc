#include "hostile/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "support/catch.h"

namespace hwest::test {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Exec(const Plan& plan, const std::string& err) {
  const auto redirect = [](const std::string& path, int flags, int to) {
    ::dup2(::open(path.c_str(), flags, 0600), to);
  };
  redirect(plan.in, O_RDONLY, 0);
  redirect(plan.out, O_WRONLY | O_CREAT, 1);
  redirect(err, O_WRONLY | O_CREAT, 2);
  plan.before_exec();
  std::vector<char*> argv = {const_cast<char*>("onnx-hwest")};
  for (const std::string& arg : plan.args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  ::execv(HWEST_PROGRAM, argv.data());
  ::_exit(127);
}

}  // namespace

End RunProcess(const TempFolder& folder, const Plan& plan) {
  const std::string err = (folder / "err").string();
  fs::remove(err);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) Exec(plan, err);
  plan.meanwhile(child);
  int status = 0;
  struct rusage usage = {};
  ::wait4(child, &status, 0, &usage);
  End end;
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::FILE* file = std::fopen(err.c_str(), "r");
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) end.err += static_cast<char>(c);
  std::fclose(file);
  end.max_rss_bytes = usage.ru_maxrss * int64_t{1024};
  for (const timeval& part : {usage.ru_utime, usage.ru_stime}) {
    end.cpu_s += static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) * 1e-6;
  }
  return end;
}

}  // namespace hwest::test
