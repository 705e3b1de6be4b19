package chart

import (
	"strconv"
	"strings"
)

// MinuteLine is a small area chart with a step per minute, and gaps for unknown
// minutes.
type MinuteLine struct {
	Area  string // path of the known minutes; empty: none
	Width int    // minutes
}

// MinuteHeight is the height of a MinuteLine in its own coordinates.
const MinuteHeight = 24

// Minutes draws values of 0..whole, negative = unknown, one unit wide each.
func Minutes(values []int64, whole int64) MinuteLine {
	var b strings.Builder
	open := false
	last := -1
	end := func(x int) {
		if open {
			b.WriteString("H" + strconv.Itoa(x) + "V" + strconv.Itoa(MinuteHeight) + "Z")
			open = false
		}
	}
	for x, v := range values {
		if v < 0 || whole <= 0 {
			end(x)
			continue
		}
		// A known minute always shows: zero is a line at the bottom.
		y := MinuteHeight - max(int(min(v, whole)*MinuteHeight/whole), 1)
		switch {
		case !open:
			b.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(MinuteHeight) + "V" + strconv.Itoa(y))
			open = true
		case y != last:
			b.WriteString("H" + strconv.Itoa(x) + "V" + strconv.Itoa(y))
		}
		last = y
	}
	end(len(values))
	return MinuteLine{Area: b.String(), Width: len(values)}
}
