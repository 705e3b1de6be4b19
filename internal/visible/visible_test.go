package visible_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"gpuledger/internal/visible"
)

func TestCharactersThatMoveTheCursorOrTurnTextAreEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"team-a Größe 東京 😀":     "team-a Größe 東京 😀",
		"a\x1b[2Jb":             `a\u001b[2Jb`,
		"a\x9b2Jb":              `a\x9b2Jb`,
		"a\u009b2Jb":            `a\u009b2Jb`,
		"a\u202egnp":            `a\u202egnp`,
		"\u2066x\u2069\u200f":   `\u2066x\u2069\u200f`,
		"one\ntwo\tthree\r\x7f": `one\u000atwo\u0009three\u000d\u007f`,
		"a\u2028b\u2029c\u0085": `a\u2028b\u2029c\u0085`,
		"\x00":                  `\u0000`,
	} {
		if got := visible.Text(in); got != want {
			t.Errorf("%q is shown as %s, want %s", in, got, want)
		}
	}
}

func TestAWriterKeepsLinesAndShowsTheRest(t *testing.T) {
	in := "a\tb\nGröße 東京\x1b]0;t\x07 \u202e\r\n"
	want := "a\tb\nGröße 東京" + `\u001b]0;t\u0007 \u202e\u000d` + "\n"
	for _, step := range []int{1, 2, 3, 5, len(in)} { // characters may come in halves
		var out bytes.Buffer
		w := visible.To(&out)
		for rest := in; rest != ""; {
			n := min(step, len(rest))
			if m, err := w.Write([]byte(rest[:n])); m != n || err != nil {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		if out.String() != want {
			t.Errorf("by %d: %q", step, out.String())
		}
		if visible.Raw(w) != &out {
			t.Error("not what it writes to")
		}
	}
}

func TestValuesMakeNoLines(t *testing.T) {
	var out bytes.Buffer
	visible.Fprintf(&out, "pod %s: %d\n", "x\nok    everything", 3)
	if out.String() != "pod x\\u000aok    everything: 3\n" {
		t.Errorf("%q", out.String())
	}
}

// Characters that JSON leaves unescaped have the same meaning after escaping.
func TestJSONStaysJSON(t *testing.T) {
	value := "a\u202eb\u0085\x1b"
	var out bytes.Buffer
	if err := json.NewEncoder(visible.To(&out)).Encode(value); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != value ||
		strings.ContainsAny(out.String(), "\u202e\u0085") {
		t.Errorf("%s: %v", out.String(), err)
	}
}
