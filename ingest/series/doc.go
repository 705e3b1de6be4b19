// Package series turns Prometheus series into ledger.Telemetry, from any source: exposition
// text, remote_write, range queries, OTLP.
//
// It owns the meaning of metric names and labels: the tables that map names and units to
// signals and facts (dcgm_table.go, host_table.go, kube_table.go, inference.csv, leftout.go;
// docs/reference/series.md is generated from them), the exact reading of decimals, and the
// Collector that gathers samples by minute and hour. A new exporter version is a new row, a new
// inference server a row of data.
//
// Guarantees. Every sample is part of a fact, an absent value, an unmapped series or a fault
// with a countable reason. Numbers never pass through floats unless a protocol carries floats,
// and then as their shortest decimal. Emitted facts merge commutatively: splitting, shuffling
// or repeating the input gives the same telemetry after the merges described in package ledger.
// The limits: a pod's requests are summed over the containers that one Collector has seen.
// Restarts known only from counts, and suspensions of jobs, are events if one Collector sees
// both sides of the change. Bit sets of states (ready, cordoned) keep no sample times, so
// several samples of one minute must arrive at one Collector between two flushes.
//
// The unit of a value comes from the metric's name. For the one ambiguous name,
// DCGM_FI_DEV_GPU_UTIL_RATIO, Options decide, else the driver version label, which was renamed
// together with the unit; without either, the samples are refused.
//
// Values that a MIG row repeats from its parent (power, energy, temperature,
// XID, utilisation, link traffic) are stored once, for the whole device; the
// slice itself gets ledger.SignalSeen in that minute, so that its existence is
// known even while profiling fields are missing.
//
// It refuses no sample because of its time: its callers decide which times are plausible.
package series
