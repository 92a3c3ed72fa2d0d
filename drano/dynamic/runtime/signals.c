/* The profile of a program that does not end by itself: signals, abort and _exit.
 *
 * Handlers are only put where the program (or who started it) left the default; afterwards the signal
 * does what it would have done.
 */
#include "drano_runtime.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct { int number; const char *name; } caught[] = {
    {SIGINT, "SIGINT"},   {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGABRT, "SIGABRT"},
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"},
    {SIGALRM, "SIGALRM"}, {SIGXCPU, "SIGXCPU"},
};

static void handler(int number) {
  const char *name = "signal";
  for (size_t k = 0; k < sizeof caught / sizeof *caught; k++)
    if (caught[k].number == number) name = caught[k].name;
  atomic_store(&drano_stopping, 1);
  const drano_warp *w = drano_current_warp;
  if (w != NULL && (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL))
    drano_say("error: %s in kernel %s, block (%d,%d,%d)", name, w->block->launch->kernel->name,
              w->block->block_idx.x, w->block->block_idx.y, w->block->block_idx.z);
  drano_write_profile(name);
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(number);
}

void drano_install_handlers(void) {
  static char stack[1 << 16]; /* for the overflow of the main thread's */
  stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternative, NULL);
  for (size_t k = 0; k < sizeof caught / sizeof *caught; k++) {
    struct sigaction old, action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_ONSTACK;
    if (sigaction(caught[k].number, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
        old.sa_handler == SIG_DFL)
      sigaction(caught[k].number, &action, NULL);
  }
}

/* In place of the C library's: they run no exit handlers. */
__attribute__((noreturn)) void _exit(int status) {
  drano_write_profile("_exit");
  for (;;) syscall(SYS_exit_group, status);
}

__attribute__((noreturn)) void _Exit(int status) { _exit(status); }
