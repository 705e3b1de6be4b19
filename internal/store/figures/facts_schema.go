package figures

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
)

// Rows are the rows of facts in a span, as a transaction sees them.
type Rows struct {
	tx   pgx.Tx
	span period.Interval
	made map[*star.Fact][]row // filled when the first fact of a maker needs its rows
}

// row is a row of a fact: an object with its keys and measures.
type row = map[string]any

// NewRows returns the rows of facts in a span of UTC days.
func NewRows(tx pgx.Tx, span period.Interval) *Rows {
	return &Rows{tx: tx, span: span, made: map[*star.Fact][]row{}}
}

type maker struct {
	facts []*star.Fact
	make  func(ctx context.Context, tx pgx.Tx, day period.Second, add func(*star.Fact, row)) error
}

// makers compute the daily rows of facts without a statement (star.Fact.Made); one maker serves the facts that need
// the same readings.
var makers = []maker{
	{[]*star.Fact{&star.DeviceSignal, &star.WorkloadSignal, &star.RunSignal}, makeSignals},
	{[]*star.Fact{&star.Layout, &star.Slice, &star.Packing, &star.PackingCard}, makeLayouts},
	{[]*star.Fact{&star.Use}, makeUse},
	{[]*star.Fact{&star.Demand}, makeDemand},
}

// rowsOf computes the rows of a fact, and those of the other facts of its maker.
func (r *Rows) rowsOf(ctx context.Context, f *star.Fact) ([]row, error) {
	if list, ok := r.made[f]; ok {
		return list, nil
	}
	m := makers[slices.IndexFunc(makers, func(m maker) bool { return slices.Contains(m.facts, f) })]
	for _, of := range m.facts {
		r.made[of] = []row{}
	}
	for day := r.span.From; day < r.span.To; day += period.Day {
		err := m.make(ctx, r.tx, day, func(of *star.Fact, one row) {
			one["hour"] = day.String()
			r.made[of] = append(r.made[of], one)
		})
		if err != nil {
			return nil, err
		}
	}
	return r.made[f], nil
}

// Of is the text of the rows of a fact: its statement, or a list of rows that code computed.
func (r *Rows) Of(ctx context.Context, f *star.Fact) (string, error) {
	if f.Made == "" {
		return report.FactRows(f, r.span), nil
	}
	rows, err := r.rowsOf(ctx, f)
	if err != nil {
		return "", fmt.Errorf("rows of %s of %s: %w", f.Name, r.span, err)
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return "", fmt.Errorf("rows of %s of %s: %w", f.Name, r.span, err)
	}
	return f.Listing(string(list)), nil
}

// remarks are the comments of statements.
var remarks = regexp.MustCompile(`--.*`)

// declared is a digest of everything that a table depends on: its columns, how they are added up, its rows, and who
// may see them. Comments don't count: other words do not rebuild a table.
func declared(t star.Table) string {
	rows := t.Fact.Made
	if rows == "" {
		rows = report.FactRows(t.Fact, period.MonthOf(0))
	}
	text := remarks.ReplaceAllString(t.Create()+t.Policy()+t.Fill("rows")+rows, "")
	sum := sha256.Sum256([]byte(text))
	return "built from declaration " + hex.EncodeToString(sum[:])
}

// madeTable is a table of schema star, and the declaration in its comment.
type madeTable struct {
	Name, Says string
	Columns    []string
}

// factTables are the tables of schema star by name.
func factTables(ctx context.Context, tx pgx.Tx) (map[string]madeTable, error) {
	list, err := pg.List[madeTable](ctx, tx, "star.tables")
	have := map[string]madeTable{}
	for _, t := range list {
		have[t.Name] = t
	}
	return have, err
}

// again recreates an existing table. It keeps the days whose minutes are gone, if the fact cannot be computed again
// for them.
func (m madeTable) again(t star.Table, create string) string {
	const gone = " b where exists (select from sample_retention r where r.tenant_id = b.tenant_id and " +
		"r.dropped_before > b.at)"
	columns := append([]string{"tenant_id", "at"}, t.Columns()...)
	unknown := func(c string) bool { return !slices.Contains(m.Columns, c) }
	if !t.Fact.Kept || t.OfDays() || slices.ContainsFunc(columns, unknown) {
		return "drop table " + t.Name() + ";\n" + create
	}
	list := star.Listed("", columns)
	return "create temp table kept as select * from " + t.Name() + gone + ";\ndrop table " + t.Name() + ";\n" + create +
		"insert into " + t.Name() + " (" + list + ") select " + list + " from kept;\ndrop table kept;"
}

// errOtherFacts reports that another build created the tables of facts.
var errOtherFacts = errors.New("the tables of figures were built by another version of gpuledger, and a read-only " +
	"command changes nothing: " +
	"run `gpuledger migrate`")

// CheckFacts returns an error if RefreshFacts would change a table. It changes nothing.
func CheckFacts(ctx context.Context, tx pgx.Tx) error {
	stale, err := StaleFacts(ctx, tx)
	if err == nil && len(stale) > 0 {
		err = errOtherFacts
	}
	return err
}

// StaleFacts names the tables of schema star that RefreshFacts would build. It changes nothing.
func StaleFacts(ctx context.Context, tx pgx.Tx) (names []string, err error) {
	have, err := factTables(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, f := range star.Facts {
		for _, t := range f.Tables() {
			if have[t.Short()].Says != declared(t) {
				names = append(names, t.Short())
			}
		}
	}
	return names, nil
}

// RefreshFacts brings the tables of schema star in line with the declarations of this binary. A table with a new
// declaration is empty, and its days are marked, until analysis has rolled them up again; until then reports read the
// ledger.
func RefreshFacts(ctx context.Context, tx pgx.Tx) error {
	if err := star.Check(star.Facts); err != nil {
		return fmt.Errorf("declarations of facts: %w", err)
	}
	have, err := factTables(ctx, tx)
	if err != nil {
		return err
	}
	anew := false
	for _, f := range star.Facts {
		for _, t := range f.Tables() {
			was, there := have[t.Short()]
			delete(have, t.Short())
			want := declared(t)
			if was.Says == want {
				continue
			}
			text := t.Create() + t.Policy() + fmt.Sprintf("comment on table %s is '%s';", t.Name(), want)
			if anew = true; there {
				text = was.again(t, text)
				if err := report.ClearViews(ctx, tx); err != nil { // views may read it
					return err
				}
			}
			if _, err := tx.Exec(ctx, text); err != nil {
				return fmt.Errorf("make table %s: %w", t.Name(), err)
			}
		}
	}
	for name := range have { // no longer declared
		if err := report.ClearViews(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "drop table "+pgx.Identifier{"star", name}.Sanitize()); err != nil {
			return fmt.Errorf("drop table star.%s: %w", name, err)
		}
	}
	if !anew {
		return nil
	}
	for _, name := range []string{"star.mark_days", "star.forget_months"} {
		if _, err := pg.Exec(ctx, tx, name); err != nil {
			return err
		}
	}
	return nil
}
