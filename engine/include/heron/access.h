// How a file that is opened will be read: what is known of its pages.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

// Answers are the same for all of these; they differ in what is asked of the system.
enum class Access : uint8_t {
  Auto,  // finds out whether pages are cold, by samples, and then asks for them ahead
  Warm,  // everything is in memory: asks for nothing ahead
  Cold,  // nothing is: asks for everything ahead
  // Like Cold; also, what scans read leaves memory behind them, unless it was there before. Some MB
  // may stay: the last that was read, and what the system was asked for that comes in late.
  Once,
};

}  // namespace heron::inline v0
