package tier

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Full reports whether tests run in full.
func Full() bool { return os.Getenv("GPULEDGER_TEST_FULL") != "" }

// OnlyInFull leaves a test to make test-real, with the reason.
func OnlyInFull(t testing.TB, why string) {
	t.Helper()
	if !Full() {
		t.Skip("left to make test-real (GPULEDGER_TEST_FULL=1): ", why)
	}
}

// share is how many draws in full correspond to one everyday draw.
const share = 20

// Draws is how many of n are tried: all of them in full, else a twentieth, and one at least.
func Draws(n int) int {
	if Full() {
		return n
	}
	return max(1, (n+share-1)/share)
}

// Check tests a property on Draws(n) draws, or on as many as -rapid.checks sets. A failure prints the seed and a file
// that replays it. Parallel tests of one process must not call it at the same time: the number is rapid's own flag.
func Check(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == checksFlag })
	if !asked {
		defer setChecks(t, setChecks(t, strconv.Itoa(Draws(n)*ofShort())))
	}
	rapid.Check(t, property)
}

const checksFlag = "rapid.checks"

// ofShort compensates for rapid's divisor with -short.
func ofShort() int {
	if testing.Short() {
		return 5
	}
	return 1
}

func setChecks(t *testing.T, n string) (before string) {
	t.Helper()
	checks := flag.Lookup(checksFlag).Value
	before = checks.String()
	if err := checks.Set(n); err != nil {
		t.Fatal(err)
	}
	return before
}

// Absent skips a test because an optional tool is missing. With CI=true, where every tool must be installed, it fails
// the test.
func Absent(t testing.TB, what ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what...)
	}
	t.Skip(append([]any{"skipped: "}, what...)...)
}
