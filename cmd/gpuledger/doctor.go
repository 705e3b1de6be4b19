package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/config"
	"gpuledger/internal/export"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
	"gpuledger/migrations"
	"gpuledger/web/views/format"
)

type doctorCmd struct{}

// Run implements the command. It changes nothing, so it does not migrate.
func (c *doctorCmd) Run(a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if fresh, err := a.fresh(); fresh || err != nil {
		if err == nil {
			err = c.untouched(a, cfg)
		}
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
	server, err := s.Server(a.ctx)
	if err != nil {
		return err
	}
	visible.Fprintf(a.stdout, "ok    database      PostgreSQL %s, %s\n", server, where)
	if err = s.Settled(a.ctx); errors.Is(err, pg.ErrEmpty) {
		return c.untouched(a, cfg)
	}
	if err != nil {
		return err
	}
	visible.Fprintf(a.stdout, "ok    schema        version %d\n", migrations.Latest())
	h, err := s.Health(a.ctx)
	if err != nil {
		return err
	}
	if nothing, err := s.Nothing(a.ctx); nothing || err != nil {
		if err == nil {
			err = c.untouched(a, cfg)
		}
		return err
	}
	var problems []string
	say := a.sayTo(&problems)
	say(waiting(h), "allocation", "%s to be allocated%s", counted(h.DirtyDays, "node-day waits", "node-days wait"),
		allocation(h))
	say(unless(h.Running == 0), "imports", "%d unfinished%s", h.Running,
		when(h.Running > 0, "an import is running or was killed; it is safe to import again"))
	say(unless(h.Refused == 0), "refused", "%d of the last 20 imports %s refused", h.Refused,
		format.Noun(h.Refused, "was", "were"))
	say(unless(h.Unreconciled == 0), "reconciliation", "%s from the posted costs%s",
		counted(h.Unreconciled, "total differs", "totals differ"), when(h.Unreconciled > 0, reconciled(h)))
	say(hintUnless(h.Conflicts == 0), "conflicts", "%s others%s",
		counted(h.Conflicts, "fact contradicts", "facts contradict"),
		when(h.Conflicts > 0, "`gpuledger report conflicts` lists both values and the one that counts"))
	if err := errors.Join(c.prices(a, s, say), c.doubles(a, s, say), c.values(a, s, say), c.servedNames(a, s, say),
		c.undescribed(a, s, say), c.days(a, s, say), c.offsets(a, s, say),
		c.samples(a, s, say), c.sources(a, s, cfg, say), c.exports(a, s, say)); err != nil {
		return err
	}
	visible.Fprintf(a.stdout, "\nlast imports\n")
	if err := lastImports(a, s); err != nil {
		return err
	}
	return pleaseCheck(problems)
}

// untouched is doctor for an empty ledger: it probes the configured sources and names
// the import as the next command.
func (c *doctorCmd) untouched(a *app, cfg *config.Config) error {
	var problems []string
	say := a.sayTo(&problems)
	if len(cfg.Sources) == 0 {
		say(hint, "imports", "%v", errNothing)
		return nil
	}
	err := c.sources(a, nil, cfg, say)
	say(hint, "imports", "nothing has been imported yet: begin with `gpuledger --config %s import`", a.flags.Config)
	return errors.Join(err, pleaseCheck(problems))
}

// sayTo prints findings, and collects the names of those at level check.
func (a *app) sayTo(problems *[]string) report {
	return func(level, name, text string, args ...any) {
		if level == check && !slices.Contains(*problems, name) {
			*problems = append(*problems, name)
		}
		visible.Fprintf(a.stdout, "%-5s %-13s %s\n", level, name, fmt.Sprintf(text, args...))
	}
}

func pleaseCheck(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("please check: %s", strings.Join(problems, ", "))
}

// waiting is the level of the allocation backlog. New imports alone are a hint: they may
// change nothing.
func waiting(h store.Health) string {
	if h.DirtyDays+h.Uncut > 0 {
		return check
	}
	return hintUnless(h.Newer == 0)
}

// allocation names the rest of the backlog, after node-days, and the command that clears it.
func allocation(h store.Health) string {
	switch {
	case h.Newer > 0:
		return fmt.Sprintf(", and so do %s and the data of %s: run `gpuledger allocate`",
			counted(h.Uncut, "delivery", "deliveries"), counted(h.Newer, "import", "imports"))
	case h.Uncut == 1:
		return ", and so does 1 delivery: run `gpuledger allocate`"
	case h.Uncut > 0:
		return fmt.Sprintf(", and so do %d deliveries: run `gpuledger allocate`", h.Uncut)
	}
	return when(h.DirtyDays > 0, "run `gpuledger allocate`")
}

// reconciled says what to do about totals that differ.
func reconciled(h store.Health) string {
	if h.Uncut > 0 {
		return "run `gpuledger allocate` first"
	}
	return "`gpuledger report reconciliation` lists them"
}

// unless is fine if good is true, else check.
func unless(good bool) string {
	if good {
		return fine
	}
	return check
}

// hintUnless is fine if good is true, else hint.
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
	screen := a.screen()
	screen.First = q.Leading()
	_, err = export.Write(visible.Raw(a.stdout), export.Table, rows, export.Options{Screen: screen})
	return err
}
