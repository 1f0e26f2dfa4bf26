/* The functions of posix.h. */
#include "posix.h"

#include <spawn.h>
#include <sys/wait.h>

static int Refused(void) {
  errno = ENOSYS;
  return -1;
}

int sigemptyset(sigset_t* set) {
  (void)set;
  return 0;
}
int sigaddset(sigset_t* set, int number) {
  (void)set, (void)number;
  return 0;
}
int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  (void)number, (void)action, (void)before;
  return Refused();
}
int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
  (void)how, (void)set, (void)before;
  return 0;
}
int dladdr(const void* at, Dl_info* info) {
  (void)at, (void)info;
  return 0;
}
int mkostemp(char* path, int flags) {
  (void)path, (void)flags;
  return Refused();
}
char* mkdtemp(char* path) {
  (void)path;
  Refused();
  return 0;
}
int pipe2(int ends[2], int flags) {
  (void)ends, (void)flags;
  return Refused();
}
int dup(int fd) {
  (void)fd;
  return Refused();
}
int dup2(int fd, int to) {
  (void)fd, (void)to;
  return Refused();
}
FILE* popen(const char* command, const char* mode) {
  (void)command, (void)mode;
  Refused();
  return 0;
}
int pclose(FILE* file) {
  (void)file;
  return Refused();
}
pid_t waitpid(pid_t process, int* status, int flags) {
  (void)process, (void)status, (void)flags;
  return Refused();
}
int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
  (void)process, (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
  return ENOSYS;
}
int posix_spawnp(pid_t* process, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
  return posix_spawn(process, file, actions, attributes, arguments, environment);
}
int posix_spawn_file_actions_init(posix_spawn_file_actions_t* actions) {
  (void)actions;
  return 0;
}
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t* actions) {
  (void)actions;
  return 0;
}
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t* actions, int from, int to) {
  (void)actions, (void)from, (void)to;
  return 0;
}
