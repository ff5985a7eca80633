/* What this processor has. */
#ifndef EVT_RECORD_PROCESSOR_H_
#define EVT_RECORD_PROCESSOR_H_

/* Sets run_has_tsc and run_has_xsave. Before anything is hooked. */
void run_look_at_processor(void);

#endif /* EVT_RECORD_PROCESSOR_H_ */
