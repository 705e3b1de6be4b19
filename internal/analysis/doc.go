// Package analysis derives from the ledger the figures that pages read often: roll-ups, hours of inference, findings
// and recommendations.
//
// It owns the order of the steps and their restart. Every step works by UTC day: a separate transaction writes the
// day's figures and drops its mark, so a process may die anywhere and two may run at once. Analysis declares its
// needs of a database (Store); figures are defined in metrics and its packages, the SQL is in store. It never writes
// to the ledger and never guesses: an unfinished day stays marked, and readers of roll-ups take marked days from the
// ledger itself. Three kinds of figures have no step: signals of devices (DeviceSignals) and of their holders
// (HolderSignals), and layouts of cards (LayoutDay). Store adds them up with the ledger's facts.
package analysis
