/* What the program names of POSIX and WASI has not, included before every file of a WebAssembly build (-include). Each
   function fails as if the system refused it (posix.c), which the program has words for. */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef O_TMPFILE
#define O_TMPFILE 0
#endif
#ifndef F_DUPFD_CLOEXEC
#define F_DUPFD_CLOEXEC 1030
#endif
#ifndef P_tmpdir
#define P_tmpdir "/tmp"
#endif
#ifndef TIOCGWINSZ
#define TIOCGWINSZ 0x5413
#endif
#ifndef SIGINT
#define SIGINT 2
#endif
#ifndef SA_RESTART
#define SA_RESTART 0x10000000
#endif
#ifndef SIG_BLOCK
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#endif

#ifdef __cplusplus
extern "C" {
#endif
struct winsize {
  unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};
struct sigaction {
  void (*sa_handler)(int);
  sigset_t sa_mask;
  int sa_flags;
};
typedef struct {
  const char* dli_fname;
  void* dli_fbase;
  const char* dli_sname;
  void* dli_saddr;
} Dl_info;

int sigemptyset(sigset_t* set);
int sigaddset(sigset_t* set, int number);
int sigaction(int number, const struct sigaction* action, struct sigaction* before);
int pthread_sigmask(int how, const sigset_t* set, sigset_t* before);
int dladdr(const void* at, Dl_info* info);
int mkostemp(char* path, int flags);
char* mkdtemp(char* path);
int pipe2(int ends[2], int flags);
int dup(int fd);
int dup2(int fd, int to);
FILE* popen(const char* command, const char* mode);
int pclose(FILE* file);
#ifdef __cplusplus
}
#endif
