package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/ingest"
	"gpuledger/internal/blob"
	"gpuledger/internal/config"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/web"
	"gpuledger/web/api"
	"gpuledger/web/dashboard"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/gate"
	"gpuledger/web/limit"
	"gpuledger/web/operate"
)

// handler answers all requests of the server.
func (a *app) handler(
	s *store.Store, p *pools, guard *limit.Guard, cfg *config.Config,
	metrics http.Handler, arriving *arrivals, passing *gate.Gate, hosts []string,
) (http.Handler, error) {
	ops, err := operators(cfg)
	if err != nil {
		return nil, err
	}
	provider, err := a.oidcProvider(s, cfg, passing, hosts)
	if err != nil {
		return nil, err
	}
	changes := operate.Desk{Operators: ops, Ledger: desk(a.ctx, s, a.fileTaker(s, cfg, arriving.arrived)),
		Shelf: &operate.Shelf{Store: s.Access, Page: dashboard.CheckAddress, Now: time.Now}}
	deps := web.Deps{Reader: p.readers, API: api.New(p.readers, a.log).Operated(changes).Bounded(guard, pg.Away).
		Deferring(a.ctx, api.Later{}, time.Now),
		Guard: guard, Away: pg.Away, Desk: changes,
		Settings: policySettings(), Metrics: metrics,
		Receivers: arriving.receivers, Ready: p.health.Ping, Log: a.log,
		Sources: pageSources(p.readers, cfg), Now: time.Now, Gate: passing,
		Door: s.Access, OIDC: provider, Proxy: proxyPages(cfg, passing, s.Access),
		Keeper: s.Access, Hosts: hosts, Once: s.Access}
	if a.cast != nil {
		deps.Cast = a.cast
	}
	if a.computing != nil {
		deps.Pending = a.computing.line
	}
	return web.New(deps)
}

// policySettings are the policy settings as pages show them.
func policySettings() []books.Setting {
	var list []books.Setting
	for _, s := range policy.Settings {
		list = append(list, books.Setting{
			Name: s.Name, Standard: s.Show(policy.Default()), Presets: strings.Join(s.Presets, ", "), Doc: s.Doc,
		})
	}
	return list
}

// pageSources reads the configured sources as pages show them; nil if there are
// none.
func pageSources(s *store.Store, cfg *config.Config) func(context.Context) ([]books.Source, error) {
	if len(cfg.Sources) == 0 {
		return nil
	}
	return func(ctx context.Context) ([]books.Source, error) {
		states, err := s.SourceStates(ctx)
		if err != nil {
			return nil, err
		}
		var list []books.Source
		for _, src := range cfg.Sources {
			x := books.Source{Name: src.Name, Format: src.Source, Schedule: src.Schedule.String()}
			for i, uri := range src.URIs {
				if i > 0 {
					x.Place += " "
				}
				x.Place += blob.Redact(uri)
			}
			if !src.Schedule.IsZero() {
				x.Next = src.Schedule.Next(time.Now())
			}
			if i := slices.IndexFunc(states, func(st ingest.SourceState) bool { return st.Name == src.Name }); i >= 0 {
				x.State, x.Message, x.LookedAt, x.ImportedAt = states[i].State, states[i].Message, states[i].LookedAt,
					states[i].ImportedAt
			}
			list = append(list, x)
		}
		return list, nil
	}
}
