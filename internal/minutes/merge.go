package minutes

import (
	"math/bits"

	"gpuledger/internal/ledger"
)

// AllKnown is the Known mask of an hour without gaps.
const AllKnown = 1<<60 - 1

// Set records a sample of minute 0..59, taken atMillis (0..59999) after the minute's start. A sample that is older than
// the present one, or as old and not larger, changes nothing. Arguments out of range change nothing and return false.
func Set(m *ledger.Minutes, minute int, atMillis int, value int64) bool {
	if uint(minute) >= 60 || uint(atMillis) >= 60000 {
		return false
	}
	bit := uint64(1) << uint(minute)
	at := uint16(atMillis)
	if m.Known&bit != 0 {
		if have := m.At[minute]; at < have || at == have && value <= m.Value[minute] {
			return true
		}
	}
	m.Known |= bit
	m.At[minute] = at
	m.Value[minute] = value
	return true
}

// Merge folds src into dst.
func Merge(dst, src *ledger.Minutes) {
	for left := src.Known & AllKnown; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		Set(dst, i, int(src.At[i]), src.Value[i])
	}
}

// At returns the value of a minute and whether it is known.
func At(m *ledger.Minutes, minute int) (int64, bool) {
	if uint(minute) >= 60 || m.Known>>uint(minute)&1 == 0 {
		return 0, false
	}
	return m.Value[minute], true
}
