/* Put before the OpenMP runtime, tells the sanitizer the order that a team keeps: it begins after what its
   maker did before, nobody leaves a barrier before all have come, and its maker goes on after all of it. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void __tsan_acquire(void *), __tsan_release(void *);

typedef void (*Parallel)(void (*)(void *), void *, unsigned, unsigned);
struct team { void (*work)(void *); void *data; };
static _Thread_local struct team *mine;

static void work(void *at) {
    struct team *outer = mine;
    mine = at;
    __tsan_acquire(at);
    mine->work(mine->data);
    __tsan_release(at);
    mine = outer;
}

void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags) {
    struct team team = {function, data};
    __tsan_release(&team);
    ((Parallel)dlsym(RTLD_NEXT, "GOMP_parallel"))(work, &team, threads, flags);
    __tsan_acquire(&team);
}

void GOMP_barrier(void) {
    __tsan_release(mine);
    ((void (*)(void))dlsym(RTLD_NEXT, "GOMP_barrier"))();
    __tsan_acquire(mine);
}

typedef void (*Task)(void (*)(void *), void *, void *, long, long, bool, unsigned, void **, int, void *);
struct task { void (*work)(void *); struct team *team; char data[]; };
static char ended;

static void run(void *at) {
    struct task *task = *(struct task **)at;
    struct team *outer = mine;
    __tsan_acquire(task);
    mine = task->team;
    task->work(task->data);
    __tsan_release(&ended);
    mine = outer;
    free(task);
}

void GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool deferred, unsigned flags, void **depend, int priority, void *detach) {
    struct task *task = malloc(sizeof(struct task) + size);
    task->work = function;
    task->team = mine;
    if (copy) copy(task->data, data);
    else memcpy(task->data, data, size);
    __tsan_release(task);
    Task next = dlsym(RTLD_NEXT, "GOMP_task");
    next(run, &task, 0, sizeof task, sizeof task, deferred, flags, depend, priority, detach);
}

void GOMP_taskwait(void) {
    ((void (*)(void))dlsym(RTLD_NEXT, "GOMP_taskwait"))();
    __tsan_acquire(&ended);
}
