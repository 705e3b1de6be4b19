package ledger

import (
	"maps"
	"slices"
	"strings"
)

// LabelSet are labels in layers, the one with precedence first: of a pod, its root owner, its namespace. The maps are
// shared with the facts that they come from, so they must not be changed.
type LabelSet [3]map[string]string

// Folded are all labels by folded key, each with the value of the first layer that carries it; of several spellings
// in one layer, the smallest key in byte order wins. Labels without a value are left out.
func (s LabelSet) Folded() map[string]string {
	out := map[string]string{}
	for _, layer := range s {
		said := map[string]string{}
		for _, key := range slices.Sorted(maps.Keys(layer)) {
			value := strings.TrimSpace(layer[key])
			if folded := FoldKey(key); value != "" && folded != "" && said[folded] == "" {
				said[folded] = value
			}
		}
		for key, value := range said {
			if _, answered := out[key]; !answered {
				out[key] = value
			}
		}
	}
	return out
}
