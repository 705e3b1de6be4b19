package page

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/web/views"
)

// Unshared reports whether no policy shares cost in the scope's period.
func Unshared(ctx context.Context, reader Reader, s Scope) (bool, error) {
	s.Team, s.Cluster, s.Provider, s.Filter = "", "", "", ""
	unshared := true
	o := s.Costs(metrics.Options{
		Sharing: string(metrics.AfterSharing), Filter: Equal("kind", string(ledger.SharedIn)),
	})
	err := Each(ctx, reader, "costs", o, []string{"gpu_hours"}, func(Record) error {
		unshared = false
		return nil
	})
	return unshared && err == nil, err
}

// Sharing says whether the overview's figures are before or after sharing.
func (p *Context) Sharing() string {
	if p.Scope.Sharing != "" {
		return "teams after sharing, causes and classes before"
	}
	return "before sharing"
}

// sharingMenu offers cost before and after sharing.
func (p *Context) sharingMenu() views.Menu {
	if p.Unshared && p.Scope.Sharing == "" {
		return views.Menu{Label: "Teams", Value: "no sharing", WideOnly: true, Items: []views.MenuItem{
			{Text: "No policy shares cost in this period, so it is the same before and after sharing."},
		}}
	}
	m := views.Menu{Label: "Teams", Value: "before sharing", WideOnly: true, Items: []views.MenuItem{
		{
			Text: "Before sharing", Note: "cost of what each team held",
			Href: p.Scope.With("sharing", ""), Current: p.Scope.Sharing == "",
		},
		{
			Text: "After sharing", Note: "with the shared cost that the policy passes on",
			Href: p.Scope.With("sharing", "after"), Current: p.Scope.Sharing != "",
		},
	}}
	if p.Scope.Sharing != "" {
		m.Value = "after sharing"
	}
	return m
}
