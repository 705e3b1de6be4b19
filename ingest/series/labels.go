package series

import "strings"

// Label is one pair of a series, unescaped.
type Label struct{ Name, Value string }

// Labels are a series' pairs without its name, in any order, each name once.
type Labels []Label

// Get returns the value of the label, empty if it has none.
func (l Labels) Get(name string) string {
	for i := range l {
		if l[i].Name == name {
			return l[i].Value
		}
	}
	return ""
}

// Has reports whether the label exists, even with an empty value.
func (l Labels) Has(name string) bool {
	for i := range l {
		if l[i].Name == name {
			return true
		}
	}
	return false
}

// own prefers labels that Prometheus renamed to exported_… when it attached target labels of
// the same name; an empty label counts as absent.
func (l Labels) own(name string) string {
	if v := l.Get("exported_" + name); v != "" {
		return v
	}
	return l.Get(name)
}

// fold returns the first non-empty value among the names, ignoring case.
func (l Labels) fold(names ...string) string {
	for _, n := range names {
		for i := range l {
			if l[i].Value != "" && strings.EqualFold(l[i].Name, n) {
				return l[i].Value
			}
		}
	}
	return ""
}
