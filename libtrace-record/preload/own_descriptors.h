/* The descriptors that the writer keeps in this process: a program that closes all that it did not open keeps them
 * open. */
#ifndef EVT_RECORD_OWN_DESCRIPTORS_H_
#define EVT_RECORD_OWN_DESCRIPTORS_H_

/* Any thread. Of more than a few the last are not known, and the program may close them. */

void run_own_descriptor(int fd);
void run_disown_descriptor(int fd);
int run_owns_descriptor(int fd);
/* The lowest one that is not below `from`; -1: none. */
int run_next_own_descriptor(int from);

#endif /* EVT_RECORD_OWN_DESCRIPTORS_H_ */
