package nearest

import (
	"cmp"
	"slices"
	"strings"
)

// Names sorts names by likeness to a typed one, the most alike first.
func Names(typed string, names []string) []string {
	wanted := fold(typed)
	near := slices.Clone(names)
	slices.SortFunc(near, func(a, b string) int {
		return cmp.Or(cmp.Compare(distance(wanted, fold(a)), distance(wanted, fold(b))),
			strings.Compare(a, b))
	})
	return slices.Compact(near)
}

// Name is the nearest name; empty if more than half of the letters differ.
func Name(typed string, names []string) string {
	if len(names) == 0 || len(typed) > maxTyped {
		return ""
	}
	best := Names(typed, names)[0]
	if distance(fold(typed), fold(best)) > max(1, len(typed)/2) {
		return ""
	}
	return best
}

// Suggest suggests the nearest name in an error; empty if there is none.
func Suggest(typed string, names []string) string { return Meant(Name(typed, names)) }

// Meant suggests a name in an error; empty without one.
func Meant(name string) string {
	if name == "" {
		return ""
	}
	return " (did you mean " + name + "?)"
}

// fold is a name without what people get wrong most: case and separators.
func fold(name string) string { return separators.Replace(strings.ToLower(name)) }

var separators = strings.NewReplacer("-", "", "_", "", ".", "", "/", "", ":", "")

// maxTyped is the longest typed name that is compared.
const maxTyped = 64

// distance is the number of letters to insert, delete or change to turn one text into another (Levenshtein 1965).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
