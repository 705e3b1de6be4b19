package storetest

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
)

// Sharing is a book with one changed policy.
func Sharing(t testing.TB, change func(*policy.Version)) policy.Book {
	t.Helper()
	v := policy.Standard()
	v.Settings.Version = "shared-1"
	change(&v)
	b, err := policy.NewBook(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// ToOps passes all unheld cost on to one team.
func ToOps(v *policy.Version) {
	v.Redistribute = []policy.Redistribution{{Method: policy.PassOwner, Team: "ops"}}
}

// October is the month of the test shares.
var October = period.MonthOf(At(0, 0))

// PassOn runs the steps of an allocation after its chunks, over all days.
func PassOn(t testing.TB, s *store.Store, b policy.Book) int64 {
	t.Helper()
	days, err := s.SharingDays(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ReadSharing(t.Context(), days, true); err != nil {
		t.Fatal(err)
	}
	m, err := s.SharingMonth(t.Context(), October)
	if err != nil {
		t.Fatal(err)
	}
	if m.Buyers, err = s.Buyers(t.Context(), October); err != nil {
		t.Fatal(err)
	}
	ops := ledger.Owner{ID: ledger.NewID("owner", "ops"), Team: "ops"}
	if err := s.SaveOwners(t.Context(), []ledger.Owner{ops}); err != nil {
		t.Fatal(err)
	}
	m.Named = func(string) ledger.ID { return ops.ID }
	n, err := s.SaveShares(t.Context(), October, "print", share.Pass(b, m))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
