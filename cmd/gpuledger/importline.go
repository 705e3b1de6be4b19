package main

import (
	"fmt"
	"strings"
	"time"

	"gpuledger/ingest"
)

// settle is how long a phase must run before its rate is meaningful.
const settle = time.Second

// importLine is a progress line: the phase, the amount read, the
// rate, and the time left at that rate. A phase that reads nothing (publish) has no
// known end.
func importLine(p ingest.Progress, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d/%d %s", p.Source, p.PhaseNumber, p.Phases, p.Phase)
	elapsed := now.Sub(p.PhaseStart)
	if !p.ReadsFiles() {
		fmt.Fprintf(&b, ": %s rows, %s", thousands(p.Rows), clock(elapsed))
		return b.String()
	}
	if p.Unit != "" {
		fmt.Fprintf(&b, ": %d of %d %s", p.FilesDone, p.Files, p.Unit)
	} else {
		fmt.Fprintf(&b, ": %s of %s, %d of %d files", size(p.BytesDone), size(p.Bytes), p.FilesDone, p.Files)
	}
	if p.Rows > 0 {
		fmt.Fprintf(&b, ", %s rows", thousands(p.Rows))
	}
	if elapsed < settle {
		return b.String()
	}
	milliseconds := elapsed.Milliseconds()
	if p.Unit == "" {
		fmt.Fprintf(&b, ", %s/s", size(p.BytesDone*1000/milliseconds))
	}
	if p.PhaseRows > 0 {
		fmt.Fprintf(&b, ", %s rows/s", thousands(p.PhaseRows*1000/milliseconds))
	}
	done, all := p.BytesDone, p.Bytes
	if p.Unit != "" {
		done, all = int64(p.FilesDone), int64(p.Files)
	}
	if done > 0 && done < all {
		left := float64(elapsed) * float64(all-done) / float64(done)
		fmt.Fprintf(&b, ", %s left", clock(time.Duration(left)))
	}
	return b.String()
}

// size prints a number of bytes with two to three digits.
func size(n int64) string {
	const units = "kMGTP"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	v, u := float64(n)/1000, 0
	for v >= 999.5 && u < len(units)-1 {
		v, u = v/1000, u+1
	}
	digits := 0
	if v < 9.95 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %cB", digits, v, units[u])
}

// thousands groups digits.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// clock is a duration as m:ss or h:mm:ss.
func clock(d time.Duration) string {
	s := int64(d.Round(time.Second) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
