// Package variance splits the difference between the costs of two periods into parts that add up to it exactly.
//
// With H capacity hours, U useful hours, e = U/H, p̄ the cost per capacity hour, and s and p the share and the price of
// a class (a GPU model at a price class), 0 before and 1 after:
//
//	volume         (U1 − U0) / e0 · p̄0          more or less useful work, at the earlier efficiency and price
//	efficiency     U1 · (1/e1 − 1/e0) · p̄0      more or fewer hours for each useful hour
//	mix            H1 · Σ (s1 − s0) · p0        other classes, at their earlier prices
//	price          H1 · Σ s1 · (p1 − p0)        other prices of the same classes
//	exchange       C1 · (r1 − r0)               another rate between the bill's currency and the reader's
//	without_hours  W1 − W0                      cost of classes without capacity hours in their period
//
// At the edges: a class without hours before has its later price as its earlier one. Without hours before, the cost
// with hours is all volume. Without useful hours before, the change of hours is volume and efficiency is 0.
//
// It owns the formulas and their rounding: parts are rationals until the end, then multiples of 1e-12 by largest
// remainder, so that they add up to the difference. It reads nothing and knows no currency.
package variance
