package main

import (
	"bytes"
	"context"
	"strings"
	"time"

	"gpuledger/ingest"
	billing "gpuledger/ingest/bill"
	"gpuledger/internal/config"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
)

// request is the import request of a source, configured or from the command line.
func (a *app) request(cfg *config.Config, src config.Source) (ingest.Request, error) {
	req := ingest.Request{Source: src.Source, URIs: src.URIs, Cluster: src.Cluster, KeepEverything: cfg.Keeps(src),
		Prefer: cfg.Books, Stores: remoteStores(src), UserKey: a.userKey,
		Hints: billing.Hints{
			Currency: strings.ToUpper(src.BillCurrency), DateOrder: billing.DateOrder(strings.ToLower(src.DateOrder)),
		}}
	err := req.Hints.Check()
	if err != nil {
		return req, &metrics.OptionError{Option: "bill-currency and date-order", Reason: err.Error()}
	}
	if req.Series, err = seriesOf(cfg.SeriesOf(src)); err != nil {
		return req, err
	}
	if src.Source == ingest.SourcePrometheus {
		if req.Query, err = queryOf(src); err != nil {
			return req, err
		}
	}
	if src.DeliveredAt != "" {
		option := "delivered_at"
		if src.Name == "" { // from the command line
			option = "delivered-at"
		}
		at, err := metrics.ParseTime(option, src.DeliveredAt, "UTC")
		if err != nil {
			return req, err
		}
		req.DeliveredAt = &at
	}
	if src.TimeZone != "" {
		option := "time_zone"
		if src.Name == "" {
			option = "time-zone"
		}
		var err error
		if req.Zone, err = time.LoadLocation(src.TimeZone); err != nil {
			return req, &metrics.OptionError{
				Option: option, Value: src.TimeZone, Reason: "unknown; a zone such as Europe/Berlin is expected",
			}
		}
	}
	return req, nil
}

// importHow says how a configured source is imported.
type importHow struct {
	// all also reads a source whose listing has not changed since the last import, and
	// unchanged days of a table.
	all      bool
	from, to *period.Second // of a query API; nil: only new samples
	show     func(ingest.Progress)
}

// importSource imports a configured source and returns its new state,
// also when it fails.
func (a *app) importSource(
	ctx context.Context, s *store.Store, cfg *config.Config, src config.Source, last ingest.SourceState, how importHow,
) (ingest.SourceState, *ingest.Summary, error) {
	state := ingest.SourceState{Name: src.Name, State: ingest.SourceFailed, LookedAt: time.Now()}
	req, err := a.request(cfg, src)
	if err != nil {
		return state, nil, err
	}
	if src.Source == ingest.SourcePrometheus {
		req.Query.From, req.Query.To = how.from, how.to
		return a.backfill(ctx, s, src, req, state, how.show)
	}
	listing, err := ingest.List(ctx, req)
	if err != nil {
		return state, nil, err
	}
	if !how.all {
		if bytes.Equal(listing.Digest, last.Listing) {
			state.State = ingest.SourceSkipped
			return state, nil, nil
		}
		req.Select = listing.Changed(last.Versions)
	}
	req.Listing = listing
	im := &ingest.Importer{Store: s, Now: time.Now, Progress: how.show}
	sum, err := im.Import(ctx, req)
	if sum != nil {
		state.State = string(sum.State)
	}
	if final, whole := ingest.Final(err); err == nil || final && !whole {
		// A refused part would be refused again, so the listing counts as imported until files change.
		state.Listing, state.Versions, state.ImportedAt = listing.Digest, listing.Versions, time.Now()
	}
	return state, sum, err
}
