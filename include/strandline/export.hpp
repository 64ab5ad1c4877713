// What is visible in the shared library: only what carries this mark.
#pragma once

#define STRANDLINE_API __attribute__((visibility("default")))
