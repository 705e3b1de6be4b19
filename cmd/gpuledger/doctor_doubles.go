package main

import (
	"fmt"
	"strings"

	"gpuledger/internal/store"
	"gpuledger/metrics"
)

// doubles lists machines that may be in the ledger twice, with the remedy.
func (c *doctorCmd) doubles(a *app, s *store.Store, say report) error {
	of, err := metrics.ReadDoubles(a.ctx, s)
	text := of.Sentence()
	if err != nil || text == "" {
		return err
	}
	var names []string
	for _, pair := range of.Pairs[:min(len(of.Pairs), shownMachines)] {
		names = append(names, pair[0]+" and "+pair[1])
	}
	more := ""
	if n := len(of.Pairs) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	say(hint, "machines", "%s %s%s. Send a machine's telemetry under one cluster name, with the id on its bill "+
		"(provider id)",
		text, strings.Join(names, "; "), more)
	return nil
}
