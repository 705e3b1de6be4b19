// Package promquery reads history out of servers that answer Prometheus' query
// API: Prometheus, Thanos, Mimir, VictoriaMetrics and what calls itself
// compatible.
//
// It asks for raw samples (an instant query of a range selector), never for
// steps, which fill gaps and prolong series that have ended. Only names that
// ingest/series knows are asked for. A question whose answer is too large, or
// that the server finds too large, is cut: first into fewer names, then into
// shorter times, and what was learned is kept for the next.
//
// It guarantees that a window [from, to) is exact to the millisecond on both
// sides, whichever end a server counts in, and that each sample of it is a
// fact, an absent value or a counted rejection. An answer that says it may be
// partial (warnings, isPartial) is asked again and in the end refused: nothing
// incomplete is taken for complete. It refuses redirects to other hosts and
// answers above a bound.
package promquery
