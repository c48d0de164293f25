// Programs that end in every way there is; the first argument names one.

#include "support.hpp"

#include <chrono>
#include <clocale>
#include <csignal>
#include <functional>
#include <iostream>
#include <map>
#include <thread>

namespace {

// Uses a device before main and after it.
struct static_user {
  queue q;
  int *p = allocate<int>(64);
  static_user() { wait_for(q.launch("fill", fill_object{p, 1}, {64})); }
  ~static_user() {
    wait_for(q.launch("fill", fill_object{p, p[3] + 1}, {64}));
    std::printf("last: %d\n", p[3]);
    check(table().usm_free(p));
  }
};
#ifdef HELLO
// What the process prints that loads a program.
const int hello = std::printf("Python was here\n");
const int flushed = std::fflush(stdout);
#endif
static_user user;

std::vector<std::string> words;

int arguments() {
  std::string line;
  std::getline(std::cin, line);
  for (const auto &word : words)
    std::cout << '[' << word << ']';
  std::cout << line << std::endl;
  std::cerr << "and an error" << std::endl;
  std::cout << std::setlocale(LC_ALL, nullptr) << std::endl;
  return 3;
}

int exit_in_main() { std::exit(4); }

int exit_in_thread() {
  std::thread([] { std::exit(5); }).join();
  return 0;
}

int leave_without_waiting() {
  static queue q;
  queue gone;
  for (const queue *each : {&q, &gone})
    std::thread([first = new running_kernel(*each)] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50)); // main has most likely ended
      first->end();
    }).detach();
  return 6;
}

int throw_something() { throw std::runtime_error("nobody catches this"); }

int throw_from_the_runtime() {
  check(table().queue_wait(4711));
  return 0;
}

int throw_in_thread() {
  std::thread([] { throw std::runtime_error("nor this"); }).join();
  return 0;
}

int wait_for_long() {
  queue q;
  running_kernel never_ends(q);
  std::printf("waiting\n");
  std::fflush(stdout);
  q.wait();
  return 0;
}

int write_to_closed_pipe() {
  for (;;)
    if (std::puts("line") < 0)
      return 7;
}

int own_handler() {
  // What the environment says is not about a process that this one starts.
  if (api::find_record()->table != &table())
    return 8;
  std::signal(SIGINT, [](int) { std::_Exit(9); });
  std::raise(SIGINT);
  return 0;
}

const std::map<std::string, std::function<int()>> endings{
    {"arguments", arguments},
    {"exit_in_main", exit_in_main},
    {"exit_in_thread", exit_in_thread},
    {"leave_without_waiting", leave_without_waiting},
    {"own_handler", own_handler},
    {"throw_from_the_runtime", throw_from_the_runtime},
    {"throw_in_thread", throw_in_thread},
    {"throw_something", throw_something},
    {"wait_for_long", wait_for_long},
    {"write_to_closed_pipe", write_to_closed_pipe},
};

} // namespace

int main(int argc, char **argv) {
  words.assign(argv, argv + argc);
  return endings.at(argv[1])();
}
