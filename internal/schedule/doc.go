// Package schedule imports configured sources on time while gpuledger serves, and allocates after an import that
// published anything.
//
// It owns the jobs (River, in a separate schema and with separate connections) and decides which source is due: one
// whose last scheduled time is not done. That is stored in the database next to the state of the source, so a restart
// neither skips a time nor imports twice, whatever River remembers. A lock per source keeps two processes apart. A
// source whose listing equals that of its last successful import is not read.
//
// It guarantees a clean stop: running imports are aborted without publishing anything, and resume at the next start.
// It does not repeat an import whose files were refused: they are read again at their next scheduled time.
package schedule
