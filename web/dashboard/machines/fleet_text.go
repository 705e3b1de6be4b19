package machines

import (
	"math/big"
	"strings"

	"gpuledger/metrics/fleet"
	"gpuledger/web/views/format"
)

func ratio(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// percentOf prints ppm without decimals, or with one near the threshold of activity.
func percentOf(ppm int64) string {
	if ppm > 0 && ppm < fleet.ActivePPM {
		return format.Percent(ratio(ppm), ratio(wholePPM))
	}
	return format.WholePercent(ratio(ppm), ratio(wholePPM))
}

func memoryText(d *fleet.Device) string {
	if !d.MemoryUsed.Known {
		return ""
	}
	used := format.Gigabytes(d.MemoryUsed.Value)
	if !d.MemoryFree.Known {
		return used
	}
	return strings.TrimSuffix(used, " GB") + "/" + format.Gigabytes(d.MemoryUsed.Value+d.MemoryFree.Value)
}

// powerText prints milliwatts as watts.
func powerText(r fleet.Reading) string {
	if !r.Known {
		return ""
	}
	return format.Count((r.Value+500)/1000) + "\u202fW"
}

// heatText prints millidegrees Celsius as degrees.
func heatText(r fleet.Reading) string {
	if !r.Known {
		return ""
	}
	return format.Count((r.Value+500)/1000) + "\u202f°C"
}

// elementID keeps the characters that an HTML id may contain.
func elementID(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, s)
}
