package storetest

import (
	"gpuledger/internal/period"
)

// AdviceDay is the day of the test advice.
const AdviceDay = period.Second(1_793_577_600) // 2026-11-02
