package exports

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/export"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Exports is the part of the store with the schedules of exports.
type Exports struct{ DB *pg.DB }

// UnknownError means that there is no schedule of this name.
type UnknownError struct{ Name string }

// Error implements error.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no export schedule %q: `gpuledger export schedules` lists them", e.Name)
}

// row is a schedule with its newest run, as stored.
type row struct {
	Name, Dataset, Options, Format string
	ForExcel                       bool
	Target, Every                  string
	Months, Keep                   int
	ChangedAt                      time.Time
	ChangedBy                      string
	Done                           *time.Time

	Tick, StartedAt, EndedAt            *time.Time
	Tries                               int
	State, Error                        string
	Written, Kept, Removed, Rows, Bytes int64
}

func (r *row) stored() (outgoing.Stored, error) {
	options, err := outgoing.ParseOptions(r.Options)
	if err != nil {
		return outgoing.Stored{}, fmt.Errorf("export schedule %s: %w", r.Name, err)
	}
	s := outgoing.Stored{Schedule: outgoing.Schedule{Name: r.Name, Dataset: r.Dataset, Options: options,
		Format: export.Format(r.Format), ForExcel: r.ForExcel, Target: r.Target, Every: outgoing.Cadence(r.Every),
		Months: r.Months, Keep: r.Keep}, ChangedAt: r.ChangedAt, ChangedBy: r.ChangedBy, Done: r.Done}
	if r.Tick != nil {
		s.Last = &outgoing.Run{Name: r.Name, Tick: *r.Tick, Tries: r.Tries, StartedAt: *r.StartedAt, EndedAt: r.EndedAt,
			State: outgoing.RunState(r.State), Error: r.Error, Totals: outgoing.Totals{Written: r.Written, Kept: r.Kept,
				Removed: r.Removed, Rows: r.Rows, Bytes: r.Bytes}}
	}
	return s, nil
}

// List returns all schedules by name, each with its newest run.
func (s *Exports) List(ctx context.Context) ([]outgoing.Stored, error) {
	return list(ctx, s.DB.Pool, nil)
}

// Schedule returns one schedule, or an *UnknownError.
func (s *Exports) Schedule(ctx context.Context, name string) (outgoing.Stored, error) {
	return one(ctx, s.DB.Pool, name)
}

func one(ctx context.Context, q pg.Querier, name string) (outgoing.Stored, error) {
	all, err := list(ctx, q, &name)
	if err == nil && len(all) == 0 {
		err = &UnknownError{name}
	}
	if err != nil {
		return outgoing.Stored{}, err
	}
	return all[0], nil
}

func list(ctx context.Context, q pg.Querier, name *string) ([]outgoing.Stored, error) {
	rows, err := pg.List[row](ctx, q, "exports.schedules", pg.Tenant, name)
	if err != nil {
		return nil, err
	}
	out := make([]outgoing.Stored, len(rows))
	for i := range rows {
		if out[i], err = rows[i].stored(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Save stores a schedule under its name, in the place of an earlier one, with an entry in the audit log. changed is
// false, and nothing is written, if it is stored already.
func (s *Exports) Save(
	ctx context.Context, by string, at time.Time, x outgoing.Schedule,
) (changed bool, err error) {
	if err := x.Check(); err != nil {
		return false, err
	}
	err = s.DB.InTx(ctx, "save an export schedule", func(tx pgx.Tx) error {
		if err := lock(ctx, tx); err != nil {
			return err
		}
		all, err := list(ctx, tx, &x.Name)
		if err != nil || len(all) > 0 && all[0].Schedule == x {
			return err
		}
		changed = true
		if err := put(ctx, tx, x, by, "", at); err != nil {
			return err
		}
		return apart(ctx, tx, x)
	})
	return changed && err == nil, err
}

// lock lets one change of schedules at a time compare their targets.
func lock(ctx context.Context, tx pgx.Tx) error {
	_, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, "export schedules")
	return err
}

// apart refuses stored schedules whose target is that of another one.
func apart(ctx context.Context, tx pgx.Tx, changed ...outgoing.Schedule) error {
	all, err := Configured(ctx, tx)
	for i := 0; i < len(changed) && err == nil; i++ {
		err = changed[i].Apart(all)
	}
	return err
}

// put stores a schedule, with an entry in the audit log.
func put(ctx context.Context, tx pgx.Tx, x outgoing.Schedule, by, reason string, at time.Time) error {
	if _, err := pg.Exec(ctx, tx, "exports.put", pg.Tenant, x.Name, x.Dataset, outgoing.OptionsText(x.Options),
		string(x.Format), x.ForExcel, x.Target, string(x.Every), x.Months, x.Keep, at, by); err != nil {
		return err
	}
	return audited(ctx, tx, at, by, "export schedule stored", reason, x)
}

// Configured lists the schedules as a folder of files has them.
func Configured(ctx context.Context, q pg.Querier) ([]outgoing.Schedule, error) {
	stored, err := list(ctx, q, nil)
	if err != nil {
		return nil, err
	}
	out := make([]outgoing.Schedule, len(stored))
	for i := range stored {
		out[i] = stored[i].Schedule
	}
	return out, nil
}

// Configure stores schedules that differ from the stored ones of their names.
func Configure(ctx context.Context, tx pgx.Tx, list []outgoing.Schedule, by, reason string, at time.Time) error {
	if len(list) == 0 {
		return nil
	}
	if err := lock(ctx, tx); err != nil {
		return err
	}
	for _, x := range list {
		if err := put(ctx, tx, x, by, reason, at); err != nil {
			return err
		}
	}
	return apart(ctx, tx, list...)
}

// Drop deletes a schedule with its runs. Exported files stay.
func (s *Exports) Drop(ctx context.Context, by string, at time.Time, name string) error {
	return s.DB.InTx(ctx, "delete an export schedule", func(tx pgx.Tx) error {
		was, err := one(ctx, tx, name)
		if err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "exports.drop", pg.Tenant, name); err != nil {
			return err
		}
		return audited(ctx, tx, at, by, "export schedule deleted", "", was.Schedule)
	})
}

// audited writes what a schedule is to the audit log.
func audited(ctx context.Context, tx pgx.Tx, at time.Time, by, action, reason string, x outgoing.Schedule) error {
	detail, err := json.Marshal(struct {
		Dataset  string `json:"dataset"`
		Options  string `json:"options"`
		Format   string `json:"format"`
		ForExcel bool   `json:"for_excel"`
		Target   string `json:"target"`
		Every    string `json:"every"`
		Months   int    `json:"months"`
		Keep     int    `json:"keep"`
		Reason   string `json:"reason,omitempty"`
	}{x.Dataset, outgoing.OptionsText(x.Options), string(x.Format), x.ForExcel, x.Target, string(x.Every), x.Months,
		x.Keep, reason})
	if err != nil {
		return err
	}
	return book.Audit(ctx, tx, at, by, action, x.Name, string(detail))
}
