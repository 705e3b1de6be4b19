package records

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestMoments(t *testing.T) {
	east := time.FixedZone("", 3600)
	for text, want := range map[string]int64{
		"2026-11-02T01:00:00Z": 1793581200000, "2026-11-02T02:00:00+01:00": 1793581200000,
		"2026-11-02T02:00:00.25+0100": 1793581200250,
		"2026-11-02 02:00:00":         1793581200000,
		"2026-11-02T02:00":            1793581200000, "2026-11-02 01:00:00 UTC": 1793581200000,
		"2026-11-02 01:00:00 +0000 UTC": 1793581200000, "2026-11-02 01:00:00+00:00": 1793581200000,
		"1793581200": 1793581200000, "1793581200123": 1793581200123, "1793581200.5": 1793581200500,
		"": -1, "7": -1, "1.2.3": -1, "yesterday": -1, "99999999999999999999": -1, "0001-01-01T00:00:00Z": -1,
		"946684799": -1, "946684800": 946684800000, "4102444799.9": 4102444799900,
		"4102444800": -1, "25340230079": -1, "253402300799000": -1,
		"2100-01-01T00:00:00Z": -1, "9999-12-31T23:59:59Z": -1,
	} {
		got, err := Moment(text, east)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d %v, want %d", text, got, err, want)
		}
	}
}

func TestCleanTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := Clean(string(rapid.SliceOfN(rapid.Byte(), 0, 3000).Draw(t, "bytes")))
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\n\t") || len(got) > maxText || got != Clean(got) {
			t.Fatalf("%q", got)
		}
	})
}
