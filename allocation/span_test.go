package allocation

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
)

// drawn writes the spans of a chunk as a time line.
func drawn(c *Chunk, names ...string) string {
	var b strings.Builder
	for _, s := range c.Spans {
		who := "-"
		for _, n := range names {
			if ledger.NewID("workload", "c", n) == s.WorkloadID {
				who = n
			}
		}
		fmt.Fprintf(&b, "%d %s-%s %s %s\n", s.Slot, s.From.Time().Format("15:04:05"), s.To.Time().Format("15:04:05"), s.Cause,
			who)
	}
	return strings.TrimSpace(b.String())
}

// A stretch of one cause is drawn as one, over hours and changing activity.
func TestSpansMergeOverHours(t *testing.T) {
	s := newStory(t, 2)
	s.node.Node.Life = between("9:00", "18:00")
	s.pod("a", "9:30", "15:00", 1, 1)
	s.busy(1, "9:30", "13:00", 50)
	s.busy(1, "13:00", "13:05", 5) // idle, but too short to matter
	s.busy(1, "13:05", "14:00", 50)
	s.busy(1, "14:00", "15:00", 0)
	s.bill("8:00", 1800, "1")
	expect(t, drawn(s.allocate(), "a"), strings.ReplaceAll(`
		0 08:30:00-09:00:00 unavailable -
		0 09:00:00-18:00:00 free -
		1 08:30:00-09:00:00 unavailable -
		1 09:00:00-09:30:00 free -
		1 09:30:00-14:00:00 used a
		1 14:00:00-15:00:00 held_idle a
		1 15:00:00-18:00:00 free -`, "\t", ""))
}

// One engine computes many days at once and always gives the same result.
func TestDaysInParallel(t *testing.T) {
	s := newStory(t, 2)
	s.node.Node.Replicas = 2
	s.pod("a", "8:00", "20:00", 1, 0)
	s.pod("b", "9:00", "19:00", 1, 0)
	s.mig(1, 3, "3g.20gb", "8:00", "20:00", 40)
	s.busy(0, "8:00", "20:00", 40)
	s.bill("10:00", 3600, "3")
	engine, err := NewNode(s.node, policy.Default())
	if err != nil {
		t.Fatal(err)
	}
	in := s.dayInput()
	want, err := engine.Day(in)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got, err := engine.Day(in); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("another chunk, %v", err)
			}
		})
	}
	group.Wait()
}
