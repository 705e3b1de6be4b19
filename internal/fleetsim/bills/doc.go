// Package bills charges the machines of an invented fleet in the formats of providers: CUR 2.0 partitions, Google's
// detailed export as NDJSON per export day, Azure's ActualCost and AmortizedCost with their manifests, and the price
// book with rates and owned machines.
//
// A bill becomes charges (charge.go), which are independent of the provider: the truth works on these. It owns the
// lines, their order, and the earlier and later states of a restated month. It knows worlds, and no telemetry.
//
// It guarantees that charges and files hold the same amounts, digit by digit, and that the same world gives the same
// bytes. It reads no clock.
package bills
