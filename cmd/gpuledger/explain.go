package main

import (
	"encoding/json"

	"gpuledger/internal/store"
)

type explainCmd struct {
	Subject string `arg:"" help:"run/ID, posting/ID or charge/ID."`
	Format  string `aliases:"output" enum:"auto,text,json" default:"auto" help:"${enum}. Auto is text on a terminal, else JSON, which docs/recompute-run.py reads."`
}

// Run implements the command.
func (c *explainCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error {
		e, err := s.Explain(a.ctx, c.Subject)
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
