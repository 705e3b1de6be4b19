package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"gpuledger/ingest"
	"gpuledger/ingest/promquery"
	"gpuledger/ingest/series"
	"gpuledger/internal/config"
	"gpuledger/internal/outbound"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
)

// queryOf is the query of a source, checked without a request to its API.
func queryOf(src config.Source) (ingest.Query, error) {
	q := ingest.Query{
		Lookback: time.Duration(src.Lookback),
		Access:   promquery.Options{OrgID: src.OrgID, Match: src.Match, TLS: trust(src.TLS)},
	}
	for _, uri := range src.URIs {
		if err := promquery.Check(uri, src.Match); err != nil {
			return q, err
		}
	}
	return q, nil
}

func trust(t config.TLS) outbound.TLS {
	return outbound.TLS{CAFile: t.CAFile, Insecure: t.Insecure, Name: t.ServerName}
}

// seriesOf are the configured options of metrics, with the table of counters read.
func seriesOf(c config.Series) (o series.Options, err error) {
	o = series.Options{Node: c.Node, GPUUtil: series.UtilUnit(c.GPUUtil), GPUUtilRatio: series.UtilUnit(c.GPUUtilRatio)}
	if c.Table == "" {
		return o, nil
	}
	file, err := os.Open(c.Table)
	if err != nil {
		return o, fmt.Errorf("table of counters: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	o.Inference, err = series.ParseTable(file, c.Table)
	return o, err
}

// secretOf reads a secret from the named environment variable; empty without a
// name.
func secretOf(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	value := os.Getenv(name)
	if value == "" {
		return "", fmt.Errorf("bearer_token_env: the environment variable %s is empty", name)
	}
	return value, nil
}

// backfill reads new samples from a query API. There is no listing to compare, so it always
// queries.
func (a *app) backfill(
	ctx context.Context, s *store.Store, src config.Source,
	req ingest.Request, state ingest.SourceState, show func(ingest.Progress),
) (ingest.SourceState, *ingest.Summary, error) {
	var err error
	if req.Query.Access.BearerToken, err = secretOf(src.BearerTokenEnv); err != nil {
		return state, nil, err
	}
	im := &ingest.Importer{Store: s, Now: time.Now, Progress: show}
	sum, err := im.Import(ctx, req)
	if sum != nil {
		state.State = string(sum.State)
	}
	if err == nil {
		state.ImportedAt = time.Now()
	}
	return state, sum, err
}

// checkQuery refuses flags that only query APIs have; asked says that one is read.
func (c *importCmd) checkQuery(asked bool) error {
	if asked {
		return nil
	}
	for option, given := range map[string]bool{"from": c.From != "", "to": c.To != "", "match": len(c.Match) > 0} {
		if given {
			return &metrics.OptionError{
				Option: option, Reason: "is for the source " + ingest.SourcePrometheus + " only; files are always read whole",
			}
		}
	}
	return nil
}

// bounds are --from and --to, nil if not given.
func (c *importCmd) bounds() (from, to *period.Second, err error) {
	w, err := metrics.ParseWindow(c.From, c.To, "UTC")
	if err != nil {
		return nil, nil, err
	}
	if c.From != "" {
		from = &w.From
	}
	if c.To != "" {
		to = &w.To
	}
	return from, to, nil
}

// probeQuery counts the metric names known to gpuledger that the query APIs had in the last
// hour.
func (a *app) probeQuery(ctx context.Context, src config.Source, req ingest.Request) (found string, err error) {
	token, err := secretOf(src.BearerTokenEnv)
	if err != nil {
		return "", err
	}
	names := 0
	for _, uri := range req.URIs {
		o := req.Query.Access
		o.URI, o.BearerToken, o.Series = uri, token, req.Series
		reader, err := promquery.Open(o)
		if err != nil {
			return "", err
		}
		now := time.Now().UnixMilli()
		if err := reader.Find(ctx, promquery.Window{From: now - time.Hour.Milliseconds(), To: now}); err != nil {
			return "", err
		}
		names += reader.Names()
	}
	return fmt.Sprintf("%d known metric names in the last hour", names), nil
}
