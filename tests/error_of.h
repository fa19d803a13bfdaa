// What a call throws, to be looked at.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "heron/error.h"

namespace heron::test {

// The Error that `call` ends in; a failure of the test and Error(Argument, "no error") if it does
// not.
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

// Its text, if it is of that kind.
template <class Call>
std::string error_of(ErrorKind kind, Call&& call) {
  const Error error = error_of(std::forward<Call>(call));
  EXPECT_EQ(error.kind(), kind) << error.what();
  return error.what();
}

}  // namespace heron::test
