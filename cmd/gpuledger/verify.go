package main

import (
	"errors"
	"fmt"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/verify"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
)

type verifyCmd struct {
	Period string `placeholder:"YYYY-MM" help:"Only this billing period."`
	Output string `enum:"text,json" default:"text" help:"Report as ${enum}."`
}

// Run implements the command.
func (c *verifyCmd) Run(a *app) error {
	if c.Period != "" {
		if strings.HasPrefix(c.Period, "calendar:") {
			return &metrics.OptionError{
				Option: "period", Value: c.Period, Reason: "unknown: this build knows billing periods only, such as 2026-11",
			}
		}
		if _, err := period.Month(c.Period).Interval(); err != nil {
			return &metrics.OptionError{Option: "period", Value: c.Period, Reason: "is not of the form YYYY-MM"}
		}
	}
	return a.readStore(func(s *store.Store) error {
		report, err := s.Verify(a.ctx, verify.Options{Period: c.Period})
		if err != nil {
			return err
		}
		if err := a.printSummary(c.Output, report, func() string { return verifyText(report) }); err != nil {
			return err
		}
		return verdict(report)
	})
}

// errPending says that all checks of the allocated data pass, but some data is not allocated yet.
var errPending = errors.New("some data waits for `gpuledger allocate`; all checks of the allocated data pass")

// verdict is an error that names the first offending row if a check failed,
// and errPending if allocate has work to do.
func verdict(report *verify.Report) error {
	for _, check := range report.Checks {
		if check.State == verify.CheckFailed {
			return fmt.Errorf("verify: %s: %w", check.Name, errors.New(strings.Join(append(check.Rows, "")[:1], "")))
		}
	}
	if report.Stale() {
		return fmt.Errorf("verify: %w", errPending)
	}
	return nil
}

// verifyText is the report as text.
func verifyText(report *verify.Report) string {
	var b strings.Builder
	for _, check := range report.Checks {
		visible.Fprintf(&b, "%-7s  %-20s  %s (%.1f s)\n", check.State, check.Name, check.Meaning, check.Seconds)
		for _, row := range check.Rows {
			visible.Fprintf(&b, "         %s\n", row)
		}
	}
	switch {
	case report.Failed():
		b.WriteString("\nthe ledger fails its checks\n")
	case report.Stale():
		b.WriteString("\nall checks of the allocated data pass; run `gpuledger allocate` for the rest\n")
	case report.Warned():
		b.WriteString("\nthe ledger holds, with warnings: please look at them\n")
	default:
		b.WriteString("\nthe ledger holds\n")
	}
	return b.String()
}
