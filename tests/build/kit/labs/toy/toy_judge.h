// What the judge knows about the toy lab. Students' files must not see it.
#pragma once

inline constexpr int kExpectedAnswer = 42;
