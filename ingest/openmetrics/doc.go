// Package openmetrics reads text exposition with timestamps: the output of exporters, and the
// input of `promtool tsdb create-blocks-from openmetrics`.
//
// It owns the text: lines, names, labels, numbers, times. Package ingest/series interprets the
// series; this package feeds its Collector.
//
// Guarantees. Every line is a fact, an absent value (NaN, stale marker, blank sentinel), an
// ignored series, or a counted rejection with line and column. Numbers never pass through
// floats. Memory does not grow with the length of the input, only with the number of pods and
// containers that a file names: requests are summed over them. Emitted facts merge
// commutatively: splitting a file in two, shuffling its samples or reading it twice gives the
// same telemetry after the merges described in package ledger, within the limits that package
// ingest/series states for one Collector, which here is one file.
//
// Units of time: OpenMetrics writes seconds, the Prometheus text format milliseconds. The
// plausible ranges of both never overlap, so the magnitude of each timestamp decides. A file
// with timestamps in seconds must end with # EOF; without it the input is truncated and Parse
// returns an error. No fact of a file for which Parse returned an error may be published.
package openmetrics
