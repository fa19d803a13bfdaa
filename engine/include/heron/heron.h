// All of Heron's public face.
#pragma once

#include "heron/aggregate.h"
#include "heron/container.h"
#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/error.h"
#include "heron/index.h"
#include "heron/matches.h"
#include "heron/predicate.h"
#include "heron/query.h"
#include "heron/row_view.h"
#include "heron/sampler.h"
#include "heron/schema.h"
#include "heron/values.h"
#include "heron/writer.h"
