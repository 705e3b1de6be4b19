// Package books serves the pages about the sources of the ledger: reconciliation
// of bills with postings, bill lines, deliveries and imports, closed periods and
// their statements, the policy, and the coverage of tags.
//
// It decides how a difference is shown: a sum never hides one, and a difference
// in a closed period is named. Every change to the books goes through the desk,
// which checks rights; this package changes nothing by itself.
package books
