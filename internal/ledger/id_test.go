package ledger

import (
	"testing"

	"pgregory.net/rapid"
)

func TestIDsInStepsAreIDs(t *testing.T) {
	var prefix IDPrefix // over all cases
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.StringN(0, 70, -1), 1, 8).Draw(t, "parts")
		common := rapid.IntRange(0, len(parts)).Draw(t, "common")
		text := AppendIDPart(nil, "kind")
		if common == 0 {
			prefix.Set(text)
		}
		for i, p := range parts {
			text = AppendIDPart(text, p)
			if i+1 == common {
				prefix.Set(text)
			}
		}
		want := NewID("kind", parts...)
		if HashID(text) != want || prefix.Hash(text) != want || prefix.Hash(text) != want {
			t.Fatalf("%q: %s, in steps %s, after a prefix %s", parts, want, HashID(text), prefix.Hash(text))
		}
	})
	const stored = "1d1862a4a258cfebfd1e5abba6e45a4a" // an id must never change
	if got := NewID("usage", "a", "").String(); got != stored {
		t.Errorf("%s, want %s", got, stored)
	}
}
