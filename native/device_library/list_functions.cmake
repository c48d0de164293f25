# Writes the names of the C functions that LIBRARY defines to OUTPUT, as strings in C++.
execute_process(
  COMMAND ${LLVM_NM} --defined-only --extern-only --format=just-symbols ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(FILTER symbols EXCLUDE REGEX "^_Z")
list(JOIN symbols "\",\n\"" names)
file(WRITE ${OUTPUT} "\"${names}\",\n")
