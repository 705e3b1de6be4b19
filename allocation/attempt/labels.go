package attempt

import (
	"strings"

	"gpuledger/internal/ledger"
)

// labels are a set of labels by folded key (ledger.FoldKey): of several spellings of one key the smallest in byte order
// counts.
type labels map[string]spelt

type spelt struct{ key, value string }

// get returns the value of the first of the folded keys that has one.
func (l labels) get(folded ...string) string {
	for _, key := range folded {
		if v := l[key].value; v != "" {
			return v
		}
	}
	return ""
}

// folder folds labels; it caches keys, of which a cluster has few.
type folder map[string]string

func (f folder) fold(set map[string]string) labels {
	if len(set) == 0 {
		return nil
	}
	out := make(labels, len(set))
	for key, value := range set {
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		folded, known := f[key]
		if !known {
			folded = ledger.FoldKey(key)
			f[key] = folded
		}
		if old, twice := out[folded]; !twice || key < old.key {
			out[folded] = spelt{key, value}
		}
	}
	return out
}
