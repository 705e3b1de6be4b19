package metrics

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// Nearest sorts names by likeness to a typed one, the most alike first.
func Nearest(typed string, names []string) []string {
	wanted := ledger.FoldKey(typed)
	near := slices.Clone(names)
	slices.SortFunc(near, func(a, b string) int {
		return cmp.Or(cmp.Compare(distance(wanted, ledger.FoldKey(a)), distance(wanted, ledger.FoldKey(b))),
			strings.Compare(a, b))
	})
	return slices.Compact(near)
}

// DidYouMean suggests the nearest name in an error; empty if more than half of the letters differ.
func DidYouMean(typed string, names []string) string {
	if len(names) == 0 || len(typed) > maxTyped {
		return ""
	}
	best := Nearest(typed, names)[0]
	if distance(ledger.FoldKey(typed), ledger.FoldKey(best)) > max(1, len(typed)/2) {
		return ""
	}
	return " (did you mean " + best + "?)"
}

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
