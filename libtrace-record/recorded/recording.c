#include "recording.h"

struct run_session run_session;
