package main

import (
	"errors"
	"fmt"
	"strings"

	"gpuledger/internal/export"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/migrations"
)

type doctorCmd struct{}

// Run implements the command. It changes nothing, so it does not migrate.
func (c *doctorCmd) Run(a *app) error {
	dsn, closeServer, err := a.database()
	if err != nil {
		return err
	}
	defer closeServer()
	s, err := store.Open(a.ctx, dsn, store.Options{})
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
	var problems []error
	report := func(ok bool, name, format string, args ...any) {
		word := "ok   "
		if !ok {
			word = "check"
			problems = append(problems, errors.New(name))
		}
		fmt.Fprintf(a.stdout, "%s %-13s %s\n", word, name, fmt.Sprintf(format, args...))
	}
	report(h.DirtyDays == 0, "allocation", "%d node-days wait to be allocated%s", h.DirtyDays, hint(h.DirtyDays > 0, "run `gpuledger allocate`"))
	report(h.Running == 0, "imports", "%d unfinished%s", h.Running, hint(h.Running > 0, "an import is running or was killed; importing again is safe"))
	report(h.Refused == 0, "refused", "%d imports of the last 20 were refused", h.Refused)
	report(h.Unreconciled == 0, "reconciliation", "%d totals differ from what was posted", h.Unreconciled)
	fmt.Fprintf(a.stdout, "\nlast imports\n")
	if err := lastImports(a, s); err != nil {
		return err
	}
	if len(problems) > 0 {
		names := make([]string, len(problems))
		for i, p := range problems {
			names[i] = p.Error()
		}
		return fmt.Errorf("please check: %s", strings.Join(names, ", "))
	}
	return nil
}

func hint(when bool, text string) string {
	if when {
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
