package main

import (
	"encoding/json"
	"fmt"
	"strconv"

	"gpuledger/internal/store"
	"gpuledger/internal/store/explain"
	"gpuledger/internal/visible"
)

type explainCmd struct {
	Subject string `arg:"" help:"run/ID, attempt/ID, attempt/RUN/NUMBER, posting/ID, charge/ID, usage/ID, node/NAME/HOUR, device/UUID/DAY, owner/team=NAME, spot, spot/instance_type=NAME, or options of report costs: 'costs?from=2026-11-01&group-by=team&filter=cause=lost'; or a figure of any dataset, DATASET.COLUMN: 'budgets.projected?filter=value=speech'."`
	List    listed `default:"100" placeholder:"N" help:"Maximum number of postings listed behind a figure, or all. Sums and digest always cover all postings."`
	Format  string `aliases:"output" enum:"auto,text,json" default:"auto" help:"${enum}. auto is text on a terminal, else JSON, which docs/recompute.py reads."`
}

// listed is a number of rows; below 0, all.
type listed int

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *listed) UnmarshalText(text []byte) error {
	if string(text) == "all" {
		*l = -1
		return nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n == 0 {
		return fmt.Errorf("%q is not a number above 0, nor all", text)
	}
	*l = listed(n)
	return nil
}

// Run implements the command.
func (c *explainCmd) Run(a *app) error {
	return a.readStore(func(s *store.Store) error {
		asJSON := c.Format == "json" || c.Format == "auto" && !isTerminal(a.stdout)
		if asJSON && c.List < 0 {
			return s.WriteWhole(a.ctx, visible.Raw(a.stdout), c.Subject)
		}
		e, err := s.ExplainWith(a.ctx, c.Subject, explain.Options{Listed: int(c.List)})
		if err != nil {
			return err
		}
		if asJSON {
			enc := json.NewEncoder(visible.Raw(a.stdout))
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(e)
		}
		return e.WriteText(a.stdout)
	})
}
