package metrics

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gpuledger/internal/nearest"
)

// OptionError refuses one report option.
type OptionError struct {
	Option string // name as in the contract: "group-by", "from" …
	Value  string // as given
	Reason string // the fault and what to do
	// Nearest is the right name that a wrong one is like; empty: there is none, or no name is wrong.
	Nearest string
}

// Error implements error.
func (e *OptionError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%s: %s", e.Option, e.Reason)
	}
	return fmt.Sprintf("%s %q: %s", e.Option, clip(e.Value), e.Reason)
}

// UnknownDatasetError answers a dataset that does not exist or is not built.
type UnknownDatasetError struct{ Name string }

// Error implements error.
func (e *UnknownDatasetError) Error() string {
	return fmt.Sprintf("unknown dataset %q%s; known are %s", clip(e.Name), nearest.Suggest(e.Name, DatasetNames()),
		strings.Join(DatasetNames(), ", "))
}

// Nearest is the name of the dataset that is most like the unknown one, if any is like it.
func (e *UnknownDatasetError) Nearest() string { return nearest.Name(e.Name, DatasetNames()) }

// NotFoundError answers a subject of explain that the ledger does not hold.
type NotFoundError struct{ Subject string }

// Error implements error.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("%s is not in the ledger; `gpuledger report runs` lists the runs, `report postings` the "+
		"postings, `report charges` the charges",
		clip(e.Subject))
}

// misnamed is the fault of an unknown name.
type misnamed struct{ text, nearest string }

// Error implements error.
func (e *misnamed) Error() string { return e.text }

// refuseFor refuses an option for a fault in it.
func refuseFor(option, value string, fault error) error {
	e := &OptionError{Option: option, Value: value, Reason: fault.Error()}
	if name, ok := errors.AsType[*misnamed](fault); ok {
		e.Nearest = name.nearest
	}
	return e
}

// refuseName refuses an option for an unknown name in it; near is the right name that it is like.
func refuseName(option, value, near, format string, args ...any) error {
	return &OptionError{Option: option, Value: value, Reason: fmt.Sprintf(format, args...), Nearest: near}
}

// refuseWord refuses a value that is not one of a closed list.
func refuseWord(option, value, must string, words ...string) error {
	near := nearest.Name(value, words)
	return refuseName(option, value, near, "must be %s%s", must, nearest.Meant(near))
}

func refuse(option, value, format string, args ...any) error {
	return &OptionError{Option: option, Value: value, Reason: fmt.Sprintf(format, args...)}
}

// clip keeps messages short however long the typed value is.
func clip(s string) string {
	const longest = 120
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
