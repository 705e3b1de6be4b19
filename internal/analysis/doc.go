// Package analysis makes of the ledger what pages ask all the time: roll-ups,
// hours of inference, findings and recommendations.
//
// It owns the order of the steps and their restart. Every step works by UTC
// day: a transaction of its own drops the day's mark and writes what follows
// from the day, so a process may die anywhere and two may run at once. It
// declares what it needs of a database (Store); what figures mean is in
// metrics and its packages, the SQL is in store. It never writes to the ledger
// and refuses to guess: a day that was not worked out stays marked, and
// readers of roll-ups take marked days from the ledger itself. What devices showed
// (DeviceSignals), for whom (HolderSignals) and how cards were cut (LayoutDay) is no step:
// store adds it up with the ledger's facts.
package analysis
