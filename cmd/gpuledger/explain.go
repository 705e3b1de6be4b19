package main

import (
	"encoding/json"

	"gpuledger/internal/store"
)

type explainCmd struct {
	Subject string `arg:"" help:"run/ID, posting/ID or charge/ID."`
	Format  string `enum:"text,json" default:"text" help:"${enum}. JSON is what docs/recompute-run.py reads."`
}

// Run implements the command.
func (c *explainCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error {
		e, err := s.Explain(a.ctx, c.Subject)
		if err != nil {
			return err
		}
		if c.Format == "json" {
			enc := json.NewEncoder(a.stdout)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(e)
		}
		return e.WriteText(a.stdout)
	})
}
