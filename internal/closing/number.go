package closing

import (
	"maps"
	"math/big"
	"slices"

	"gpuledger/internal/money"
)

func sortedKeys(m map[string]money.Amount) []string { return slices.Sorted(maps.Keys(m)) }

// ppm is a share in millionths.
func ppm(n int64) *big.Rat { return big.NewRat(n, 1_000_000) }

// percent formats a share in millionths as a percentage.
func percent(n int64) string { return money.FromUnits(n).MulRat(big.NewRat(100_000_000, 1)).String() }
