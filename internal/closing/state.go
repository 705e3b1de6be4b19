package closing

import (
	"fmt"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// State is everything that can keep one period of an account from being closed.
type State struct {
	BillingAccount string         `db:"-"`
	BillingPeriod  period.Month   `db:"-"`
	Closed         bool           // already closed
	Empty          bool           // it has no postings
	Earlier        []period.Month // earlier periods of the account that are open and have postings
	Waiting        int64          // node-days of the period that wait to be allocated
	Uncut          int64          // deliveries whose lines wait to be cut
	Imports        []string       // running imports
	Allocating     bool           `db:"-"` // an allocation is running
	Ends           period.Second  `db:"-"` // end of the period
	Provisional    int64          // node-hours that are charged from a rate although the bill covers them
	Failing        []string       `db:"-"` // checks of verify that fail
	Unproved       bool           `db:"-"` // verify did not run, but may be needed
	// Unowned and Total are Σ of absolute effective (else billed) cost, by currency; UnownedLimitPPM is the share of
	// it that may have no owner.
	Unowned, Total  map[string]money.Amount `db:"-"`
	UnownedLimitPPM int64                   `db:"-"`
}

// Step is a point of the checklist of a close.
type Step string

// Steps, in the order in which they are checked.
const (
	Open       Step = "open" // it is not closed already
	Posted     Step = "posted"
	Ended      Step = "ended"
	Earlier    Step = "earlier"
	Quiet      Step = "quiet" // no allocation and no import runs
	Allocated  Step = "allocated"
	Billed     Step = "billed" // nothing is charged at a rate although a bill covers it
	Verified   Step = "verified"
	OwnerKnown Step = "owned"
)

// Steps lists all steps in that order.
var Steps = []Step{Open, Posted, Ended, Earlier, Quiet, Allocated, Billed, Verified, OwnerKnown}

// Reason blocks closing at a step.
type Reason struct {
	Step Step
	Text string
}

// Reasons lists everything that blocks closing, in a fixed order.
func (s *State) Reasons(now period.Second) []Reason {
	var out []Reason
	add := func(step Step, format string, args ...any) {
		out = append(out, Reason{step, fmt.Sprintf(format, args...)})
	}
	of := fmt.Sprintf("%s of billing account %s", s.BillingPeriod, s.BillingAccount)
	if s.Closed {
		return []Reason{{Open, of + " is closed already"}}
	}
	if s.Empty {
		add(Posted, "%s has no postings: import its bill and allocate", of)
	}
	if now < s.Ends {
		add(Ended, "%s has not ended yet: it ends at %s", of, s.Ends)
	}
	for _, m := range s.Earlier {
		add(Earlier, "%s of billing account %s is open and has postings: close it first", m, s.BillingAccount)
	}
	if s.Allocating {
		add(Quiet, "an allocation is running: wait until it finishes")
	}
	for _, i := range s.Imports {
		add(Quiet, "an import is running: %s", i)
	}
	if s.Uncut > 0 {
		add(Allocated, "%d deliveries are not allocated: gpuledger allocate", s.Uncut)
	}
	if s.Waiting > 0 {
		add(Allocated, "%d node-days wait to be allocated: gpuledger allocate", s.Waiting)
	}
	if s.Provisional > 0 {
		add(Billed, "%d node-hours are charged from a rate although the bill should cover them: gpuledger allocate, or "+
			"import the missing part of the bill", s.Provisional)
	}
	for _, f := range s.Failing {
		out = append(out, VerifyFails(f))
	}
	for _, currency := range sortedKeys(s.Total) {
		total, unowned := s.Total[currency], s.Unowned[currency]
		limit := total.MulRat(ppm(s.UnownedLimitPPM))
		if unowned.Cmp(limit) > 0 {
			add(OwnerKnown, "%s of %s %s has no owner; the policy's limit is %s%%: label the unowned usage, or raise "+
				"unowned_limit", unowned, total, currency, percent(s.UnownedLimitPPM))
		}
	}
	return out
}

// texts are the reasons without their steps.
func texts(reasons []Reason) (out []string) {
	for _, r := range reasons {
		out = append(out, r.Text)
	}
	return out
}

// VerifyFails is the reason for a failing check of verify.
func VerifyFails(check string) Reason { return Reason{Verified, "verify fails: " + check} }
