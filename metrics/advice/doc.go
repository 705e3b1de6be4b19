// Package advice says what could cost less: it turns what workloads needed of
// the cards that they held, findings of waste and prices into recommendations
// with money, evidence, confidence, effort and risk (docs/figures.md, section
// 19).
//
// It is pure: equal inputs give equal recommendations in equal order. Money is
// exact and scaled to a month once, at the end. It never advises what the
// inputs do not show: without telemetry of a day, a price or a rate there is no
// recommendation, and never a commitment for bursts.
package advice
