package storetest

import (
	"strings"
	"testing"

	"gpuledger/internal/store"
	"gpuledger/internal/store/verify"
)

// WrongRollups are the checks of roll-ups that fail.
func WrongRollups(t *testing.T, s *store.Store) []string {
	t.Helper()
	report, err := s.Verify(t.Context(), verify.Options{Period: "2026-11"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range report.Checks {
		if c.State == verify.CheckFailed && (strings.HasPrefix(c.Name, "roll-ups") || c.Name == "days of runs") {
			names = append(names, c.Name)
			t.Log(c.Name, c.Rows)
		}
	}
	return names
}
