package figures

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
)

// Rows are the rows of facts in a span, as a transaction sees them.
type Rows struct {
	tx      pgx.Tx
	span    period.Interval
	signals []signalDay // read when the first fact asks for them
}

// NewRows returns the rows of facts in a span of UTC days.
func NewRows(tx pgx.Tx, span period.Interval) *Rows { return &Rows{tx: tx, span: span} }

// madeRows make rows of facts that no statement has (star.Fact.Made): objects with
// their hour, keys and measures.
var madeRows = map[string]func(days []signalDay) []map[string]any{
	star.DeviceSignal.Name:   signalRows,
	star.WorkloadSignal.Name: workloadRows,
	star.RunSignal.Name:      runRows,
}

// Of is the text of the rows of a fact: its statement, or a list of what code makes.
func (r *Rows) Of(ctx context.Context, f *star.Fact) (string, error) {
	if f.Made == "" {
		return report.FactRows(f, r.span), nil
	}
	if r.signals == nil {
		var err error
		if r.signals, err = readSignalDays(ctx, r.tx, r.span); err != nil {
			return "", fmt.Errorf("rows of %s of %s: %w", f.Name, r.span, err)
		}
	}
	list, err := json.Marshal(madeRows[f.Name](r.signals))
	if err != nil {
		return "", fmt.Errorf("rows of %s of %s: %w", f.Name, r.span, err)
	}
	return f.Listing(string(list)), nil
}

// declared is a digest of all that a table follows from: its columns, how they are
// added up, the rows that are, and who sees them.
func declared(t star.Table) string {
	rows := t.Fact.Made
	if rows == "" {
		rows = report.FactRows(t.Fact, period.MonthOf(0))
	}
	sum := sha256.Sum256([]byte(t.Create() + t.Policy() + t.Fill("rows") + rows))
	return "made from declaration " + hex.EncodeToString(sum[:])
}

// factTables are the tables of schema star, with what they say they were made from.
func factTables(ctx context.Context, tx pgx.Tx) (map[string]string, error) {
	return pg.Map[string, string](ctx, tx, "star.tables")
}

// errOtherFacts says that another build made the tables of facts.
var errOtherFacts = errors.New("the tables of figures were made by another build of gpuledger, and a command that only reads changes nothing: " +
	"run `gpuledger migrate`")

// CheckFacts is an error where RefreshFacts would change a table. It changes nothing.
func CheckFacts(ctx context.Context, tx pgx.Tx) error {
	have, err := factTables(ctx, tx)
	if err != nil {
		return err
	}
	for _, f := range star.Facts {
		for _, t := range f.Tables() {
			if have[t.Short()] != declared(t) {
				return errOtherFacts
			}
		}
	}
	return nil
}

// RefreshFacts makes the tables of schema star agree with the declarations of this
// binary. A table that is declared anew is empty until analysis has added up the
// days again, which are marked; reports read them from the ledger until then.
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
			says, there := have[t.Short()]
			delete(have, t.Short())
			want := declared(t)
			if says == want {
				continue
			}
			text := t.Create() + t.Policy() + fmt.Sprintf("comment on table %s is '%s';", t.Name(), want)
			if anew = true; there {
				text = "drop table " + t.Name() + ";\n" + text
				if err := report.ClearViews(ctx, tx); err != nil { // which may read it
					return err
				}
			}
			if _, err := tx.Exec(ctx, text); err != nil {
				return fmt.Errorf("make table %s: %w", t.Name(), err)
			}
		}
	}
	for name := range have { // nobody declares them any more
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
