// What a call throws, to be looked at.
#pragma once

#include <gtest/gtest.h>

#include <string>

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

}  // namespace heron::test
