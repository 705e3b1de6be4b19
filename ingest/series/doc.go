// Package series turns Prometheus series into ledger.Telemetry, whichever way
// they came: exposition text, remote_write, range queries, OTLP.
//
// It owns what a metric name and its labels mean: the tables that map names
// and units to signals and facts (dcgm_table.go, host_table.go, kube_table.go,
// inference.csv, leftout.go; docs/reference/series.md is written from them), the exact
// reading of decimals, and the Collector that gathers samples by minute and
// hour. A new exporter version is a new row, a new inference server a row of
// data.
//
// Guarantees. Every sample is part of a fact, an absent value, an unmapped
// series or a fault with a countable reason. Numbers never pass through floats
// except where a protocol carries them so, and then as their shortest decimal.
// What is emitted merges commutatively: cutting the input in two, shuffling it
// or giving it twice makes the same telemetry after the merges that the types
// of package ledger describe. The limits: a pod's requests are summed over the
// containers that one Collector has seen; restarts that are told by counts
// alone, and jobs that are suspended, are events where one Collector sees both
// sides of the change; bit sets of states (ready, cordoned) keep no sample
// times, so that several samples of one minute must come to one Collector
// between two flushes.
//
// The unit of a value comes from the metric's name. Under the one name that
// does not tell, DCGM_FI_DEV_GPU_UTIL_RATIO, Options decide, else the driver
// version label that changed its name together with the unit; without either
// the samples are refused.
//
// Values that a MIG row repeats from its parent (power, energy, temperature,
// XID, utilisation, link traffic) are stored once, for the whole device; the
// slice itself gets ledger.SignalSeen in that minute, so that its existence is
// known even while profiling fields are missing.
//
// It refuses nothing of a time line: what times are plausible is its callers'
// to say.
package series
