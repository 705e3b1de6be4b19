// Command bench/telemetry measures how fast telemetry is taken, in the terms in
// which it must be fast (make bench-telemetry).
//
// It owns an invented fleet (GPUs with 20 dcgm-exporter series each) and three
// measurements. remote_write: the same stream, with many requests under way as
// Prometheus sends them, to "gpuledger serve" with a PostgreSQL that syncs,
// and to Prometheus' own receiver where it is installed, in turns, with
// sender, server and database on the same two cores. openmetrics: a file of
// the same fleet from the file to published facts. rollup: percentiles against
// the database's own.
//
// A remote_write round ends with kill -9 of the server at the moment of the
// last answer; another one is started, and every acknowledged minute of every
// series must be in the database. It refuses to give a figure when one is not.
package main
