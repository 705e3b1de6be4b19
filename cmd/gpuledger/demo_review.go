package main

import (
	"errors"
	"fmt"

	"gpuledger/internal/closing"
	"gpuledger/internal/confirm"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/book"
	"gpuledger/metrics"
)

// agree stores the policy of the simulated company. A refusal is printed, not returned: the ledger may have a policy of
// the user's.
func (a *app) agree(s *store.Store) error {
	v, _, err := s.SavePolicy(a.ctx, fleetsim.Policy, "cfo")
	if refused, ok := errors.AsType[*book.PolicyError](err); ok {
		fmt.Fprintf(a.stdout, "policy %s not stored: %s\n", v.Settings.Version, refused.Reason)
		return nil
	}
	if waits, ok := errors.AsType[*confirm.WaitsError](err); ok {
		fmt.Fprintf(a.stdout, "policy %s not stored: %s\n", v.Settings.Version, waits)
		return nil
	}
	return err
}

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

// decide records that the forgotten notebook was ended, once there is a recommendation to end it: a fleet of two days
// has none. From that day on its saving is measured.
func (a *app) decide(s *store.Store, m *fleetsim.Manifest) error {
	if m.Forgotten == "" {
		return nil
	}
	q, err := metrics.Parse("recommendations", metrics.Options{
		Filter: "kind = stop_idle and status = open and workload = " + m.Forgotten,
	})
	if err != nil {
		return err
	}
	answer, err := metrics.ReadAnswer(a.ctx, s, q)
	if err != nil {
		return err
	}
	for _, row := range answer.Rows {
		id, err := ledger.ParseID(row[answer.At("recommendation_id")].Text)
		if err != nil {
			return err
		}
		const note = "Used two hours a day. Its owner agreed to end it; the machine is given back."
		if err := s.Decide(a.ctx, id, "done", note, "platform-engineer", m.ChangedAt); err != nil {
			return err
		}
	}
	return nil
}
