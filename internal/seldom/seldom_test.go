package seldom_test

import (
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gpuledger/internal/seldom"
)

// TestNothingIsSaidTooOften draws moments and messages: a message is due at most once in each stretch, and all left-out
// repeats are reported.
func TestNothingIsSaidTooOften(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := seldom.New(time.Minute)
		now := time.Unix(1_790_000_000, 0)
		last, silent := map[string]time.Time{}, map[string]int{}
		for _, step := range rapid.SliceOfN(rapid.IntRange(0, 40), 1, 200).Draw(t, "seconds between") {
			now = now.Add(time.Duration(step) * time.Second)
			text := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "word")
			missed, due := w.Due(text, now)
			before, known := last[text]
			if want := !known || now.Sub(before) >= time.Minute; due != want {
				t.Fatalf("%s at %s: due %t, said last at %s", text, now, due, before)
			}
			if !due {
				silent[text]++
				continue
			}
			if missed != silent[text] {
				t.Fatalf("%s: %d were left out, not %d", text, silent[text], missed)
			}
			last[text], silent[text] = now, 0
		}
	})
}

// TestWordsAreBounded: endless new messages do not fill the memory, and do not each get a line.
func TestWordsAreBounded(t *testing.T) {
	w := seldom.New(time.Minute)
	said := 0
	for i := range 5000 {
		if _, due := w.Due(strconv.Itoa(i), time.Unix(1, 0)); due {
			said++
		}
	}
	if said > 1001 {
		t.Errorf("%d words were said", said)
	}
}
