// Package scrape scrapes exporters itself, for sites without Prometheus: configured targets, or
// those that an http_sd address lists, at their interval.
//
// It owns the schedule (each target at its own moment of the interval, never twice at once),
// one instant per scrape for samples without a time, the attached labels (with Prometheus' rule
// for clashes, so that the same rules read both), and the health of targets. Package
// openmetrics reads the text, and the Sink takes the facts.
//
// It refuses bodies above a bound, redirects to other hosts and link-local addresses. A failed
// or truncated scrape gives no facts at all, and a silent target gives none either.
package scrape
