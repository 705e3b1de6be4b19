// Package advice finds savings: it turns the needs of workloads, findings of waste, and prices into recommendations
// with money, evidence, confidence, effort and risk (docs/figures.md, section 19).
//
// It is pure: equal inputs give equal recommendations in equal order. Money is exact and scaled to a month once, at the
// end. Advice never goes beyond the inputs: without a day of telemetry, a price or a rate there is no recommendation,
// and never a commitment for bursts.
package advice
