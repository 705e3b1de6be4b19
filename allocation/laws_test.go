package allocation

import (
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/test/tier"
)

// TestM02NoShareLeavesItsLine: all postings of a part have its sign, and no posting is larger than the part.
func TestM02NoShareLeavesItsLine(t *testing.T) {
	tier.Check(t, 600, func(t *rapid.T) {
		s := anyStory(t)
		c := s.allocate()
		parts := map[ledger.ID]*ledger.Part{}
		for i := range s.day.Parts {
			parts[s.day.Parts[i].ID] = &s.day.Parts[i]
		}
		for i := range c.Parts {
			parts[c.Parts[i].ID] = &c.Parts[i]
		}
		for i := range c.Postings {
			p := &c.Postings[i]
			for _, m := range ledger.Metrics {
				share, line := p.Get(m), parts[p.PartID].Get(m)
				if share == nil || share.IsZero() {
					continue
				}
				if share.Sign() != line.Sign() || share.Cmp(*line)*line.Sign() > 0 {
					t.Fatalf("%s: share %s of a line of %s", m, share, line)
				}
			}
		}
	})
}

// TestCutAndAddOverTime: an hour's postings follow from its own parts alone. A
// day whose first twelve hours are billed, and the same day with the other
// twelve, are together the day with all: posting by posting, without a rest.
func TestCutAndAddOverTime(t *testing.T) {
	tier.Check(t, 600, func(t *rapid.T) {
		s := anyStory(t)
		in := s.dayInput()
		noon := theDay + period.Second(rapid.IntRange(0, 24).Draw(t, "cut"))*period.Hour
		whole := ofBill(run(t, s, s.node, in))
		var morning, evening []ledger.Part
		for _, p := range in.Parts {
			if p.Hour < noon {
				morning = append(morning, p)
			} else {
				evening = append(evening, p)
			}
		}
		sum := map[ledger.ID]ledger.Posting{}
		for _, half := range [][]ledger.Part{morning, evening} {
			in.Parts = half
			for id, p := range ofBill(run(t, s, s.node, in)) {
				if _, twice := sum[id]; twice {
					t.Fatalf("posting %s is in both halves", id)
				}
				sum[id] = p
			}
		}
		if !reflect.DeepEqual(whole, sum) {
			t.Fatalf("%d postings in one, %d in two halves, or others", len(whole), len(sum))
		}
	})
}

// ofBill are the postings of charges by id, without those of hours that have
// no bill.
func ofBill(c *Chunk) map[ledger.ID]ledger.Posting {
	out := map[ledger.ID]ledger.Posting{}
	for _, p := range c.Postings {
		if !p.ChargeID.IsZero() {
			out[p.ID] = p
		}
	}
	return out
}

// TestCutAndAddOfACharge: a line that comes as two costs each owner the same, within less than three units of 1e-12 a
// row and metric: a share is within one unit of the exact one, once for the line and twice for its two parts. The
// totals are equal to the last digit.
func TestCutAndAddOfACharge(t *testing.T) {
	tier.Check(t, 600, func(t *rapid.T) {
		s := anyStory(t)
		in := s.dayInput()
		whole, parts := run(t, s, s.node, in), in.Parts
		in.Parts = nil
		origin := map[ledger.ID]ledger.ID{}
		for _, p := range parts {
			one, two := p, p
			two.ID = ledger.NewID("part", p.ID.String(), "second")
			two.UsageSeconds = new(int64)
			origin[p.ID], origin[two.ID] = p.ID, p.ID
			for _, m := range ledger.Metrics {
				if a := p.Get(m); a != nil {
					first := money.FromUnits(rapid.Int64Range(-1e15, 1e15).Draw(t, "first"))
					rest := a.Sub(first)
					one.Set(m, &first)
					two.Set(m, &rest)
				}
			}
			in.Parts = append(in.Parts, one, two)
		}
		type place struct{ part, usage ledger.ID }
		off := map[place]*ledger.Costs{}
		add := func(c *Chunk, negative bool) {
			for i := range c.Postings {
				p := &c.Postings[i]
				if p.ChargeID.IsZero() {
					continue
				}
				key := place{origin[p.PartID], p.UsageID}
				if off[key] == nil {
					off[key] = &ledger.Costs{}
				}
				for _, m := range ledger.Metrics {
					if a := p.Get(m); a != nil {
						v := *a
						if negative {
							v = a.Neg()
						}
						if old := off[key].Get(m); old != nil {
							v = old.Add(v)
						}
						off[key].Set(m, &v)
					}
				}
			}
		}
		add(run(t, s, s.node, in), false)
		add(whole, true)
		limit := big.NewRat(3, money.UnitsPerOne)
		for key, costs := range off {
			for _, m := range ledger.Metrics {
				if a := costs.Get(m); a != nil && new(big.Rat).Abs(a.Rat()).Cmp(limit) >= 0 && !dusty(parts, key.part, m) {
					t.Fatalf("%s: the row is off by %s", m, a)
				}
			}
		}
	})
}

// dusty reports whether a part has digits below a unit: they go whole to one row, which is another one if the line is
// cut.
func dusty(parts []ledger.Part, id ledger.ID, m ledger.Metric) bool {
	for i := range parts {
		if parts[i].ID == id {
			_, whole := parts[i].Get(m).Units()
			return !whole
		}
	}
	return false
}

