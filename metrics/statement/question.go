package statement

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Question says whose statement of which billing month is wanted.
type Question struct {
	Key     metrics.Key // a dimension of owners
	Value   string      // Unowned: cost without an owner
	Month   period.Month
	Sharing metrics.Sharing
}

// Unowned is the owner of cost without one, for every key.
const Unowned = "unowned"

// Parse reads the options of command, REST and page: owner is KEY=VALUE, sharing before, after or "" for after. Its
// errors are *metrics.OptionError.
func Parse(owner, month, sharing string) (Question, error) {
	key, value, ok := strings.Cut(owner, "=")
	if !ok || value == "" {
		return Question{}, &metrics.OptionError{Option: "owner", Value: owner,
			Reason: "must be KEY=VALUE, such as team=speech"}
	}
	q, err := ParseAll(key, month, sharing)
	if option, is := err.(*metrics.OptionError); is && option.Option == "all-owners" {
		option.Option = "owner"
	}
	q.Value = value
	return q, err
}

// ParseAll is Parse for the statements of all owners by one key.
func ParseAll(key, month, sharing string) (q Question, err error) {
	if !slices.Contains(metrics.OwnerKeys, key) {
		return q, &metrics.OptionError{Option: "all-owners", Value: key,
			Reason: "is not a key of owners; they are " + strings.Join(metrics.OwnerKeys, ", ")}
	}
	q.Key, _ = metrics.LookupKey(key)
	q.Month = period.Month(month)
	if _, err := q.Month.Interval(); err != nil {
		return q, &metrics.OptionError{Option: "billing-period", Value: month, Reason: "is not of the form YYYY-MM"}
	}
	switch sharing {
	case "", "after":
		q.Sharing = metrics.AfterSharing
	case "before":
		q.Sharing = metrics.BeforeSharing
	default:
		return q, &metrics.OptionError{Option: "sharing", Value: sharing, Reason: "must be before or after"}
	}
	return q, nil
}

// Owner is the owner as it is typed: team=speech.
func (q Question) Owner() string { return q.Key.Name + "=" + q.Value }

// sharing is the sharing as it is typed.
func (q Question) sharing() string {
	if q.Sharing == metrics.AfterSharing {
		return "after"
	}
	return "before"
}

// filter chooses the owner's rows, or all without a value.
func (q Question) filter() string {
	equal := q.Key.Name + " = " + quote(q.Value)
	switch q.Value {
	case "":
		return ""
	case Unowned:
		return equal + " or " + q.Key.Name + " = ''"
	}
	return equal
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// before is the month before.
func (q Question) before() period.Month {
	i, err := q.Month.Interval()
	if err != nil { // Parse checked it
		return ""
	}
	return period.MonthName(i.From - 1)
}

// NothingError answers an owner without a bill in the month.
type NothingError struct{ Question }

// Error implements error.
func (e *NothingError) Error() string {
	return fmt.Sprintf("no cost of %s is billed in %s; `gpuledger report costs --billing-period %s --group-by %s` "+
		"lists the owners of that month", e.Owner(), e.Month, e.Month, e.Key.Name)
}
