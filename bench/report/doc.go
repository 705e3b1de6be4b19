// Command bench/report measures how fast pages answer over a year of 10,000 GPUs
// (make bench-report).
//
// It owns an invented year (year.go, sql/): teams, services, runs, notebooks and
// free machines as day by day the ledger would add up to, staged into roll-ups by
// the code that adds up the ledger. The ledger itself, some hundred million rows,
// is not made. It asks the questions of metrics.PageQueries about the twelve
// months, counts the rows that the server reads for each (EXPLAIN), and then
// sends them at a steady rate, each question answered by the database anew. What
// the same questions take from postings is measured on a ledger that is small
// enough (ledger.go), where answers of both must be equal. What pages ask of
// datasets other than costs it asks one after another (pages.go).
package main
