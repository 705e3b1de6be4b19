package main

import (
	"fmt"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
)

type recommendationCmd struct {
	Decide recommendationDecideCmd `cmd:"" help:"Record a decision on a recommendation; report recommendations lists them."`
}

type recommendationDecideCmd struct {
	ID     string `arg:"" help:"The recommendation_id."`
	Status string `arg:"" enum:"open,accepted,dismissed,done" help:"${enum}. From done on, the savings are measured."`
	Note   string `help:"Reason for the decision."`
	By     string `placeholder:"NAME" help:"Name of the person who decided; the operating system user by default."`
}

// Run implements the command.
func (c *recommendationDecideCmd) Run(a *app) error {
	id, err := ledger.ParseID(c.ID)
	if err != nil {
		return fmt.Errorf("recommendation_id %q: %w", c.ID, err)
	}
	return a.withLedger(func(s *store.Store) error {
		if err := s.Decide(a.ctx, id, c.Status, c.Note, actor(c.By), time.Now()); err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "recommendation %s: %s\n", id, c.Status)
		return nil
	})
}
