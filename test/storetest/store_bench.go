package storetest

import (
	"gpuledger/internal/period"
)

// AllTime is the interval of everything.
func AllTime() period.Interval { return period.Interval{} }
