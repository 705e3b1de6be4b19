package timeline

// LowMean returns the minutes that belong to a window of window known minutes without gap inside [from, to) whose mean
// is below the threshold in ppm: Σ ppm of the window < threshold × window (rule 7.4). They are in mem's buffers.
func (a *Activity) LowMean(mem *Memory, from, to, window int, threshold int64) Bits {
	low := mem.Bits(a.grid)
	if window < 1 {
		return low
	}
	limit := threshold * int64(window)
	for from < to {
		start := a.known.next(from, to, 0)
		end := a.known.next(start, to, ^uint64(0))
		sum, marked := int64(0), start // minutes before marked are marked already
		for m := start; m < end; m++ {
			sum += int64(a.ppm[m])
			first := m + 1 - window
			if first < start {
				continue
			}
			if sum < limit {
				low.fill(max(first, marked), m+1)
				marked = m + 1
			}
			sum -= int64(a.ppm[first])
		}
		from = end
	}
	return low
}
