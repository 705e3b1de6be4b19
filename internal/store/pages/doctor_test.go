package pages_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pages"
	"gpuledger/test/storetest"
)

func TestExportFacts(t *testing.T) {
	s := storetest.New(t)
	if got, err := s.ExportFacts(t.Context()); len(got) != 0 || err != nil {
		t.Errorf("an empty ledger has exports: %v %v", got, err)
	}
	w, _ := storetest.SmallWorld()
	nameless := storetest.ChargeOf(storetest.At(3, 3), "3")
	nameless.ResourceID, nameless.Tags = "", nil
	d, charges := storetest.Bill(100, storetest.ChargeOf(storetest.At(1, 3), "1"),
		storetest.ChargeOf(storetest.At(2, 3), "2"), nameless)
	storetest.MustPublish(t, s, d, charges, ingest.DeliveryPublished)
	parts := storetest.PartsOf(charges, w.Nodes[0].ID)
	parts[1].Method = "pooled"
	parts[2].NodeID, parts[2].Method = ledger.ID{}, "no node"
	if err := s.ReplaceParts(t.Context(), d.ID, "fleet-1", storetest.SeqOf(parts)); err != nil {
		t.Fatal(err)
	}
	got, err := s.ExportFacts(t.Context())
	want := []pages.ExportFacts{
		{
			Source: "aws-cur", Export: "arn:export", Scope: "999", Dataset: "CUR 2.0", Partition: "2026-10",
			Columns: []string{"line_item_unblended_cost"}, Rows: 3, Tagged: true,
			Instances: 3, Unnamed: 1, Compute: 3, Pooled: 1, Lost: 1,
		},
	}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
}
