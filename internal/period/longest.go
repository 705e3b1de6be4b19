package period

// LongestYears bounds what one value of a file may span: nothing that is sold,
// rented or run lasts longer. How much is made of a row (hours, days, partitions)
// follows from its times, so that a mistyped year must not decide it.
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
