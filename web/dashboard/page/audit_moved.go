package page

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// moved prints a change as "old → new": a word, or one per field. It omits unchanged fields,
// and numbers, which the entry has elsewhere.
func moved(from, to any) (words []string) {
	a, before := from.(map[string]any)
	b, after := to.(map[string]any)
	if !before && !after {
		if from == nil && to == nil {
			return nil
		}
		return []string{plain(from) + " → " + plain(to)}
	}
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		x, y := plain(a[name]), plain(b[name])
		_, number := a[name].(float64)
		switch _, too := b[name].(float64); {
		case x == y || number || too:
		case name == "state":
			words = slices.Insert(words, 0, x+" → "+y)
		default:
			words = append(words, name+": "+x+" → "+y)
		}
	}
	return words
}

// plain prints a value of a detail in words.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		return v
	case []any:
		var list []string
		for _, one := range v {
			list = append(list, plain(one))
		}
		return strings.Join(list, " or ")
	}
	text, err := json.Marshal(v)
	if err != nil { // it was JSON
		return fmt.Sprint(v)
	}
	return string(text)
}
