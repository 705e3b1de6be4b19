package book_test

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/test/storetest"
)

// BenchmarkSharing shares the idle cost of 400,000 postings: all days from scratch, one changed day, and reading the
// payers.
func BenchmarkSharing(b *testing.B) {
	s := storetest.BigLedger(b)
	storetest.Run(b, s.Pool, "update usage set cause = 'free', owner_id = md5('o0')::uuid where workload_id is null")
	storetest.Run(b, s.Pool, "update postings set cause = 'free', owner_id = md5('o0')::uuid where workload_id is null")
	storetest.Run(b, s.Pool, "vacuum analyze postings, usage")
	v := policy.Standard()
	v.Redistribute = []policy.Redistribution{{Method: policy.PassHeld}}
	book, err := policy.NewBook(v)
	if err != nil {
		b.Fatal(err)
	}
	month := period.MonthOf(1793577600) // 2026-11
	pass := func(days []posting.SharingDay) {
		if err := s.ReadSharing(b.Context(), days, false); err != nil {
			b.Fatal(err)
		}
		m, err := s.SharingMonth(b.Context(), month)
		if err != nil {
			b.Fatal(err)
		}
		m.Named = func(string) ledger.ID { return ledger.ID{} }
		if _, err := s.SaveShares(b.Context(), month, "print", share.Pass(book, m)); err != nil {
			b.Fatal(err)
		}
	}
	days, err := s.SharingDays(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("days", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.SharingDays(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("a week", func(b *testing.B) {
		for b.Loop() {
			pass(days)
		}
	})
	b.Run("one day", func(b *testing.B) {
		for b.Loop() {
			pass(days[3:4])
		}
	})
}
