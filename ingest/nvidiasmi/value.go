package nvidiasmi

import (
	"strings"
	"time"

	"gpuledger/ingest/series"
)

// absences are nvidia-smi's texts for a missing value, without brackets.
var absences = []string{
	"n/a", "-", "", "not supported", "insufficient permissions", "unknown error", "gpu is lost", "gpu requires reset",
	"requested functionality has been deprecated", "not found", "none", "unknown", "err!",
}

// absent reports whether a cell has no value. Texts change between drivers: everything in
// square brackets counts as absent.
func absent(s string) bool {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		return true
	}
	for _, a := range absences {
		if strings.EqualFold(s, a) {
			return true
		}
	}
	return false
}

// scales are the units of values and column heads, as powers of ten or factors to the base
// unit.
var scales = map[string]struct {
	shift  int32  // × 10^shift
	factor uint64 // × factor
}{
	"":     {0, 1},
	"%":    {-2, 1},
	"MiB":  {0, 1 << 20},
	"KiB":  {0, 1 << 10},
	"GiB":  {0, 1 << 30},
	"W":    {0, 1},
	"mW":   {-3, 1},
	"C":    {0, 1},
	"KB/s": {3, 1},
	"MB/s": {6, 1},
	"mJ":   {-3, 1},
	"J":    {0, 1},
}

// quantity reads "81559 MiB", "0 %", "698.10 W", or a bare number with the unit of the column's
// head. ok is false if there is no value; bad is true if it is unreadable.
func quantity(cell, unit string) (d series.Decimal, ok, bad bool) {
	cell = strings.TrimSpace(cell)
	if absent(cell) {
		return d, false, false
	}
	number, own, found := strings.Cut(cell, " ")
	if found {
		unit = strings.TrimSpace(own)
	}
	scale, known := scales[unit]
	d, n := series.ParseDecimal([]byte(number))
	if n == 0 || n != len(number) || !known {
		return d, false, true
	}
	d, fits := d.Scale(scale.factor, scale.shift)
	return d, fits, !fits
}

// layouts of times in these formats, all without a zone.
var layouts = []string{"2006/01/02 15:04:05.000", "2006/01/02 15:04:05", time.ANSIC, "Mon Jan _2 15:04:05 2006"}

// instant reads a time in the zone.
func instant(text string, zone *time.Location) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
