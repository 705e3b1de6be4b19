// Command gpuledger keeps the books on GPU money: it imports bills and
// telemetry, allocates every billed cent to one owner and one cause, and
// answers from the ledger.
//
// It is the only wiring of the program: one file per command, no logic of its
// own. Exit status: 0 done; 1 failed, refused or not green; 2 wrong usage;
// 130 interrupted. Results go to standard output, everything else to standard
// error.
package main
