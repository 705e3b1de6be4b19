package operate

import "gpuledger/metrics"

// Export is a schedule of exports as somebody asks for it. Empty fields have their defaults.
type Export struct {
	Name, Dataset, To, Every, Format string
	ForExcel                         bool
	Months, Keep                     int
	Options                          metrics.Options
}

// MissingError means that the subject of a change does not exist.
type MissingError struct{ Err error }

// Error implements error.
func (e *MissingError) Error() string { return e.Err.Error() }
