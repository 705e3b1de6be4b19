package minutes

import (
	"bytes"
	"fmt"
	"testing"

	"gpuledger/internal/ledger"
)

// A set that outgrows its bound keeps the same vectors in whatever order its parts come: T11, ever new label values of
// one counter.
func TestMergedSetsStayWithinTheirBound(t *testing.T) {
	part := func(from, n int) []byte {
		set := map[string]ledger.Minutes{}
		for i := range n {
			var m ledger.Minutes
			Set(&m, i%60, 0, int64(from+i))
			set[fmt.Sprintf("requests/%05d", (from+i)*7919%100_000)] = m
		}
		b, err := Encode(nil, set)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	merge := func(parts ...[]byte) []byte {
		var all []byte
		for _, p := range parts {
			b, err := MergeEncoded(all, p)
			if err != nil {
				t.Fatal(err)
			}
			all = b
		}
		return all
	}
	a, b, c := part(0, 700), part(600, 900), part(1400, 1000)
	want := merge(a, b, c)
	for _, got := range [][]byte{merge(c, b, a), merge(b, a, c, a, b), merge(merge(a, c), merge(b, c))} {
		if !bytes.Equal(got, want) {
			t.Fatal("the order of merges decides what is kept")
		}
	}
	set, err := Decode[string](want)
	if err != nil || len(set) != MaxVectors {
		t.Fatalf("%d vectors, %v", len(set), err)
	}
}
