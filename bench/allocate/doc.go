// Command bench/allocate measures how fast a month is allocated, alternating with the tools that people would use
// instead (make bench-allocate).
//
// It owns an invented fleet (fleet.go, story.go): nodes of eight GPUs with minute samples, pods that come and go,
// attempts that lose work, hourly charges, all from a seed, so that every contestant computes the same month. The
// halves are
//
//	engine    the pure engine from compact facts in memory to complete chunks,
//	          against DuckDB (engine.go, duckdb.go, sql/)
//	postgres  facts in PostgreSQL to committed postings, against SQL on the same
//	          server (postgres*.go)
//
// It prints device-minutes per second, ratios of one round and peak memory, and refuses to compare contestants whose
// totals per team and cause differ. Files are kept between runs.
package main
