package odata

import (
	"fmt"

	"gpuledger/metrics"
)

// UnsupportedError refuses a part of OData that is not built.
type UnsupportedError struct{ Option, What string }

// Error implements error.
func (e *UnsupportedError) Error() string {
	return e.Option + ": " + e.What + " is not supported; docs/connect/odata.md has the list"
}

// refuse refuses the value of an option.
func refuse(option, value, format string, args ...any) error {
	return &metrics.OptionError{Option: option, Value: value, Reason: fmt.Sprintf(format, args...)}
}
