package policy

import (
	"slices"
)

// Passes reports whether the rule applies to a team's cost of a cause in a cluster; cluster is empty for cost without
// one.
func (r Redistribution) Passes(cluster, team, cause string) bool {
	return matches(r.Cluster, cluster) && matches(r.From, team) && (len(r.Causes) == 0 || slices.Contains(r.Causes, cause))
}

// Redistribution returns the first rule of the version that applies to a pool, with its place in the document; false if
// there is none (rule 12.3).
func (v Version) Redistribution(cluster, team, cause string) (int, Redistribution, bool) {
	for i, r := range v.Redistribute {
		if r.Passes(cluster, team, cause) {
			return i, r, true
		}
	}
	return 0, Redistribution{}, false
}

// Shares reports whether the version passes on any cost.
func (v Version) Shares() bool {
	return v.SharesCommitments() ||
		slices.ContainsFunc(v.Redistribute, func(r Redistribution) bool { return r.Method != PassNone })
}

// SharesCommitments reports whether discounts of commitments move.
func (v Version) SharesCommitments() bool { return v.Commitments == ToBuyer || v.Commitments == ToAll }
