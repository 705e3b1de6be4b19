package periods_test

import (
	"slices"
	"testing"

	"gpuledger/internal/closing"
	"gpuledger/test/storetest"
)

// Look takes no locks and waits for none: it sees books that another session has locked, with all reasons of Check
// except verify's.
func TestALookLocksNothing(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	closer := storetest.CloserAt(s)
	want, err := closer.Check(t.Context(), "2026-10", "")
	if err != nil {
		t.Fatal(err)
	}
	look := func() ([]string, bool) {
		t.Helper()
		reasons, unproved, err := closer.Look(t.Context(), "2026-10", "")
		if err != nil {
			t.Fatal(err)
		}
		texts := []string{}
		for _, r := range reasons {
			texts = append(texts, r.Text)
		}
		return texts, unproved
	}
	if got, unproved := look(); !slices.Equal(got, want) || !unproved {
		t.Errorf("%q, unproved %v; Check says %q", got, unproved, want)
	}
	err = s.Books(t.Context(), func(b closing.Books) error {
		if _, err := b.Accounts(t.Context(), "2026-10"); err != nil { // locks
			return err
		}
		got, _ := look()
		if !slices.Equal(got, []string{"an allocation is running: wait until it finishes"}) {
			t.Errorf("beside who has the books: %q", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.MustClose(t, s)
	if got, unproved := look(); len(got) != 1 || unproved {
		t.Errorf("closed: %q, unproved %v", got, unproved)
	}
	if failing, err := s.Failing(t.Context(), "2026-10"); err != nil || len(failing) > 0 {
		t.Errorf("%q, %v", failing, err)
	}
}
