package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/fiscal"
	"gpuledger/internal/period"
)

// fiscalCalendar is a fiscal calendar as written in a document.
type fiscalCalendar struct {
	Start   string `yaml:"start"`
	Weeks   string `yaml:"weeks"`
	Weekday string `yaml:"weekday"`
	Rule    string `yaml:"rule"`
}

// weekPatterns are the weeks of the months of a quarter.
var weekPatterns = map[string][3]int{"4-4-5": {4, 4, 5}, "4-5-4": {4, 5, 4}, "5-4-4": {5, 4, 4}}

// Rules for the first day of a year of weeks.
const (
	ruleNearest = "nearest"
	ruleLast    = "last"
)

// calendar checks a fiscal calendar; one without any field is none.
func (f fiscalCalendar) calendar() (c fiscal.Calendar, err error) {
	if f == (fiscalCalendar{}) {
		return c, nil
	}
	fault := func(format string, args ...any) (fiscal.Calendar, error) {
		return fiscal.Calendar{}, errors.New("fiscal_calendar: " + fmt.Sprintf(format, args...))
	}
	months, weekdays := monthNames(), weekdayNames()
	c.Start = time.Month(slices.Index(months, f.Start) + 1)
	if c.Start == 0 {
		return fault("start is %q: write the month in which the year starts, one of %s", f.Start, strings.Join(months, ", "))
	}
	if f.Weeks == "" {
		if f.Weekday != "" || f.Rule != "" {
			return fault("weekday and rule need weeks, such as 4-4-5; without weeks, leave them out")
		}
		return c, nil
	}
	pattern, known := weekPatterns[f.Weeks]
	if !known {
		return fault("weeks is %q: write 4-4-5, 4-5-4 or 5-4-4, or leave it out for calendar months", f.Weeks)
	}
	day := slices.Index(weekdays, f.Weekday)
	if day < 0 {
		return fault("weekday is %q: write the day on which the year starts, one of %s", f.Weekday,
			strings.Join(weekdays, ", "))
	}
	if f.Rule != ruleNearest && f.Rule != ruleLast {
		return fault("rule is %q: write nearest (the %s nearest to 1 %s) or last (the last one up to it)", f.Rule, f.Weekday,
			f.Start)
	}
	c.Weeks, c.Weekday, c.Last = pattern, time.Weekday(day), f.Rule == ruleLast
	return c, nil
}

func monthNames() (names []string) {
	for m := time.January; m <= time.December; m++ {
		names = append(names, strings.ToLower(m.String()))
	}
	return names
}

func weekdayNames() (names []string) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		names = append(names, strings.ToLower(d.String()))
	}
	return names
}

// showFiscal is the calendar in a document's form.
func showFiscal(c fiscal.Calendar) string {
	if !c.Set() {
		return "none"
	}
	text := "{start: " + strings.ToLower(c.Start.String())
	if c.Weeks != [3]int{} {
		rule := ruleNearest
		if c.Last {
			rule = ruleLast
		}
		text += fmt.Sprintf(", weeks: %d-%d-%d, weekday: %s, rule: %s", c.Weeks[0], c.Weeks[1], c.Weeks[2],
			strings.ToLower(c.Weekday.String()), rule)
	}
	return text + "}"
}

// FiscalAt is the fiscal calendar at an instant: that of the version in force. A company sets its calendar after the
// year has begun, so the first version with one also holds for the time before it.
func (b Book) FiscalAt(t period.Second) fiscal.Calendar {
	for _, v := range b.versions {
		if v.Fiscal.Set() {
			return b.At(max(t, v.ValidFrom)).Fiscal
		}
	}
	return fiscal.Calendar{}
}
