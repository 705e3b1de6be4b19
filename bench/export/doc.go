// Command bench/export measures how fast figures leave the ledger (make bench-export).
//
// It copies the database of a demo, multiplies its postings (fill.go) and then compares by turns: a whole export as
// Parquet and CSV with psql, which copies the same rows from the view of BI tools (export.go); 100 rows as JSON with a
// bare handler that reads the same rows from a ready table (rest.go). Last, it asks for a day of 800 GPUs per pod and
// hour (day.go).
package main
