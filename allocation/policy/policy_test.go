package policy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDefaultIsValidAndSurvivesText(t *testing.T) {
	p := Default()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := Default()
		p.Version = rapid.StringN(1, 20, 60).Draw(t, "version")
		p.IdleMinutes = rapid.Int64Range(1, 60).Draw(t, "idle")
		p.OverheadLimit = rapid.Int64Range(0, 3600).Draw(t, "overhead")
		text, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := back.Encode(); err != nil || string(again) != string(text) {
			t.Fatalf("%s became %s: %v", text, again, err)
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"version":"x","idle_minuets":3}`:           "unknown field",
		`{"version":""}`:                             "version is empty",
		`{"version":"x","idle_threshold_ppm":-1}`:    "idle_threshold_ppm is -1",
		`{"version":"x","idle_minutes":61}`:          "allowed is 1 to 60",
		`{"version":"x"} {"version":"y"}`:            "text after",
		`{"version":"x","scrape_step_seconds":"60"}`: "cannot unmarshal",
	} {
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Decode(%s): %v, want %q", text, err, want)
		}
	}
}
