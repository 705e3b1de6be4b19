package storetest

import (
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
)

// PublishAll publishes one delivery and returns the outcomes.
func PublishAll(
	t testing.TB, s *store.Store, d ledger.Delivery, charges []ledger.Charge,
) (ingest.PublishedDelivery, error) {
	t.Helper()
	stage, err := s.StageCharges(t.Context(), ledger.NewID("import", "b"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stage.Discard(t.Context()) }()
	if err := stage.Write(t.Context(), 0, charges); err != nil {
		t.Fatal(err)
	}
	out, err := stage.Publish(t.Context(), []ledger.Delivery{d})
	if err != nil {
		return ingest.PublishedDelivery{}, err
	}
	return out[0], nil
}
