package minutes

import "gpuledger/internal/ledger"

// Known returns the minutes for which a packed set has any value. It unpacks no values, except in sets of an old form.
func Known(b []byte) (uint64, error) {
	r := reader{b: b}
	var known uint64
	if v := r.byte(); r.err == nil && v != version {
		err := walk(b, func(int) {}, func(string) bool { return true },
			func(_ string, m *ledger.Minutes) { known |= m.Known })
		return known, err
	}
	for range r.count("timings", 2) {
		var t timing
		r.timing(&t)
		known |= t.known
	}
	return known, r.err
}
