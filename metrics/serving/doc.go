// Package serving turns counters of inference servers into served requests and tokens and their cost: rises per hour,
// layers, models, shares of cost, percentiles of merged buckets (docs/figures.md, section 16).
//
// It owns the meaning of canonical counter names, the join of served names to models, and the division of a workload's
// cost between the models that it served. It is pure and works in integers and exact amounts: shares of a workload and
// hour add up to the workload's, per currency, state and cause. Uncounted quantities are unknown, never 0, and nothing
// is extrapolated.
package serving
