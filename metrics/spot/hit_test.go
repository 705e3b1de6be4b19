package spot

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
)

// Recovery lasts until the first use by any later attempt of the run and task, whatever its number. Earlier attempts,
// other tasks and other runs do not count.
func TestRecoveryIsToTheFirstUseByALaterAttempt(t *testing.T) {
	id := func(name string) ledger.ID { return ledger.NewID("attempt", name) }
	attempts := []Attempt{
		{ID: id("0"), Run: "r", Number: 0, EndedAt: 50, UsedAt: 10},
		{ID: id("1"), Run: "r", Number: 1, EndedAt: 100, UsedAt: 60},
		{ID: id("2"), Run: "r", Number: 2, EndedAt: 200}, // never used its GPUs
		{ID: id("3"), Run: "r", Number: 3, EndedAt: 400, UsedAt: 300},
		{ID: id("4"), Run: "r", Number: 4, EndedAt: 600, UsedAt: 250}, // began while the one before ran
		{ID: id("other task"), Run: "r", Task: "eval", Number: 9, EndedAt: 120, UsedAt: 110},
		{ID: id("other run"), Run: "q", Number: 9, EndedAt: 120, UsedAt: 110},
	}
	node := ledger.NewID("node", "n")
	got := map[string]string{}
	var ended []Ended
	for _, name := range []string{"0", "1", "2", "4", "other task", "unknown"} {
		ended = append(ended, Ended{node, id(name)})
	}
	for i, h := range Hits(ended, attempts) {
		if h.Ended != ended[i] {
			t.Errorf("hit %d is of %v, want %v", i, h.Ended, ended[i])
		}
		name := []string{"0", "1", "2", "4", "other task", "unknown"}[i]
		if got[name] = "none"; h.Recovery != nil {
			got[name] = (map[int64]string{10: "10", 150: "150", 50: "50"})[*h.Recovery]
		}
	}
	want := map[string]string{"0": "10", "1": "150", "2": "50", "4": "none", "other task": "none", "unknown": "none"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
