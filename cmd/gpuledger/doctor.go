package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/export"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
	"gpuledger/migrations"
)

type doctorCmd struct{}

// Run implements the command. It changes nothing, so it does not migrate.
func (c *doctorCmd) Run(a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	dsn, closeServer, err := a.database()
	if err != nil {
		return err
	}
	defer closeServer()
	s, err := store.Open(a.ctx, dsn, pg.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	where := "given by --database-url or DATABASE_URL"
	if a.flags.DatabaseURL == "" {
		where = "gpuledger's own"
	}
	h, err := s.Health(a.ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "ok    database      PostgreSQL %s, %s\n", h.Server, where)
	if h.Schema != migrations.Latest() {
		return fmt.Errorf("the schema has version %d, this gpuledger wants %d: run `gpuledger migrate`", h.Schema, migrations.Latest())
	}
	fmt.Fprintf(a.stdout, "ok    schema        version %d\n", h.Schema)
	var problems []string
	say := func(level, name, format string, args ...any) {
		if level == check && !slices.Contains(problems, name) {
			problems = append(problems, name)
		}
		fmt.Fprintf(a.stdout, "%-5s %-13s %s\n", level, name, fmt.Sprintf(format, args...))
	}
	say(unless(h.DirtyDays == 0), "allocation", "%d node-days wait to be allocated%s", h.DirtyDays, when(h.DirtyDays > 0, "run `gpuledger allocate`"))
	say(unless(h.Running == 0), "imports", "%d unfinished%s", h.Running, when(h.Running > 0, "an import is running or was killed; importing again is safe"))
	say(unless(h.Refused == 0), "refused", "%d imports of the last 20 were refused", h.Refused)
	say(unless(h.Unreconciled == 0), "reconciliation", "%d totals differ from what was posted", h.Unreconciled)
	say(hintUnless(h.Conflicts == 0), "conflicts", "%d facts contradict others%s", h.Conflicts, when(h.Conflicts > 0, "`gpuledger report conflicts` names both values and which one counts"))
	if err := errors.Join(c.prices(a, s, say), c.values(a, s, say), c.servedNames(a, s, say), c.samples(a, s, say), c.sources(a, s, cfg, say), c.exports(a, s, say)); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "\nlast imports\n")
	if err := lastImports(a, s); err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("please check: %s", strings.Join(problems, ", "))
	}
	return nil
}

// unless is the level of a finding that is fine only when good is true.
func unless(good bool) string {
	if good {
		return fine
	}
	return check
}

// hintUnless is the level of a finding that costs figures unless good is true.
func hintUnless(good bool) string {
	if good {
		return fine
	}
	return hint
}

func when(said bool, text string) string {
	if said {
		return ": " + text
	}
	return ""
}

func lastImports(a *app, s *store.Store) error {
	q, err := metrics.Parse("imports", metrics.Options{Order: "-started_at", Limit: "10"})
	if err != nil {
		return err
	}
	rows, err := s.Query(a.ctx, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	_, err = export.Write(a.stdout, export.Table, rows, export.Options{})
	return err
}
