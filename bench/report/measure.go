package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
	"gpuledger/internal/store"
	"gpuledger/metrics"
)

// The promised bound.
const (
	mostRows   = 1_000
	mostRolled = 150_000
)

// question is a page's query about the year.
type question struct {
	name  string
	query metrics.Query
}

// sizes prints how many rows and bytes the roll-ups have.
func sizes(ctx context.Context, server *localpg.Server) error {
	conn, err := pgx.Connect(ctx, server.DSN("year"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, `
		select coalesce(p.relname, c.relname), sum(c.reltuples)::bigint, pg_size_pretty(sum(pg_total_relation_size(c.oid)))
		from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
		where c.relkind = 'r' and c.relname ~ '_(hours|days|months|services)$' and c.reltuples > 0 group by 1 order by 1`)
	if err != nil {
		return err
	}
	var table, size string
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&table, &n, &size}, func() error {
		fmt.Printf("%-16s %9d rows %s\n", table, n, size)
		return nil
	})
	return err
}

// ask runs every query once and counts the rows read.
func ask(ctx context.Context, s *store.Store, from, to time.Time) ([]question, error) {
	var list []question
	fmt.Printf("%-16s %7s %9s %9s %9s\n", "question", "rows", "roll-ups", "others", "first")
	for _, p := range metrics.PageQueries {
		q, err := p.Over(from.Format(time.DateOnly), to.Format(time.DateOnly))
		if err != nil {
			return nil, err
		}
		began := time.Now()
		rows, err := answer(ctx, s.Query, q)
		if err != nil {
			return nil, err
		}
		took := time.Since(began)
		rolled, others, err := reads(ctx, s, q)
		if err != nil {
			return nil, err
		}
		note := ""
		if len(rows) > mostRows || rolled > mostRolled {
			note = "  beyond the bound"
		}
		fmt.Printf("%-16s %7d %9d %9d %9s%s\n", p.Name, len(rows), rolled, others, took.Round(time.Millisecond), note)
		list = append(list, question{p.Name, q})
	}
	return list, nil
}

// reads counts the rows that the server reads for an answer, by EXPLAIN.
func reads(ctx context.Context, s *store.Store, q metrics.Query) (rolled, others int64, err error) {
	tables, err := s.Reads(ctx, q)
	for table, n := range tables {
		if ofRollUps(table) {
			rolled += n
		} else {
			others += n
		}
	}
	return rolled, others, err
}

// ofRollUps reports whether a table holds sums of days or months.
func ofRollUps(table string) bool {
	return strings.HasSuffix(table, "_hours") || strings.HasSuffix(table, "_days") ||
		strings.HasSuffix(table, "_months") || slices.Contains([]string{"findings", "finding_costs"}, table)
}

// lives reads the runs of the last month and of the year, with the sums over their whole lives.
func lives(ctx context.Context, s *store.Store) error {
	for _, from := range []time.Time{yearTo.AddDate(0, -1, 0), yearFrom} {
		q, err := metrics.Parse("runs", metrics.Options{From: from.Format(time.DateOnly), To: yearTo.Format(time.DateOnly)})
		if err != nil {
			return err
		}
		began := time.Now()
		rows, err := answer(ctx, s.Query, q)
		if err != nil {
			return err
		}
		fmt.Printf("%d runs since %s, each with its whole life: %s\n", len(rows), from.Format(time.DateOnly),
			time.Since(began).Round(time.Millisecond))
	}
	return nil
}

// answer reads all rows of an answer as text.
func answer(
	ctx context.Context, query func(context.Context, metrics.Query) (metrics.Rows, error), q metrics.Query,
) ([]string, error) {
	rows, err := query(ctx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var line []string
		for i, v := range rows.Values() {
			line = append(line, v.String(rows.Columns()[i].Kind))
		}
		out = append(out, strings.Join(line, "|"))
	}
	return out, rows.Err()
}

// load sends queries at a steady rate, alternating. A slow one does not delay the next; time counts from when a query
// was due.
func load(ctx context.Context, s *store.Store, list []question, o options) error {
	n := int(o.duration.Seconds() * float64(o.rate))
	took := make([]time.Duration, n)
	failed := make([]error, n)
	var group sync.WaitGroup
	began := time.Now()
	for i := range n {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(o.rate))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Until(due)):
		}
		group.Go(func() {
			_, failed[i] = answer(ctx, s.Query, list[i%len(list)].query)
			took[i] = time.Since(due)
		})
	}
	group.Wait()
	for i, err := range failed {
		if err != nil {
			return fmt.Errorf("%s: %w", list[i%len(list)].name, err)
		}
	}
	fmt.Printf("%d questions, %d a second, in %s\n%-16s %7s %7s %7s\n", n, o.rate, time.Since(began).Round(time.Second),
		"", "p50", "p95", "p99")
	for k, q := range list {
		var own []time.Duration
		for i := k; i < n; i += len(list) {
			own = append(own, took[i])
		}
		percentiles(q.name, own)
	}
	percentiles("all", took)
	return nil
}

// percentiles prints some by nearest rank.
func percentiles(name string, took []time.Duration) {
	if len(took) == 0 {
		fmt.Printf("%-16s %7s\n", name, "not run: the time was over before its turn")
		return
	}
	sorted := slices.Sorted(slices.Values(took))
	at := func(percent int) time.Duration {
		return sorted[max(0, (len(sorted)*percent+99)/100-1)].Round(time.Millisecond)
	}
	fmt.Printf("%-16s %7s %7s %7s\n", name, at(50), at(95), at(99))
}
