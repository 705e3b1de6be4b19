// Package waste finds paid time that did not work, or worked badly (docs/figures.md, section 18).
//
// It owns one definition per kind of finding: its meaning, whether it is idle or a risk, its thresholds, and what to
// do. Days of the ledger become traces, one per subject and UTC day (Day), and the traces of a subject become findings
// (Holder, Service, Marks, Node, Capacity). Both steps are pure: the same facts give the same findings, however often
// and in whatever order days are processed. It guarantees that findings of idle kinds never take a device-second twice.
// It refuses to guess: a missing sample is not idleness, and a criterion that needs a signal is not met without it.
package waste
