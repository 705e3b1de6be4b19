package report

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
	"gpuledger/migrations"
)

// biView is one view of schema bi_v1.
type biView struct {
	Name  string
	doc   string
	query metrics.Query
}

// biViews lists the views: one per dataset with the columns of its default
// report, and costs_hourly and costs_daily with all standard keys. Derived datasets have none.
func biViews() []biView {
	var views []biView
	for _, d := range metrics.Datasets {
		if d.Derived != nil { // its rules are not SQL
			continue
		}
		q := metrics.Query{Dataset: d, Granularity: d.Step(), GroupBy: d.Keys(), Basis: ledger.EffectiveCost}
		if d.Pairs {
			q.Sharing = metrics.AfterSharing
		}
		views = append(views, biView{d.Name, d.Doc, q})
		if d.Totals {
			for _, by := range []metrics.Granularity{metrics.Hour, metrics.Day} {
				q.Granularity = by
				views = append(views, biView{
					d.Name + map[metrics.Granularity]string{metrics.Hour: "_hourly", metrics.Day: "_daily"}[by],
					d.Doc + " By " + string(by) + " (UTC).", q,
				})
			}
		}
		if !d.Grouped || d.Pairs {
			continue
		}
		views = append(views, steps(d.Name, d.Doc, q)...)
		if d.Shared {
			q.Sharing = metrics.AfterSharing
			views = append(views, steps(d.Name+"_after", d.Doc+" After sharing.", q)...)
		}
	}
	return views
}

// steps returns the hourly and the daily view of a grouped dataset.
func steps(name, doc string, q metrics.Query) []biView {
	var views []biView
	for _, v := range []struct {
		suffix string
		by     metrics.Granularity
	}{{"_hourly", metrics.Hour}, {"_daily", metrics.Day}} {
		q.Granularity, q.GroupBy = v.by, metrics.Keys
		views = append(views, biView{name + v.suffix, doc + " By " + string(v.by) + " (UTC) and all standard keys.", q})
	}
	return views
}

// viewSQL is the text that creates all views with their comments: one per dataset, and one per table of facts.
func viewSQL() string {
	var b strings.Builder
	for _, v := range biViews() {
		c := stating(v.query)
		fmt.Fprintf(&b, "create view bi_v1.%s as\n%s;\n", ident(v.Name), v.whole(c.body()))
		fmt.Fprintf(&b, "comment on view bi_v1.%s is %s;\n", ident(v.Name), c.literal(v.doc))
		for _, col := range v.query.Columns() {
			fmt.Fprintf(&b, "comment on column bi_v1.%s.%s is %s;\n", ident(v.Name), ident(col.Name),
				c.literal(columnComment(col)))
		}
	}
	for _, f := range star.Facts {
		for _, t := range f.Tables() {
			b.WriteString(strings.ReplaceAll(t.View(), "@tenant", strconv.Itoa(pg.Tenant)))
		}
	}
	return b.String()
}

// whole is the text of a view. If REST refuses the dataset to scoped users, because it adds up other owners' rows,
// the view is empty for a login with a scope.
func (v biView) whole(body string) string {
	if v.query.Dataset.InPart {
		return body
	}
	return "select * from (\n" + body + "\n) whole where " + star.Unscoped
}

func columnComment(col metrics.Column) string {
	text := col.Doc
	if col.Formula.Aggregates() {
		text += " " + col.Formula.String() + "."
	}
	if col.Unit != "" {
		text += " Unit: " + col.Unit + "."
	}
	return strings.Join(append([]string{text}, col.Caveats...), " ")
}

func (c Compiler) literal(text string) string {
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// RefreshViews creates the views of schema bi_v1 by the definitions of this binary. It does nothing, and keeps
// grants, if they are already up to date.
func RefreshViews(ctx context.Context, tx pgx.Tx) error {
	text := viewSQL()
	sum := sha256.Sum256([]byte(text))
	want := "built from definitions of schema " + strconv.Itoa(int(migrations.Latest())) + ", " +
		hex.EncodeToString(sum[:])
	have, err := pg.Value[*string](ctx, tx, "report.view_digest")
	if err != nil {
		return fmt.Errorf("read version of views: %w", err)
	}
	if have != nil && *have == want {
		return nil
	}
	if err := ClearViews(ctx, tx); err != nil {
		return err
	}
	for _, sql := range []string{
		pg.Statement("report.view_base"), text, "set local search_path = public", "comment on schema bi_v1 is '" + want + "'",
	} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("make views of bi_v1: %w", err)
		}
	}
	return nil
}

// ClearViews drops the views; RefreshViews creates them again.
func ClearViews(ctx context.Context, tx pgx.Tx) error {
	for _, sql := range []string{pg.Statement("report.view_clear"), "comment on schema bi_v1 is null"} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("clear the views of bi_v1: %w", err)
		}
	}
	return nil
}
