package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"gpuledger/bench/rig"
	"gpuledger/internal/localpg"
)

// asked are the questions for 100 rows.
var asked = []struct{ dataset, query string }{
	{"costs", "limit=100&granularity=day&group-by=team"}, {"waste", "limit=100"}, {"charges", "limit=100"},
	{"recommendations", "limit=100"},
}

// benchREST compares 100 rows as JSON with a bare handler, by turns: asked for the first time, asked again, and
// answered by their entity tag.
func benchREST(ctx context.Context, server *localpg.Server, o options) error {
	dsn := server.DSN("gpuledger")
	base, end, err := served(ctx, dsn)
	if err != nil {
		return err
	}
	defer end()
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	defer func() { _, _ = pool.Exec(context.WithoutCancel(ctx), "drop schema if exists bare cascade") }()
	for _, q := range asked {
		at := base + "/api/v1/" + q.dataset + "?" + q.query
		tag, columns, err := ready(ctx, pool, q.dataset, at)
		if err != nil {
			return fmt.Errorf("%s: %w", q.dataset, err)
		}
		peer, endPeer, err := rig.Serve(ctx, bare(pool, q.dataset))
		if err != nil {
			return err
		}
		others := 0
		sides := []struct {
			name string
			next func() string
			tag  string
		}{
			{"bare", func() string { return peer + "/rows" }, ""},
			{"first", func() string {
				others++
				return at + "&filter=" + url.QueryEscape(fmt.Sprintf("currency != 'x%d'", others))
			}, ""},
			{"again", func() string { return at }, ""}, {"by tag", func() string { return at }, tag},
		}
		rates, tails := make([][]float64, len(sides)), make([][]float64, len(sides))
		for range o.turns {
			for i, side := range sides {
				rate, p99, err := load(ctx, o, side.next, side.tag)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", q.dataset, side.name, err)
				}
				rates[i], tails[i] = append(rates[i], rate), append(tails[i], p99)
			}
		}
		endPeer()
		rate, tail := median(rates[0]), median(tails[0])
		fmt.Printf("100 rows of %s, %d columns: chi and pgx %.0f/s, p99 %.1f ms\n", q.dataset, columns, rate, tail)
		for i, side := range sides[1:] {
			r, t := median(rates[i+1]), median(tails[i+1])
			fmt.Printf("  %-7s %6.0f/s = %5.2f ×, p99 %6.1f ms = %.1f ×\n", side.name, r, r/rate, t, t/tail)
		}
	}
	return nil
}

// ready makes a table of the rows of an answer, as texts.
func ready(ctx context.Context, pool *pgxpool.Pool, table, at string) (tag string, columns int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return "", 0, err
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, a.Body.Close()) }()
	var page struct{ Data []map[string]any }
	if err := json.NewDecoder(a.Body).Decode(&page); err != nil {
		return "", 0, fmt.Errorf("%s: %w", a.Status, err)
	}
	if len(page.Data) == 0 {
		return "", 0, errors.New("no rows")
	}
	var list []string
	for name := range page.Data[0] {
		list = append(list, name)
	}
	slices.Sort(list)
	text, err := json.Marshal(page.Data)
	if err != nil {
		return "", 0, err
	}
	columnsOf := make([]string, len(list))
	for i, name := range list {
		columnsOf[i] = fmt.Sprintf("d ->> '%s' as %s", name, pgx.Identifier{name}.Sanitize())
	}
	for _, sql := range []string{"create schema if not exists bare", "drop table if exists bare." + table} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return "", 0, err
		}
	}
	_, err = pool.Exec(ctx, "create table bare."+table+" as select "+strings.Join(columnsOf, ", ")+
		" from jsonb_array_elements($1::jsonb) d", pgx.QueryExecModeSimpleProtocol, string(text))
	return a.Header.Get("ETag"), len(list), err
}

// bare answers with the rows of a table as JSON: chi and pgx, nothing else.
func bare(pool *pgxpool.Pool, table string) http.Handler {
	r := chi.NewRouter()
	r.Get("/rows", func(w http.ResponseWriter, q *http.Request) {
		rows, err := pool.Query(q.Context(), "select * from bare."+table)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		all, err := pgx.CollectRows(rows, pgx.RowToMap)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"data": all}) // a failed write means that the client has gone
	})
	return r
}

// load asks from all clients at once, and returns the answers a second and the time in ms that 99 of 100 take at most.
func load(ctx context.Context, o options, next func() string, tag string) (rate, p99 float64, err error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: o.clients}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var took []float64
	var failed error
	var group sync.WaitGroup
	began := time.Now()
	for range o.clients {
		group.Go(func() {
			for time.Since(began) < o.duration {
				mu.Lock()
				at, stop := next(), failed != nil
				mu.Unlock()
				if stop {
					return
				}
				asked := time.Now()
				err := get(ctx, client, at, tag)
				mu.Lock()
				took = append(took, float64(time.Since(asked).Microseconds())/1000)
				failed = errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	slices.Sort(took)
	return float64(len(took)) / time.Since(began).Seconds(), took[len(took)*99/100], failed
}

// get reads an answer to its end. With a tag, it has to be "not modified".
func get(ctx context.Context, client *http.Client, at, tag string) (err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	want := http.StatusOK
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
		want = http.StatusNotModified
	}
	a, err := client.Do(r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Body.Close()) }()
	if a.StatusCode != want {
		return fmt.Errorf("%s answers %s", at, a.Status)
	}
	_, err = io.Copy(io.Discard, a.Body)
	return err
}
