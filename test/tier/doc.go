// Package tier decides how much tests do. There are two sizes, and this is the only place that knows them.
//
// Everyday (make check, make test, go test): proves each rule once. Loops over draws, fleets and keys take a twentieth
// of them (Draws, Check), and tests that take minutes, kill processes or prove a rule a second time are left out
// (OnlyInFull). In full (make test-real, GPULEDGER_TEST_FULL=1): everything. make test-real runs each package whose
// tests import this one, so a test that uses this package is run in full without another list.
//
// Absent is for tools that a test needs and this machine lacks: it skips, except with CI=true, where everything must be
// installed.
//
// Only tests import it.
package tier
