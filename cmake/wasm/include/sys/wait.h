/* POSIX's header, which WASI lacks: there is no process to wait for. */
#pragma once
#include <sys/types.h>

#define WNOHANG 1
#define WTERMSIG(status) ((status) & 0x7f)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WIFSIGNALED(status) (!WIFEXITED(status))

#ifdef __cplusplus
extern "C"
#endif
    pid_t waitpid(pid_t process, int* status, int flags);
