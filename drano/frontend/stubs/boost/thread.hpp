/* Stands in for Boost's threads. */
#pragma once
#include <boost/drano_boost.h>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
namespace boost {
class thread_interrupted {};
class thread : public std::thread {
  public:
    using std::thread::thread;
    void interrupt();
    bool interruption_requested() const;
    template <class D> bool timed_join(const D &);
};
class thread_group {
  public:
    template <class F> thread *create_thread(F);
    void add_thread(thread *);
    void join_all();
    void interrupt_all();
};
namespace this_thread {
using namespace std::this_thread;
void interruption_point();
bool interruption_requested();
template <class D> void sleep(const D &);
}
template <class T> class thread_specific_ptr {
  public:
    thread_specific_ptr();
    explicit thread_specific_ptr(void (*)(T *));
    T *get() const;
    T *operator->() const;
    T &operator*() const;
    T *release();
    void reset(T * = nullptr);
};
class mutex : public std::mutex {
  public:
    typedef std::unique_lock<std::mutex> scoped_lock;
    typedef std::unique_lock<std::mutex> scoped_try_lock;
};
class recursive_mutex : public std::recursive_mutex {
  public:
    typedef std::unique_lock<std::recursive_mutex> scoped_lock;
};
class barrier {
  public:
    explicit barrier(unsigned);
    bool wait();
};
using std::call_once;
using std::condition_variable;
using std::condition_variable_any;
using std::lock_guard;
using std::once_flag;
using std::shared_lock;
using std::shared_mutex;
using std::unique_lock;
}
