package azurecost

import (
	"strings"

	"gpuledger/ingest/table"
)

// parsePairs reads Tags and AdditionalInfo: a JSON object, or its inside without the braces.
func parsePairs(text string) ([]table.Pair, error) {
	text = strings.TrimSpace(text)
	if table.IsNull(text) {
		return nil, nil
	}
	if text[0] == '"' {
		text = "{" + strings.TrimRight(text, ", ") + "}"
	}
	return table.ParsePairs(text)
}

// pairCache caches the maps of recent texts, which repeat every day.
type pairCache struct{ known map[string]pairResult }

type pairResult struct {
	pairs []table.Pair
	bad   bool
}

const pairCacheSize = 4096

// get returns the pairs of a text; ok is false if it is not a map.
func (c *pairCache) get(text string) (pairs []table.Pair, ok bool) {
	if r, hit := c.known[text]; hit {
		return r.pairs, !r.bad
	}
	p, err := parsePairs(text)
	if c.known == nil || len(c.known) >= pairCacheSize {
		c.known = make(map[string]pairResult)
	}
	c.known[strings.Clone(text)] = pairResult{p, err != nil}
	return p, err == nil
}

// look finds a value by its key, ignoring case: VMName is VmName on network lines.
func look(pairs []table.Pair, key string) string {
	for _, p := range pairs {
		if strings.EqualFold(p.Key, key) {
			return p.Value
		}
	}
	return ""
}
