package tier

import (
	"testing"

	"pgregory.net/rapid"
)

func drawn(t *testing.T, n int) (times int) {
	t.Helper()
	Check(t, n, func(r *rapid.T) {
		rapid.Bool().Draw(r, "one")
		times++
	})
	return times
}

func TestATwentiethIsDrawnUntilAllIsAsked(t *testing.T) {
	t.Setenv("GPULEDGER_TEST_FULL", "")
	for n, want := range map[int]int{1: 1, 20: 1, 21: 2, 500: 25, 1000: 50} {
		if got := Draws(n); got != want {
			t.Errorf("of %d are tried %d, want %d", n, got, want)
		}
		if got := drawn(t, n); got != want {
			t.Errorf("a property is looked at %d times of %d, want %d", got, n, want)
		}
	}
	t.Setenv("GPULEDGER_TEST_FULL", "1")
	if Draws(500) != 500 || drawn(t, 300) != 300 {
		t.Error("in full not all is tried")
	}
}

func TestOnlyInFullAndAbsentSkip(t *testing.T) {
	outcome := func(f func(t testing.TB)) (failed, skipped bool) {
		stand := &standIn{TB: t}
		done := make(chan struct{})
		go func() { defer close(done); defer func() { _ = recover() }(); f(stand) }()
		<-done
		return stand.failed, stand.skipped
	}
	for _, c := range []struct {
		name, full, ci  string
		f               func(t testing.TB)
		failed, skipped bool
	}{
		{"long, every day", "", "", func(t testing.TB) { OnlyInFull(t, "long") }, false, true},
		{"long, in full", "1", "", func(t testing.TB) { OnlyInFull(t, "long") }, false, false},
		{"absent here", "", "", func(t testing.TB) { Absent(t, "no tool") }, false, true},
		{"absent in CI", "", "true", func(t testing.TB) { Absent(t, "no tool") }, true, false},
	} {
		t.Setenv("GPULEDGER_TEST_FULL", c.full)
		t.Setenv("CI", c.ci)
		if failed, skipped := outcome(c.f); failed != c.failed || skipped != c.skipped {
			t.Errorf("%s: failed %v, skipped %v", c.name, failed, skipped)
		}
	}
}

// standIn records the outcome of a test.
type standIn struct {
	testing.TB
	failed, skipped bool
}

func (s *standIn) Helper()      {}
func (s *standIn) Fatal(...any) { s.failed = true; panic("ended") }
func (s *standIn) Skip(...any)  { s.skipped = true; panic("ended") }
