package storetest

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/closing"
	"gpuledger/internal/store"
	"gpuledger/internal/store/verify"
)

// CloserAt closes with a fixed clock.
func CloserAt(s *store.Store) *closing.Closer {
	return &closing.Closer{Store: s, Now: func() time.Time { return time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC) }}
}

// MustClose closes a period.
func MustClose(t testing.TB, s *store.Store) []*closing.Statement {
	t.Helper()
	list, err := CloserAt(s).Close(t.Context(), "2026-10", "", "finance")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Failed names the failed checks of verify.
func Failed(t testing.TB, s *store.Store) string {
	t.Helper()
	report, err := s.Verify(t.Context(), verify.Options{FailStale: true})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range report.Checks {
		if c.State == verify.CheckFailed {
			out = append(out, c.Name+": "+strings.Join(c.Rows, ", "))
		}
	}
	return strings.Join(out, "\n")
}
