/* POSIX's header, which WASI lacks, for a program that has no other program to start. */
#pragma once
#include <sys/types.h>

typedef struct {
  int unused;
} posix_spawn_file_actions_t;
typedef struct {
  int unused;
} posix_spawnattr_t;

#ifdef __cplusplus
extern "C" {
#endif
int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment);
int posix_spawnp(pid_t* process, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t* actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t* actions);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t* actions, int from, int to);
#ifdef __cplusplus
}
#endif
