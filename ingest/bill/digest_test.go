package bill

import (
	"math/rand/v2"
	"testing"

	"gpuledger/ingest/table"
)

func TestOccurrencesCountEqualContents(t *testing.T) {
	countOccurrences(t)
}

// Contents that do not fit into memory are counted in the same way.
func TestOccurrencesInFiles(t *testing.T) {
	before := maxSeen
	defer func() { maxSeen = before }()
	maxSeen = 3000
	countOccurrences(t)
}

func countOccurrences(t *testing.T) {
	t.Helper()
	o := occurrences{rows: 20_000}
	defer func() {
		if err := o.close(); err != nil {
			t.Error(err)
		}
	}()
	r := rand.New(rand.NewPCG(1, 1))
	want := map[content]int64{}
	var all []content
	for range 50_000 {
		c := contentOf(table.Hash{Hi: r.Uint64N(30_000), Lo: 7})
		all = append(all, c)
	}
	numbers := make([]int64, len(all))
	for from := 0; from < len(all); from += 1000 {
		if err := o.next(all[from:from+1000], numbers[from:]); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files", len(o.frozen))
	for i, c := range all {
		if numbers[i] != want[c] {
			t.Fatalf("row %d: number %d, want %d", i, numbers[i], want[c])
		}
		want[c]++
	}
}

func TestContentsDoNotMixRows(t *testing.T) {
	// Two rows that swap a value have the same sum of hashes, and must not have
	// the same digest.
	a, b, x, y := table.Hash{Lo: 1}, table.Hash{Lo: 2}, table.Hash{Hi: 3}, table.Hash{Hi: 4}
	var one, two multiset
	for _, h := range []table.Hash{a.Plus(x), b.Plus(y)} {
		c := contentOf(h)
		one.add(&c)
	}
	for _, h := range []table.Hash{a.Plus(y), b.Plus(x)} {
		c := contentOf(h)
		two.add(&c)
	}
	if one.digest() == two.digest() {
		t.Error("equal digests")
	}
}

func TestChargeIDsDiffer(t *testing.T) {
	c := contentOf(table.Hash{Lo: 5})
	ids := map[string]bool{}
	for n := range int64(10) {
		for _, mask := range [][16]byte{{}, {1}, {2}} {
			ids[c.chargeID(mask, n).String()] = true
		}
	}
	if len(ids) != 30 {
		t.Errorf("%d ids", len(ids))
	}
}

func TestFilterHasWhatWasAdded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	f := newFilter(10_000)
	keys := make([]uint64, 10_000)
	for i := range keys {
		keys[i] = r.Uint64()
		f.add(keys[i])
	}
	for _, key := range keys {
		if !f.has(key) {
			t.Fatal("a key is lost")
		}
	}
	wrong := 0
	for range 100_000 {
		if f.has(r.Uint64()) {
			wrong++
		}
	}
	if wrong > 2500 {
		t.Errorf("%d of 100000 are wrong", wrong)
	}
}
