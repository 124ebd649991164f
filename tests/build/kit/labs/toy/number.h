#pragma once

using Number = int;
