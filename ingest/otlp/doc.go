// Package otlp reads OpenTelemetry metrics (OTLP, protobuf and JSON) as the equivalent
// Prometheus series, so that one set of tables interprets names.
//
// It owns the conversion: names (dots become underscores; units and _total are appended unless
// a known name is found before), labels (of a point, and of its resource as target labels with
// Prometheus' rule for clashes), histograms as cumulative buckets, and deltas as running sums
// with their start time. Integers stay integers; floats become their shortest decimal.
//
// It refuses messages that cannot be parsed as a whole. It refuses points one by one if they
// have no time, an invalid value, or are deltas after later ones. Memory is bounded: the caller
// bounds the message, sums of deltas are kept for a bounded number of series, and nested
// attributes are cut off. The caller decides which times are plausible.
package otlp
