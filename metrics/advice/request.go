package advice

// RequestDays is the days of data that a suggested request needs (docs/figures.md, 22.3).
const RequestDays = 14

// Request is a suggested pod request: its P99 with headroom, rounded up.
type Request struct {
	Enough bool   // there are enough days; otherwise nothing is suggested
	CPU    *int64 // thousandths of a core; nil: not measured
	Memory *int64 // MiB; nil: not measured
}

// SuggestRequest suggests a request from days of use; cpu and memory are the P99 in thousandths of a core and bytes.
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
