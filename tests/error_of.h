// Returns the Error that a call throws.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "heron/error.h"

namespace heron::test {

// Returns the Error that `call` throws; if it throws none, fails the test and returns
// Error(Argument, "no error").
template <class Call>
Error error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error";
  return Error(ErrorKind::Argument, "", "no error");
}

// Returns the text of the Error that `call` throws, which must be of this kind.
template <class Call>
std::string error_of(ErrorKind kind, Call&& call) {
  const Error error = error_of(std::forward<Call>(call));
  EXPECT_EQ(error.kind(), kind) << error.what();
  return error.what();
}

}  // namespace heron::test
