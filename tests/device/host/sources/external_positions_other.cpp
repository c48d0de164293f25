#include "external_positions.hpp"

int first(int x) { return x; }
int second(int x) { return x; }
int third(int x) { return x; }
int fourth(int x) { return x; }
int seventh(int x) { return x; }
int eighth(int x) { return x; }
int ninth(int x) { return x; }
int counter::get(int x) const { return x; }
int counter::eleventh(int x) { return x; }
int twelfth(int x) { return x; }
int inner::thirteenth(int x) { return x; }
int fourteenth(int x) { return x; }
auto fifteenth(int x) -> int { return x; }
