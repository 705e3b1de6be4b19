package main

import (
	"errors"
	"fmt"

	"gpuledger/internal/closing"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
)

// closeFirst closes the first month of a fleet with a history. A refusal is printed, not returned: when
// a demo runs again, the month is already closed.
func (a *app) closeFirst(s *store.Store, m *fleetsim.Manifest) error {
	list, err := closerOf(s).Close(a.ctx, period.Month(m.From.Format("2006-01")), "", "cfo")
	if refused, ok := errors.AsType[*closing.RefusedError](err); ok {
		for _, reason := range refused.Reasons {
			fmt.Fprintf(a.stdout, "month not closed: %s\n", reason)
		}
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprint(a.stdout, statementsText("closed", list))
	return nil
}
