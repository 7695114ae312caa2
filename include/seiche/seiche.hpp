// Everything of Seiche but interop.
#pragma once

#include "seiche/cache.hpp"
#include "seiche/convolution.hpp"
#include "seiche/device.hpp"
#include "seiche/double_double.hpp"
#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"
#include "seiche/image.hpp"
#include "seiche/inspect.hpp"
#include "seiche/pack.hpp"
#include "seiche/plan.hpp"
#include "seiche/problem.hpp"
#include "seiche/stage.hpp"
#include "seiche/tuning.hpp"
#include "seiche/version.hpp"
#include "seiche/wisdom.hpp"
