package store

import (
	"errors"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
)

// Days of an append-only export grow; one that shrinks was cut otherwise.
func TestAnAppendedDayNeverLosesRows(t *testing.T) {
	s := newStore(t)
	one, two, three := chargeOf(at(0, 1), "1"), chargeOf(at(0, 2), "2"), chargeOf(at(0, 3), "3")
	appended := func(d ledger.Delivery, c []ledger.Charge) (ledger.Delivery, []ledger.Charge) {
		d.Kind, d.Partition = ledger.Append, "2026-10-05"
		return d, c
	}
	a, ca := appended(bill(100, one, two))
	mustPublish(t, s, a, ca, ingest.DeliveryPublished)
	b, cb := appended(bill(200, one, two, three))
	mustPublish(t, s, b, cb, ingest.DeliveryPublished)
	for name, charges := range map[string][]ledger.Charge{"fewer rows": {one}, "other rows": {one, two, chargeOf(at(0, 4), "4"), chargeOf(at(0, 5), "5")}} {
		d, c := appended(bill(300, charges...))
		_, err := publishAll(t, s, d, c)
		var refused *ingest.DeliveryError
		if !errors.As(err, &refused) || refused.Reason != "rows vanished" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The same rows kept otherwise replace each other without a later time.
func TestKeepingEverythingIsChosenAgain(t *testing.T) {
	s := newStore(t)
	plain, lines := bill(100, chargeOf(at(0, 1), "1"), chargeOf(at(0, 2), "2"))
	whole := lines[0]
	whole.ID, whole.Effective, whole.Billed, whole.List = ledger.NewID("aggregate"), amount("3"), amount("3"), amount("2.424")
	whole.Aggregate = &ledger.Aggregate{Lines: 2, Ranges: []ledger.LineRange{{First: 1, Last: 2}}}
	packed := plain
	packed.Aggregated, packed.ID = true, ledger.NewID("delivery", "aggregated")
	mustPublish(t, s, packed, []ledger.Charge{whole}, ingest.DeliveryPublished)
	mustPublish(t, s, plain, lines, ingest.DeliveryPublished)
	if got := chargesOf(t, s, plain.ID); len(got) != 2 {
		t.Errorf("%d lines", len(got))
	}
	mustPublish(t, s, plain, lines, ingest.DeliveryUnchanged)
}

// An account that moves between payers is on both bills.
func TestTwoPayersOfOneAccountAreBothBooks(t *testing.T) {
	s := newStore(t)
	a, ca := bill(100, chargeOf(at(0, 1), "1"))
	mustPublish(t, s, a, ca, ingest.DeliveryPublished)
	moved := chargeOf(at(0, 2), "2")
	moved.BillingAccount = "888"
	b, cb := bill(100, moved)
	b.Export, b.Scope, b.ID = "arn:other", "888", ledger.NewID("delivery", "other payer")
	mustPublish(t, s, b, cb, ingest.DeliveryPublished)
	got := dump(t, s, `select distinct d.scope || ' ' || t.role || case when t.counts_seconds then ' counts' else '' end from deliveries d join control_totals t using (tenant_id, delivery_id) where d.tenant_id = 1 order by 1`)
	if got != "888 book counts\n999 book counts" {
		t.Errorf("%q", got)
	}
}
