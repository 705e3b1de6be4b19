package book_test

import (
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// An import and a write of rows that are known add nothing; a write that adds something is in the audit log.
func TestTheSameAnnotationTwiceIsOne(t *testing.T) {
	s := storetest.SmallLedger(t)
	note := func(text string) ledger.Annotation {
		return ledger.Annotation{At: storetest.Second("2026-11-02T08"), Kind: ledger.AnnotationNote, Text: text}
	}
	list := []ledger.Annotation{note("a"), note("b"), note("a")}
	importID := storetest.ID("import", "annotations")
	for i, want := range []int64{2, 0} {
		if n, err := s.PublishAnnotations(t.Context(), importID, "import", list); err != nil || n != want {
			t.Errorf("import %d adds %d, want %d: %v", i+1, n, want, err)
		}
	}
	at := time.Date(2026, 11, 5, 0, 0, 0, 0, time.UTC)
	for i, want := range []int64{1, 0} {
		n, err := s.SaveAnnotations(t.Context(), "ada", at, append(list[:2:2], note("c")))
		if err != nil || n != want {
			t.Errorf("write %d adds %d, want %d: %v", i+1, n, want, err)
		}
	}
	if n := len(storetest.Table(t, s, "audit", metrics.Options{Filter: "action = 'annotations stored'"})); n != 1 {
		t.Errorf("%d entries of the audit log for one new annotation", n)
	}
	stored := storetest.Table(t, s, "stored_annotations", metrics.Options{})
	storetest.Wants(t, storetest.RowWith(t, stored, "text", "a"), map[string]string{"stored_by": "import"})
	storetest.Wants(t, storetest.RowWith(t, stored, "text", "c"), map[string]string{"stored_by": "ada"})
}
