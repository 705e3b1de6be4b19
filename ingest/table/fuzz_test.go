package table

import (
	"slices"
	"testing"
)

func FuzzParsePairs(f *testing.F) {
	for _, s := range []string{`{"a":"b","c":1.5, "d" : "é"}`, `{"a":1,"a":2}`, `{"a":-0}`, `{"a":"
"}`, `{"a":"b"} x`, `{"":""}`, `{"a":01}`, `{}`, `[]`, `{"a":"b"}`, `[{"key":"a","value":1.50}]`, `{"a":{"b":null}}`, `x`, ` [`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := ParsePairs(text)
		if err != nil && pairs != nil {
			t.Fatal("pairs beside an error")
		}
		if plain, ok := plainPairs(text); ok {
			if slow, serr := jsonPairs(text); serr != nil || !slices.Equal(plain, slow) {
				t.Fatalf("%q: %v, slowly %v (%v)", text, plain, slow, serr)
			}
		}
		for i := 1; i < len(pairs); i++ {
			if comparePairs(pairs[i-1], pairs[i]) > 0 {
				t.Fatalf("unsorted: %v", pairs)
			}
		}
	})
}

func FuzzInstant(f *testing.F) {
	for _, s := range []string{
		"2026-10-01T00:00:00Z", "2026-10-01 00:00:00", "2026-10-01", "2026-10-01T00:00:00+02:00", "2026-02-30",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fast, ok := plainInstant(s)
		slow, err := ParseInstant(s)
		if ok && (err != nil || fast != slow) {
			t.Fatalf("%q: %s, %s %v", s, fast, slow, err)
		}
	})
}
