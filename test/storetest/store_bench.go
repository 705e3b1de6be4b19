package storetest

import (
	"gpuledger/internal/period"
)

// AllTime is the interval of all time.
func AllTime() period.Interval { return period.Interval{} }