// TestNegativeAmountsMirrorPositiveOnes: a bill with all its signs changed gives
// the same postings with theirs changed.
func TestNegativeAmountsMirrorPositiveOnes(t *testing.T) {
	tier.Check(t, 600, func(t *rapid.T) {
		s := anyStory(t)
		in := s.dayInput()
		up := ofBill(run(t, s, s.node, in))
		parts := in.Parts
		in.Parts = nil
		for _, p := range parts {
			for _, m := range ledger.Metrics {
				if a := p.Get(m); a != nil {
					n := a.Neg()
					p.Set(m, &n)
				}
			}
			in.Parts = append(in.Parts, p)
		}
		down := ofBill(run(t, s, s.node, in))
		for id, p := range up {
			other, ok := down[id]
			for _, m := range ledger.Metrics {
				a, b := p.Get(m), other.Get(m)
				if !ok || (a == nil) != (b == nil) || a != nil && a.Cmp(b.Neg()) != 0 {
					t.Fatalf("%s: %v, mirrored %v", m, a, b)
				}
			}
		}
		if len(up) != len(down) {
			t.Fatalf("%d postings, mirrored %d", len(up), len(down))
		}
	})
}

// TestScalingWeightsChangesNothing: shares of runs that serve one workload
// count in proportion, so that all of them times a number are the same.
func TestScalingWeightsChangesNothing(t *testing.T) {
	tier.Check(t, 600, func(t *rapid.T) {
		s := anyStory(t)
		in := s.dayInput()
		want := run(t, s, s.node, in)
		by := rapid.Int64Range(2, 1000).Draw(t, "by")
		node := s.node
		node.Attempts = make([]ledger.Attempt, len(s.node.Attempts))
		for i, a := range s.node.Attempts {
			segments := make([]ledger.Segment, len(a.Segments))
			for k, g := range a.Segments {
				g.Weight *= by
				segments[k] = g
			}
			a.Segments = segments
			node.Attempts[i] = a
		}
		if got := run(t, s, node, in); digest(t, got) != digest(t, want) {
			t.Fatalf("weights × %d give another chunk", by)
		}
	})
}

// TestM10OneDigestHoweverItIsComputed: days on one goroutine, and on two and eight at once in another order and with
// other buffers, on as many processors.
func TestM10OneDigestHoweverItIsComputed(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	tier.Check(t, 100, func(t *rapid.T) {
		stories := make([]*story, 8)
		for i := range stories {
			stories[i] = anyStory(t)
		}
		order := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "order")
		inputs := make([]DayInput, len(stories))
		for i, s := range stories {
			inputs[i] = s.dayInput()
		}
		var want [8][sha256.Size]byte
		runtime.GOMAXPROCS(1)
		for i, s := range stories {
			want[i] = digest(t, run(t, s, s.node, inputs[i]))
		}
		for _, workers := range []int{2, 8} {
			runtime.GOMAXPROCS(workers)
			var got [8][sha256.Size]byte
			var failed [8]error
			queue := make(chan int)
			var group sync.WaitGroup
			for range workers {
				group.Go(func() {
					room := new(Chunk)
					for i := range queue {
						engine, err := NewNode(stories[i].node, stories[i].policy)
						if err == nil {
							err = engine.DayInto(room, inputs[i])
						}
						if err == nil {
							got[i], err = digestOf(room)
						}
						failed[i] = err
					}
				})
			}
			for _, i := range order {
				queue <- i
			}
			close(queue)
			group.Wait()
			for i := range stories {
				if failed[i] != nil {
					t.Fatal(failed[i])
				}
			}
			if got != want {
				t.Fatalf("%d workers give another ledger", workers)
			}
		}
	})
}

// digest is a digest of a whole chunk.
func digest(t *rapid.T, c *Chunk) [sha256.Size]byte {
	sum, err := digestOf(c)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func digestOf(c *Chunk) ([sha256.Size]byte, error) {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, list := range []any{c.NodeID, c.Day, c.Usage, c.Postings} {
		if err := enc.Encode(list); err != nil {
			return [sha256.Size]byte{}, err
		}
	}
	for i := range c.Parts {
		if err := enc.Encode(c.Parts[i]); err != nil {
			return [sha256.Size]byte{}, err
		}
	}
	for i := range c.Spans {
		if err := enc.Encode(c.Spans[i]); err != nil {
			return [sha256.Size]byte{}, err
		}
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// TestM12AnOldPolicyGivesTheOldLedger: a version computes the same again after another one was in force; every posting
// names the version that made it.
func TestM12AnOldPolicyGivesTheOldLedger(t *testing.T) {
	tier.Check(t, 200, func(t *rapid.T) {
		s := anyStory(t)
		in := s.dayInput()
		old := digest(t, run(t, s, s.node, in))
		before := s.policy
		s.policy.Version, s.policy.IdleThresholdPPM, s.policy.IdleMinutes, s.policy.MIG = "another", 600_000, 5,
			policy.MemoryOnly
		for _, p := range run(t, s, s.node, in).Postings {
			if p.Policy != "another" {
				t.Fatalf("posting %s names version %q", p.ID, p.Policy)
			}
		}
		s.policy = before
		if digest(t, run(t, s, s.node, in)) != old {
			t.Fatal("the old version gives another ledger than it gave")
		}
	})
}
