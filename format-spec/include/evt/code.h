/* Error codes, as one list for C and C++. 0 is success. */
#ifndef EVT_CODE_H_
#define EVT_CODE_H_

#include <evt/c99.h>
enum evt_code {
  EVT_OK = 0,
  EVT_CODE_INVALID,      /* the caller asked for something invalid */
  EVT_CODE_IO,           /* the operating system refused */
  EVT_CODE_MEMORY,       /* no memory */
  EVT_CODE_NOT_A_TRACE,  /* empty, or no block at the start */
  EVT_CODE_NEWER_FORMAT, /* made by a later major version or block header generation */
  EVT_CODE_TRUNCATED,    /* the file ends before its session does */
  EVT_CODE_DAMAGED,      /* bytes that had to be skipped, or content that contradicts itself */
  EVT_CODE_SCHEMA,       /* an event type of the file and one of the program share a name and disagree */
  EVT_CODE_CLOSED,       /* the writer is closed */
  EVT_CODE_BUSY,         /* another thread takes a snapshot */
};

#endif /* EVT_CODE_H_ */
