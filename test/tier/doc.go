// Package tier says how much a test asks. There are two sizes, and this is the only place that knows them.
//
// Everyday (make check, make test, go test): what proves each rule once. Loops over draws, fleets and keys take a
// twentieth of them (Draws, Check), and what takes minutes, kills processes or asks a rule a second time is left out
// (OnlyInFull). In full (make test-real, GPULEDGER_TEST_FULL=1): everything. make test-real runs each package whose
// tests import this one, so a test that asks for its size here is run in full without another list.
//
// What a test needs and this machine does not have is another matter: Absent skips, except with CI=true, where
// everything has to be there.
//
// It is imported by tests only.
package tier
