// Package scrape reads exporters itself, where no Prometheus does: configured
// targets, or those that an http_sd address lists, at their interval.
//
// It owns the schedule (each target at its own moment of the interval, never
// twice at once), one instant per scrape for samples without a time, the labels
// that are attached (with Prometheus' rule for clashes, so that the same rules
// read what both bring), and which targets answer. What text means is package
// openmetrics', and where facts go its Sink's.
//
// It refuses bodies above a bound, redirects to other hosts and link-local
// addresses. An answer that fails or is cut off gives nothing at all, and a
// target that is silent says nothing: nothing is made up for it.
package scrape
