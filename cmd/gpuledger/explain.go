package main

import (
	"encoding/json"

	"gpuledger/internal/store"
)

type explainCmd struct {
	Subject string `arg:"" help:"run/ID, attempt/ID, attempt/RUN/NUMBER, posting/ID, charge/ID, usage/ID, node/NAME/HOUR, device/UUID/DAY, owner/team=NAME, or options of report costs: 'costs?from=2026-11-01&group-by=team&filter=cause=lost'."`
	List    int    `default:"100" placeholder:"N" help:"Most postings that are listed behind a figure; -1: all. Sums and digest are always over all."`
	Format  string `aliases:"output" enum:"auto,text,json" default:"auto" help:"${enum}. Auto is text on a terminal, else JSON, which docs/recompute.py reads."`
}

// Run implements the command.
func (c *explainCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error {
		e, err := s.ExplainWith(a.ctx, c.Subject, store.ExplainOptions{Listed: c.List})
		if err != nil {
			return err
		}
		if c.Format == "json" || c.Format == "auto" && !isTerminal(a.stdout) {
			enc := json.NewEncoder(a.stdout)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(e)
		}
		return e.WriteText(a.stdout)
	})
}
