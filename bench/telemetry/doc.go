// Command bench/telemetry measures how fast telemetry is ingested, in the terms of its targets (make bench-telemetry).
//
// It owns an invented fleet (GPUs with 20 dcgm-exporter series each) and three measurements. remote_write: the same
// stream, with many requests under way like Prometheus, to "gpuledger serve" with a PostgreSQL that syncs, and to
// Prometheus' own receiver if it is installed, alternating, with sender, server and database on the same two cores.
// openmetrics: a file of the same fleet from the file to published facts. rollup: percentiles against the database's
// own.
//
// A remote_write round ends with kill -9 of the server at the moment of the last answer; another one is started, and
// every acknowledged minute of every series must be in the database. If one is missing, it reports no figure.
package main
