package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Guarded is a change to the books that may need a second person (rule 11.5). It has the name of the right that it
// takes.
type Guarded string

// Changes that a document may name under second_person.
const (
	Reopening Guarded = "reopen" // reopening a closed period
	Policies  Guarded = "policy" // storing and withdrawing versions of the policy, including exchange rates
)

// Guards lists the guarded changes in the order of documents.
var Guards = []Guarded{Reopening, Policies}

// Guards reports whether a change needs a second person while the version is in force.
func (v Version) Guards(change Guarded) bool { return slices.Contains(v.SecondPerson, change) }

// guarded checks a list of changes and sorts it in the order of Guards.
func guarded(list []Guarded) ([]Guarded, error) {
	for i, g := range list {
		if !slices.Contains(Guards, g) {
			return nil, fmt.Errorf("second_person: %q is unknown: choose from %s", g, showGuarded(Guards))
		}
		if slices.Contains(list[:i], g) {
			return nil, fmt.Errorf("second_person: %s is given twice", g)
		}
	}
	return slices.DeleteFunc(slices.Clone(Guards), func(g Guarded) bool { return !slices.Contains(list, g) }), nil
}

// showGuarded is the list in a document's form.
func showGuarded(list []Guarded) string {
	var names []string
	for _, g := range list {
		names = append(names, string(g))
	}
	return "[" + strings.Join(names, ", ") + "]"
}
