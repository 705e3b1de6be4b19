package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/bench/rig"
	"gpuledger/internal/store/pg"
)

// asked is a statement with its arguments.
type asked struct {
	sql  string
	args []any
}

// statements keeps the statements that the server asks. It is a pgx.QueryTracer.
type statements struct {
	mu   sync.Mutex
	seen []asked
}

// TraceQueryStart implements pgx.QueryTracer.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	sql := strings.ToLower(strings.TrimSpace(q.SQL))
	if strings.HasPrefix(sql, "select") || strings.HasPrefix(sql, "with") {
		s.mu.Lock()
		s.seen = append(s.seen, asked{q.SQL, slices.Clone(q.Args)})
		s.mu.Unlock()
	}
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *statements) forget() {
	s.mu.Lock()
	s.seen = nil
	s.mu.Unlock()
}

func (s *statements) list() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// bare answers with the rows of a panel's statements as JSON: net/http and pgx, nothing else.
func bare(db *pg.DB, list []panel) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.URL.Query().Get("n"))
		if err != nil || i < 0 || i >= len(list) {
			http.Error(w, "no such panel", http.StatusNotFound)
			return
		}
		answers := make([]any, len(list[i].statements))
		failed := make([]error, len(answers))
		var group sync.WaitGroup
		for k, s := range list[i].statements {
			group.Go(func() {
				rows, err := db.Pool.Query(r.Context(), s.sql, s.args...)
				if err != nil {
					failed[k] = err
					return
				}
				answers[k], failed[k] = pgx.CollectRows(rows, pgx.RowToMap)
			})
		}
		group.Wait()
		for _, err := range failed {
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answers) // a failed write means that the client has gone
	})
}

// compare asks each panel by turns of the server and of the bare handler, and prints the medians' sums.
func (c *client) compare(ctx context.Context, dsn string, list []panel, turns int) error {
	db, err := pg.Open(ctx, dsn, pg.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	base, end, err := rig.Serve(ctx, bare(db, list))
	if err != nil {
		return err
	}
	defer end()
	peer := &client{base: base, seen: &statements{}}
	var ours, theirs time.Duration
	left := 0
	for i, p := range list {
		at := "/?n=" + strconv.Itoa(i)
		if _, err := peer.get(ctx, at, false); err != nil { // such as one that needs its transaction
			left++
			continue
		}
		var own, bare []time.Duration
		for range turns {
			a, err := c.get(ctx, p.path, true)
			if err != nil {
				return err
			}
			b, err := peer.get(ctx, at, false)
			if err != nil {
				return err
			}
			own, bare = append(own, a.all), append(bare, b.all)
		}
		x, y := percentile(own, 50), percentile(bare, 50)
		fmt.Printf("%-90s %3d statements %8.1f ms, bare %8.1f ms\n", p.path, len(p.statements), ms(x), ms(y))
		ours, theirs = ours+x, theirs+y
	}
	if theirs > 0 {
		fmt.Printf("%d panels, medians added up: %.0f ms; net/http and pgx with the same statements: %.0f ms: %.2f ×; %d left out\n",
			len(list)-left, ms(ours), ms(theirs), float64(theirs)/float64(ours), left)
	}
	return nil
}
