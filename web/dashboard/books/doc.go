// Package books answers the pages about what the ledger rests on: reconciliation
// of bills with postings, bill lines, deliveries and imports, closed periods and
// their statements, the policy, and the coverage of tags.
//
// It owns how a difference is shown: none is hidden in a sum, and a difference
// of a closed period is named. What changes the books passes the desk, which
// knows who may; this package changes nothing by itself.
package books
