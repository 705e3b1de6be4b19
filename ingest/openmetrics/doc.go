// Package openmetrics reads text exposition with timestamps: what exporters
// serve and `promtool tsdb create-blocks-from openmetrics` reads.
// It turns dcgm-exporter, kube-state-metrics, vLLM and checkpoint series into
// ledger.Telemetry.
//
// It owns the line scanner, the exact reading of decimals, and the tables that
// map metric names and units to signals and facts (dcgm_table.go,
// kube_table.go, inference_table.go): a new exporter version is a new row.
//
// Guarantees. Every line is a fact, an absent value (NaN, stale marker, blank
// sentinel), an ignored series, or a counted rejection with line and column.
// Numbers never pass through floats. Memory does not grow with the length of
// the input, only with the number of pods and containers that a file names:
// requests are summed over them. What is emitted merges commutatively: cutting a file in two,
// shuffling its samples or reading it twice gives the same telemetry after the
// merges that the types of package ledger describe. Two limits: a pod's
// requests are summed over the containers of one file, and bit sets of states
// (ready, cordoned) keep no sample times, so that several samples of one
// minute must come in one file.
//
// Units of time: OpenMetrics writes seconds, the Prometheus text format
// milliseconds. The plausible ranges of both never overlap, so the magnitude of
// each timestamp tells. A file with timestamps in seconds must end with # EOF;
// without it the input is cut off and Parse returns an error. Nothing of a file
// for which Parse returned an error may be published.
//
// The unit of a value comes from the metric's name. Under the one name that
// does not tell, DCGM_FI_DEV_GPU_UTIL_RATIO, Options decide, else the driver
// version label that changed its name together with the unit; without either
// the rows are rejected.
//
// Values that a MIG row repeats from its parent (power, energy, temperature,
// XID, utilisation, link traffic) are stored once, for the whole device; the
// slice itself gets ledger.SignalSeen in that minute, so that its existence is
// known even while profiling fields are missing.
package openmetrics
