package period

// LongestYears bounds the time span of one value of a file: nothing is sold, rented or run for longer. The number of
// hours, days or partitions of a row follows from its times, so without the bound a mistyped year would create far too
// many.
const LongestYears = 10

// Earliest and Latest bound the times that a value of a file may hold,
// [Earliest, Latest): 2000 and 2100.
const (
	Earliest Second = 946684800
	Latest   Second = 4102444800
)

// Believable reports whether a value of a file may hold this time.
func (s Second) Believable() bool { return s >= Earliest && s < Latest }

// TooLong reports whether the interval is longer than LongestYears calendar
// years.
func (i Interval) TooLong() bool { return FarAfter(i.From, i.To) }

// FarAfter reports whether b lies more than LongestYears calendar years after a.
func FarAfter(a, b Second) bool {
	const sure = LongestYears * 365 * Day // any ten years have more days
	return b-a > sure && b > FromTime(a.Time().AddDate(LongestYears, 0, 0))
}

// Around is the interval from the first to the last of some times; zeros are unknown and do not count.
func Around(times ...Second) (all Interval) {
	for _, at := range times {
		switch {
		case at == 0:
		case all == Interval{}:
			all = Interval{at, at}
		default:
			all = Interval{min(all.From, at), max(all.To, at)}
		}
	}
	return all
}

// Impossible describes the error in the times of one record: a time outside Earliest and Latest, or more than
// LongestYears between two; empty if there is none.
func Impossible(times ...Second) string {
	switch all := Around(times...); {
	case all == Interval{}:
	case !all.From.Believable():
		return all.From.String() + " lies outside the years 2000 to 2099; correct the value and import the file again"
	case !all.To.Believable():
		return all.To.String() + " lies outside the years 2000 to 2099; correct the value and import the file again"
	case all.TooLong():
		return "from " + all.From.String() + " to " + all.To.String() +
			" it is more than ten years, and nothing runs for longer; correct the value and import the file again"
	}
	return ""
}
