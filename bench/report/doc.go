// Command bench/report measures how fast pages answer over a year of 10,000 GPUs
// (make bench-report).
//
// It owns an invented year (year.go, sql/): teams, services, runs, notebooks and free machines as the ledger's daily
// sums, staged into roll-ups by the code that rolls up the ledger. The ledger itself, some hundred million rows, is not
// made. It runs the queries of metrics.PageQueries over the twelve months, counts the rows that the server reads for
// each (EXPLAIN), and then sends them at a steady rate, with each answer computed by the database. The time of the same
// queries on postings is measured on a ledger that is small enough (ledger.go), where both answers must be equal. The
// pages' queries on datasets other than costs run one after another (pages.go).
package main
