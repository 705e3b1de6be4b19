// Package find serves the search for names of all kinds: of owners, runs, workloads, services, nodes and devices with
// their cost in the period, of pages and of metrics. The palette shows the same results.
package find
