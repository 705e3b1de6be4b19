// Package bills says what the machines of an invented fleet cost, and writes it as
// providers do: CUR 2.0 partitions, Google's detailed export as NDJSON per export
// day, Azure's ActualCost and AmortizedCost with their manifests, and the price
// book with rates and owned machines.
//
// A bill becomes charges (charge.go), which no longer tell the provider: the truth
// works on these. It owns the lines, their order, and the earlier and later states
// of a month that is restated. It knows worlds, and no telemetry.
//
// It guarantees that charges and files hold the same amounts, digit by digit, and
// that the same world gives the same bytes. It refuses clocks.
package bills
