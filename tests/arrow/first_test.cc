#include <gtest/gtest.h>
#include "heron/arrow.h"
