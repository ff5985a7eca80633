/* Functions that objects import, once per object: hooked slots have their numbers. */
#ifndef EVT_RECORD_IMPORT_TABLE_H_
#define EVT_RECORD_IMPORT_TABLE_H_

#include <stdint.h>

#include "../recorded/real.h"

struct run_import {
  run_function function;
  const char* name;    /* in the object that imports it */
  const char* library; /* last part of the path of the library that defines it */
  const char* caller;  /* the object that imports it */
  uint32_t name_text;  /* interned, where calls are traced */
  uint32_t library_text;
};

enum { RUN_IMPORTS = 65536 };

/* A number is used once it is given, and never again. */
extern struct run_import run_imports[RUN_IMPORTS] __attribute__((visibility("hidden")));
extern uint32_t run_import_count __attribute__((visibility("hidden")));

/* Has texts of the session, if calls are traced. */
void run_name_import(struct run_import* import);

#endif /* EVT_RECORD_IMPORT_TABLE_H_ */
