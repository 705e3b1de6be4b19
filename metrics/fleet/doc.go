// Package fleet describes the present state of machines: their devices, the activity of each in the newest minute and
// the hour before, and the holders.
//
// It owns the states of the fleet page and how they follow from samples, hold evidence and the ledger's holders. It
// reads facts as stored and needs no allocation, so it is as fresh as the samples. For a ledger whose data end in the
// past it shows the state of that last minute. It computes no money and decides nothing that postings depend on.
package fleet
