package bills_test

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/bills"
	"gpuledger/test/storetest"
)

// With lines that share no words, dictionaries overflow, and every line is still read back unchanged.
func TestDictionariesMayOverflow(t *testing.T) {
	s := storetest.New(t)
	pad := strings.Repeat("x", 4000)
	lines := linesAlike(8000)
	for i := range lines {
		lines[i].Description = fmt.Sprint(pad, i)
		lines[i].Tags = map[string]string{"user_id": fmt.Sprint(pad, i)}
		lines[i].ResourceID = fmt.Sprint("resource-", i)
	}
	d, charges := storetest.Bill(100, lines...)
	stage, err := s.StageCharges(t.Context(), ledger.NewID("import", "o"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stage.Discard(t.Context()) }()
	if err := stage.Write(t.Context(), 0, charges); err != nil {
		t.Fatal(err)
	}
	if items, tags, all := bills.KeptWords(stage); items > bills.MaxItemBytes+5000 || tags > bills.MaxTagBytes+9000 ||
		all {
		t.Errorf("items take %d bytes, tags %d; all items are kept: %v", items, tags, all)
	}
	if out, err := stage.Publish(t.Context(), []ledger.Delivery{d}); err != nil ||
		out[0].State != ingest.DeliveryPublished {
		t.Fatal(out, err)
	}
	got := byID(chargesOf(t, s, d.ID))
	for _, c := range lines {
		if g := got[c.ID]; g.Description != c.Description || g.Tags["user_id"] != c.Tags["user_id"] ||
			g.ResourceID != c.ResourceID {
			t.Fatalf("line %d came back as another", c.Line)
		}
	}
}
