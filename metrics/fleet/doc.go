// Package fleet says what machines do now: which devices there are, what each
// one does in the newest minute and did in the hour before, and who holds it.
//
// It owns the states of the fleet page and how they follow from samples, hold
// evidence and what the ledger knows of holders. It reads facts as they are
// stored and needs no allocation, so that it is as fresh as the samples are.
// For a ledger whose data end in the past it tells the state of that last
// minute. It computes no money and decides nothing that postings depend on.
package fleet
