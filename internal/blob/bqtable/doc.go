// Package bqtable reads bq://project.dataset.table: a Cloud Billing export in
// BigQuery, one file of JSON lines per day of export.
//
// It owns the listing of days (one query over export_time, which also returns the partitions of a day's rows, so that
// reading a day reads nothing else), and the writing of rows in the form of BigQuery's own JSON export: INT64, NUMERIC
// and BIGNUMERIC as exact text, FLOAT64 as the shortest number that reads back the same, times in UTC, repeated fields
// as arrays, nulls left out. Files of this form are then read like exported ones.
//
// It guarantees that all passes over a file see the same rows: they read the result of one query job. It refuses tables
// without export_time. It writes nothing except the anonymous results of its queries.
package bqtable
