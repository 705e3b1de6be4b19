// Command gpuledger keeps the books on GPU money: it imports bills and
// telemetry, allocates every billed cent to one owner and one cause, and
// answers from the ledger.
//
// It only wires the packages together: one file per command, no other logic.
// Exit status: 0 done; 1 failed, refused or not green; 2 wrong usage; 4 verify
// passed, but allocate has work to do; 5 the change waits for a second person;
// 130 interrupted. Results go to standard output, everything else to standard
// error.
package main
