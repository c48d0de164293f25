"""Child processes: compilers, linkers, and workers for what may crash or must not be trusted.

`process` starts all of them, but for the copies of this process that LLVM's back-ends run in
(`native/bridge/child.cpp`). `pool` has those of a build, with workers that answer requests, which
`messages` carries. `python_command` says how a module of this package is run as a child,
`response_file` how a command that is too long is started, and `running` what runs at present.
"""
