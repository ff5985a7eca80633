#include "import_table.h"

#include <evt/emit.h>
#include <string.h>

#include "../recorded/recording.h"

struct run_import run_imports[RUN_IMPORTS];
uint32_t run_import_count;

void run_name_import(struct run_import* import) {
  if (run_session.writer == NULL) return;
  import->name_text = evt_intern(run_session.writer, import->name, strlen(import->name));
  import->library_text = evt_intern(run_session.writer, import->library, strlen(import->library));
}
