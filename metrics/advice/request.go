package advice

// RequestDays is how many days must have been seen before a request is suggested
// (docs/figures.md, 22.3).
const RequestDays = 14

// Request is what a pod should ask for: its 99 % with headroom, rounded up.
type Request struct {
	Enough bool   // whether as many days were seen; nothing is suggested before
	CPU    *int64 // thousandths of a core; nil: not measured
	Memory *int64 // MiB; nil: not measured
}

// SuggestRequest follows from what a pod used on so many days: thousandths of a core
// and bytes at 99 %.
func SuggestRequest(days int, cpu, memory *int64) Request {
	if days < RequestDays {
		return Request{}
	}
	return Request{Enough: true, CPU: withHeadroom(cpu, 1), Memory: withHeadroom(memory, 1<<20)}
}

// withHeadroom is a value with the default headroom in whole units, rounded up.
func withHeadroom(v *int64, unit int64) *int64 {
	if v == nil {
		return nil
	}
	const whole, more = 100, 100 + DefaultHeadroom/10_000
	up := (*v*more + whole*unit - 1) / (whole * unit)
	return &up
}
