// Package serving makes of counters of inference servers what was served and
// what it cost: rises per hour, layers, models, shares of cost, percentiles of
// merged buckets (docs/figures.md, section 16).
//
// It owns what canonical counter names mean, which model a served name stands
// for, and how a workload's cost is divided between the models that it served. It is pure and works in integers
// and exact amounts: shares of a workload and hour add up to the workload's,
// per currency, state and cause. What was not counted is unknown, never 0, and
// nothing is extrapolated.
package serving
