package store_test

import (
	"context"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/storetest"
)

// F16: a reader sees the old or the new total while a delivery is replaced, never a value between.
func TestF16ReadersSeeOldOrNew(t *testing.T) {
	s := storetest.New(t)
	small := []ledger.Charge{storetest.ChargeOf(storetest.At(0, 1), "1"), storetest.ChargeOf(storetest.At(0, 2), "2")}
	large := append([]ledger.Charge{storetest.ChargeOf(storetest.At(0, 3), "4"),
		storetest.ChargeOf(storetest.At(0, 4), "8")}, small...)
	a, ca := storetest.Bill(1, small...)
	storetest.MustPublish(t, s, a, ca, ingest.DeliveryPublished)
	ctx, stop := context.WithCancel(t.Context())
	type result struct {
		reads int
		torn  []string
	}
	done := make(chan result)
	go func() {
		var r result
		for ctx.Err() == nil {
			var total string
			err := s.Pool.QueryRow(t.Context(), `select coalesce(sum(billed_cost), 0)::text from bi_v1.charges
				where role = 'book'`).Scan(&total)
			if err != nil {
				r.torn = append(r.torn, err.Error())
				break
			}
			r.reads++
			if total != "3" && total != "15" {
				r.torn = append(r.torn, total)
			}
		}
		done <- r
	}()
	for round := range 20 {
		when := period.Second(10 + round)
		d, c := storetest.Bill(when, small...)
		if round%2 == 0 {
			d, c = storetest.Bill(when, large...)
		}
		storetest.MustPublish(t, s, d, c, ingest.DeliveryPublished)
	}
	stop()
	r := <-done
	if len(r.torn) > 0 {
		t.Errorf("%d of %d reads were torn: %v", len(r.torn), r.reads, r.torn[0])
	}
	if r.reads < 20 {
		t.Errorf("only %d reads", r.reads)
	}
	t.Logf("torn reads 0 of %d", r.reads)
}
