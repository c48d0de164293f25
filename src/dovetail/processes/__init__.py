"""Child processes: compilers, linkers, and workers for code that may crash or is untrusted.

`process` starts all of them, except the forks of this process in which LLVM's back-ends run
(`native/bridge/child.cpp`). `pool` has the processes of a build, including workers that answer
requests; `messages` has the protocol. `python_command` builds commands that run a module of this
package, `response_file` shortens long commands, and `running` lists what is running.
"""
