// Package promquery reads history from servers with Prometheus' query API: Prometheus, Thanos,
// Mimir, VictoriaMetrics and compatible ones.
//
// It queries raw samples (an instant query of a range selector), never steps, which fill gaps
// and prolong series that have ended. It queries only names that ingest/series knows. A query
// whose answer is too large, for this package or for the server, is split: first into fewer
// names, then into shorter times, and the size that worked is kept for the next queries.
//
// A window [from, to) is exact to the millisecond on both sides, whichever end a server
// includes, and each of its samples is a fact, an absent value or a counted rejection. An
// answer that may be partial (warnings, isPartial) is queried again and finally refused: no
// incomplete answer counts as complete. It refuses redirects to other hosts and answers above a
// bound.
package promquery
