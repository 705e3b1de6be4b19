package metrics

import (
	"gpuledger/internal/fiscal"
	"gpuledger/internal/period"
)

// Extent is how far the ledger reaches, and the calendar in force at its end. It never depends on the clock.
type Extent struct {
	// Stored is all stored time: the hours with any use or posting. It is the period of a query without one.
	Stored period.Interval
	// Data is the end of the last sample or billed use. Fees are posted beyond it, up to the end of their month.
	Data period.Second
	// Seen is the end of the last sample: a run that still runs lasts until then. Billed use may reach further.
	Seen period.Second
	// Fiscal is the fiscal calendar of the policy at the end of the data, the same for all users.
	Fiscal fiscal.Calendar
}

// Empty reports whether nothing is stored.
func (e Extent) Empty() bool { return e.Stored.Empty() }

// Complete is the end of the last complete day (UTC): the day after it lacks data, or has none.
func (e Extent) Complete() period.Second { return e.Data.Floor(period.Day) }

// Covered is the part of stored time that has data.
func (e Extent) Covered() period.Interval { return period.Interval{From: e.Stored.From, To: e.Data} }
