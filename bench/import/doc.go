// Command bench/import measures how fast a bill is imported, in the terms of its target: alternating with psql on one
// server (make bench-import).
//
// It owns an invented CUR 2.0 month, written as Parquet, as gzip CSV and as the text that psql copies, by code that
// shares nothing with the parsers; and the rounds: two psql connections that \copy ready text into a logged table
// without indexes, against "gpuledger import aws-cur --keep-everything" of either form from files to published, indexed
// and checked charges. It prints rows per second, ratios and the importer's peak memory.
//
// Files are kept between runs; databases are dropped. It reports an error if an import does not accept all rows.
package main
