package ingest

import (
	"sync"
	"testing"
	"time"
)

func TestProgressCountsEachPhaseOnItsOwn(t *testing.T) {
	m := newMemory()
	big := cur(curRow(1, "1"), curRow(2, "2"))
	root := write(t, map[string]string{"a.csv": big})
	im := importer(m)
	var mu sync.Mutex
	clock := time.Unix(1_700_000_000, 0)
	im.Now = func() time.Time { // each look at the clock takes a second
		mu.Lock()
		defer mu.Unlock()
		clock = clock.Add(time.Second)
		return clock
	}
	var all []Progress
	im.Progress = func(p Progress) { all = append(all, p) }
	if _, err := im.Import(t.Context(), Request{Source: "aws-cur", URIs: []string{root}}); err != nil {
		t.Fatal(err)
	}
	phases := map[string]Progress{}
	for i, p := range all {
		if p.BytesDone > p.Bytes || p.FilesDone > p.Files || p.PhaseNumber < 1 || p.PhaseNumber > p.Phases ||
			p.PhaseStart.IsZero() {
			t.Errorf("%+v", p)
		}
		if i > 0 && p.Phase == all[i-1].Phase && (p.BytesDone < all[i-1].BytesDone || p.Rows < all[i-1].Rows) {
			t.Errorf("%+v after %+v", p, all[i-1])
		}
		phases[p.Phase] = p
	}
	for _, name := range []string{"survey", "read"} {
		if p := phases[name]; p.BytesDone != int64(len(big)) || p.Bytes != int64(len(big)) || p.FilesDone != 1 {
			t.Errorf("at the end of %s: %+v", name, p)
		}
	}
	if p := phases["read"]; p.PhaseRows != 2 || p.PhaseNumber != 2 || p.Phases != 3 {
		t.Errorf("read: %+v", p)
	}
	if p := phases["publish"]; p.BytesDone != 0 || p.Rows != 2 || p.ReadsFiles() {
		t.Errorf("publish: %+v", p)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, rec := range m.imports {
		if rec.FilesDone != 1 || rec.BytesDone != int64(len(big)) || rec.Accepted != 2 {
			t.Errorf("the end says %+v", rec)
		}
	}
	if len(m.progress) == 0 || len(m.progress) > len(all) {
		t.Errorf("%d reports saved of %d", len(m.progress), len(all))
	}
}
