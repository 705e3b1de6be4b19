// Package otlp reads OpenTelemetry metrics (OTLP, protobuf and JSON) as the
// Prometheus series that they are equal to, so that one set of tables says what
// names mean.
//
// It owns the conversion: names (dots become underscores, units and _total are
// appended unless a known name is met before), labels (of a point, and of its
// resource as target labels with Prometheus' rule for clashes), histograms as
// cumulative buckets, and deltas as running sums with the time where they
// began. Integers stay integers; floats become their shortest decimal.
//
// It refuses what cannot be parsed as a whole, and points without a time, with
// values that are none, or of deltas that come after later ones, one by one. It
// guarantees bounded memory: the caller bounds the message, sums of deltas are
// kept for a bounded number of series, and nested attributes are cut off. What
// times are plausible is the caller's to say.
package otlp
