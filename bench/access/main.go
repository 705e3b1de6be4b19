package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/localpg"
	"gpuledger/internal/store"
	storeaccess "gpuledger/internal/store/access"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

type options struct {
	dataDir, database, url, team string
	turns                        int
}

func main() {
	localpg.SuperviseIfAsked()
	var o options
	flag.StringVar(&o.dataDir, "data-dir", "", "folder of a gpuledger's own database, such as a demo's")
	flag.StringVar(&o.database, "database", "gpuledger", "name of the database there")
	flag.StringVar(&o.url, "database-url", "", "address of a gpuledger's database instead")
	flag.StringVar(&o.team, "team", "speech", "team of the lead")
	flag.IntVar(&o.turns, "turns", 20, "times that each user runs each query")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-access:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, o options) (err error) {
	if o.turns < 1 {
		return fmt.Errorf("-turns %d: at least 1", o.turns)
	}
	switch {
	case o.url != "":
	case o.dataDir == "":
		return errors.New("name the database: -data-dir of a gpuledger demo --no-serve, or -database-url")
	default:
		server, startErr := localpg.Start(ctx, localpg.Options{DataDir: o.dataDir})
		if startErr != nil {
			return startErr
		}
		defer func() { err = errors.Join(err, server.Close()) }()
		o.url = server.DSN(o.database)
	}
	if err := store.MigrateDSN(ctx, o.url); err != nil {
		return err
	}
	s, err := store.Open(ctx, o.url, pg.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	asked, err := askers(ctx, s, o.team)
	for _, a := range asked {
		defer a.on.Close()
	}
	if err != nil {
		return err
	}
	return measure(ctx, asked, o.turns)
}

// asker is a user with a connection and a filter.
type asker struct {
	name   string
	on     *store.Store   // a separate connection: the server plans again after another role's queries
	viewer *access.Viewer // nil: access control is off
	filter string         // in addition to the query's
	times  map[string][]time.Duration
}

func askers(ctx context.Context, s *store.Store, team string) ([]*asker, error) {
	viewer := func(name string, role access.Role, conditions ...string) (*access.Viewer, error) {
		_, token, err := s.Access.CreateToken(ctx, storeaccess.Grant{
			Name: name, Role: role, Conditions: conditions, By: "bench-access", At: pg.Now(),
		}, time.Hour)
		if err != nil {
			return nil, err
		}
		return s.Access.Token(ctx, token, pg.Now())
	}
	of := "team = '" + team + "'"
	var list []*asker
	add := func(name string, v *access.Viewer, filter string) error {
		on, err := s.Beside(ctx, 1)
		if err == nil {
			list = append(list, &asker{name, on, v, filter, map[string][]time.Duration{}})
		}
		return err
	}
	admin, err := viewer("an admin", access.RoleAdmin)
	if err != nil {
		return nil, err
	}
	lead, err := viewer("a lead", access.RoleTeamLead, of)
	if err != nil {
		return nil, err
	}
	err = errors.Join(add("off", nil, ""), add("admin", admin, ""), add("admin who filters", admin, of),
		add("lead", lead, ""))
	return list, err
}

// measure runs each query for each user in turn, and prints medians in milliseconds with their sum over the datasets
// that scoped users can read.
func measure(ctx context.Context, asked []*asker, turns int) error {
	var names []string
	for turn := range turns {
		for _, p := range metrics.PageQueries {
			if p.Dataset != "costs" { // scoped users cannot read commitments
				continue
			}
			if turn == 0 {
				names = append(names, p.Name)
			}
			for i := range asked {
				a := asked[(i+turn)%len(asked)]
				took, err := ask(ctx, a, p)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", p.Name, a.name, err)
				}
				a.times[p.Name] = append(a.times[p.Name], took)
			}
		}
	}
	sums := make([]time.Duration, len(asked))
	fmt.Printf("%-16s", "median, ms")
	for _, a := range asked {
		fmt.Printf("%20s", a.name)
	}
	for _, name := range names {
		fmt.Printf("\n%-16s", name)
		for i, a := range asked {
			slices.Sort(a.times[name])
			median := a.times[name][turns/2]
			sums[i] += median
			fmt.Printf("%20.1f", ms(median))
		}
	}
	fmt.Printf("\n%-16s", "together")
	for _, sum := range sums {
		fmt.Printf("%20.1f", ms(sum))
	}
	fmt.Printf("\n%-16s", "of off")
	for _, sum := range sums {
		fmt.Printf("%20.2f", float64(sum)/float64(sums[0]))
	}
	fmt.Println()
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// ask reads the whole answer to a query about all time.
func ask(ctx context.Context, a *asker, p metrics.PageQuery) (time.Duration, error) {
	if a.viewer != nil {
		ctx = access.As(ctx, a.viewer)
	}
	if own := p.Options.Filter; a.filter != "" {
		if p.Options.Filter = a.filter; own != "" {
			p.Options.Filter = "(" + own + ") and " + a.filter
		}
	}
	began := time.Now()
	q, err := p.Over("", "")
	if err != nil {
		return 0, err
	}
	rows, err := a.on.Reports.Query(ctx, q)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return time.Since(began), rows.Err()
}
