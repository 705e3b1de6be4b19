package serving

import (
	"maps"
	"math"
	"math/big"
	"slices"
)

// Infinite is the upper bound of the last bucket.
const Infinite int64 = math.MaxInt64

// Histogram counts samples at or below bounds: Counts[i] of them at or below Bounds[i] nanoseconds. Bounds ascend and
// end with Infinite; counts never fall.
type Histogram struct {
	Bounds []int64
	Counts []int64
}

// histogramOf orders cumulative buckets. Counts of one scrape can differ by a request that ended meanwhile, so a bucket
// gets at least the count of the one below it. all counts every sample if the last bucket is missing; negative:
// unknown. Without samples it is empty.
func histogramOf(buckets map[int64]int64, all int64) Histogram {
	var h Histogram
	var most int64
	for _, bound := range slices.Sorted(maps.Keys(buckets)) {
		most = max(most, buckets[bound])
		h.Bounds, h.Counts = append(h.Bounds, bound), append(h.Counts, most)
	}
	if len(h.Bounds) > 0 && h.Bounds[len(h.Bounds)-1] != Infinite {
		h.Bounds, h.Counts = append(h.Bounds, Infinite), append(h.Counts, max(most, all))
	}
	return h
}

// below is the number of samples at or below a bound, interpolated linearly between the bounds of h, like Quantile.
func (h Histogram) below(bound int64) *big.Rat {
	i, found := slices.BinarySearch(h.Bounds, bound)
	if found {
		return new(big.Rat).SetInt64(h.Counts[i])
	}
	var from, count int64
	if i > 0 {
		from, count = h.Bounds[i-1], h.Counts[i-1]
	}
	if i == len(h.Bounds) || h.Bounds[i] == Infinite || bound <= from {
		return new(big.Rat).SetInt64(count)
	}
	part := big.NewRat(bound-from, h.Bounds[i]-from)
	part.Mul(part, new(big.Rat).SetInt64(h.Counts[i]-count))
	return part.Add(part, new(big.Rat).SetInt64(count))
}

// Quantile is the value in seconds below which the share ppm of all samples lies, over the summed histograms. It
// interpolates like PromQL's histogram_quantile: linearly within the bucket, and the lower bound of the last bucket;
// nil without samples. Histograms with different bounds are first interpolated at all bounds.
func Quantile(list []Histogram, ppm int64) *big.Rat {
	all := map[int64]*big.Rat{}
	for _, h := range list {
		for _, bound := range h.Bounds {
			all[bound] = new(big.Rat)
		}
	}
	bounds := slices.Sorted(maps.Keys(all))
	for _, h := range list {
		for _, bound := range bounds {
			if len(h.Bounds) > 0 {
				all[bound].Add(all[bound], h.below(bound))
			}
		}
	}
	if len(bounds) == 0 || all[Infinite] == nil || all[Infinite].Sign() == 0 {
		return nil
	}
	rank := new(big.Rat).Mul(all[Infinite], big.NewRat(ppm, 1_000_000))
	i := slices.IndexFunc(bounds, func(b int64) bool { return all[b].Cmp(rank) >= 0 })
	before := new(big.Rat)
	var from int64
	if i > 0 {
		from, before = bounds[i-1], all[bounds[i-1]]
	}
	seconds := func(ns *big.Rat) *big.Rat { return ns.Quo(ns, big.NewRat(1_000_000_000, 1)) }
	if bounds[i] == Infinite {
		return seconds(new(big.Rat).SetInt64(from))
	}
	in := new(big.Rat).Sub(all[bounds[i]], before)
	at := new(big.Rat).Sub(rank, before)
	if in.Sign() == 0 || bounds[i] <= 0 {
		return seconds(new(big.Rat).SetInt64(bounds[i]))
	}
	at.Quo(at, in).Mul(at, new(big.Rat).SetInt64(bounds[i]-from))
	return seconds(at.Add(at, new(big.Rat).SetInt64(from)))
}
