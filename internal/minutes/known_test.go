package minutes

import (
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
)

func TestKnownIsTheUnionOfAllVectors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := map[string]ledger.Minutes{}
		var want uint64
		for _, name := range []string{"gr_engine_ppm", "power_mw", "other"}[:rapid.IntRange(0, 3).Draw(t, "vectors")] {
			var m ledger.Minutes
			for i := range 60 {
				if rapid.IntRange(0, 3).Draw(t, "known") > 0 {
					Set(&m, i, i*7%59, int64(i))
				}
			}
			set[name] = m
			want |= m.Known
		}
		b, err := Encode(nil, set)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Known(b); err != nil || got != want {
			t.Errorf("known is %x, %v; want %x", got, err, want)
		}
	})
	if _, err := Known([]byte{version}); err == nil {
		t.Error("a set that ends after its version is read")
	}
}
