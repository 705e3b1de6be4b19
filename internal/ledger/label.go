package ledger

import "strings"

// FoldKey makes the spellings of one label key equal: the prefixes label_
// (kube-state-metrics) and user_ or user: (AWS cost allocation tags) are
// stripped; case and the characters - _ . / : do not matter (rule 9.2).
// "gpuledger.io/run-id", "label_gpuledger_io_run_id" and "user_team", "Team"
// are pairs of the same key.
func FoldKey(key string) string {
	key = strings.ToLower(key)
	for _, prefix := range []string{"label_", "user_", "user:"} {
		key = strings.TrimPrefix(key, prefix)
	}
	return keySeparators.Replace(key)
}

var keySeparators = strings.NewReplacer("-", "", "_", "", ".", "", "/", "", ":", "")

// Label returns the value of the first key, given in folded spelling and in order of preference, that labels carry
// with a value. If several spellings of one key are present, the smallest key in byte order wins.
func Label(labels map[string]string, folded ...string) string {
	if len(labels) == 0 {
		return ""
	}
	for _, want := range folded {
		best, value := "", ""
		for k, v := range labels {
			if v = strings.TrimSpace(v); v != "" && FoldKey(k) == want && (best == "" || k < best) {
				best, value = k, v
			}
		}
		if best != "" {
			return value
		}
	}
	return ""
}
