package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// dayTable is what a dataset adds up to by UTC day (table name_days) and by
// calendar month (name_months), where the grains of costs do not have its keys.
// It is filled when a day is rolled up, from the rows that its reports read, and
// as new as the roll-up of costs.
type dayTable struct {
	name string
	keys []string
	sums []daySum
	at   string // start of what a row of a day adds up; empty: the day
	rows string // statement of the rows r of the ledger, with their hour, keys and what is added up
	// hourly tables have a row per hour, which no month adds up.
	hourly bool
}

// daySum is a column of a dayTable over rows r, of the ledger or of days.
type daySum struct{ name, sql string }

// plainSums are sums that are null where nothing is known.
func plainSums(names ...string) []daySum {
	sums := make([]daySum, len(names))
	for i, name := range names {
		sums[i] = daySum{name, "sum(r." + name + ")"}
	}
	return sums
}

// idleTable has 24 rows a day and kind of machine, 168 a month.
var idleTable = dayTable{
	name: "idle",
	keys: []string{"cluster", "instance_type", "region", "gpu_model", "hour_of_week"},
	sums: plainSums("free", "held_idle", "out_of_reach", "rest"),
	rows: "report.idle_usage",
}

// dayTables are all of them.
var dayTables = []dayTable{idleTable, commitmentTable, commitmentOwnerTable, heldTable, levelTable, spotTable, spotHourTable, spotNodeTable, gangTable, modelTable}

// columns are what the table has besides its tenant and at.
func (t dayTable) columns() []string {
	all := slices.Clone(t.keys)
	for _, s := range t.sums {
		all = append(all, s.name)
	}
	return all
}

// added is what adds rows r up to rows of at.
func (t dayTable) added(at, rows string) string {
	columns := append([]string{"@tenant", at}, listed("r.", t.keys))
	for _, s := range t.sums {
		columns = append(columns, s.sql)
	}
	return fmt.Sprintf("select %s\nfrom %s r\ngroup by 2, %s", strings.Join(columns, ", "), rows, listed("r.", t.keys))
}

// addUpDays fills the tables for a span of whole days, and forgets their months.
// Tables of the same rows read them once.
func addUpDays(ctx context.Context, tx pgx.Tx, span period.Interval) error {
	c := &compiler{q: metrics.Query{Window: span}, literals: true} // the server makes no table of a statement with parameters
	send := func(what, text string) error {
		if _, err := tx.Exec(ctx, c.expand(text)); err != nil {
			return fmt.Errorf("add up days of %s: %w", what, err)
		}
		return nil
	}
	staged := map[string]string{}
	for i, t := range dayTables {
		stage, ok := staged[t.rows]
		if !ok {
			stage = fmt.Sprintf("next_rows_%d", i)
			staged[t.rows] = stage
			if err := send(t.name, fmt.Sprintf("create temp table %s on commit drop as\n%s", stage, statement(t.rows))); err != nil {
				return err
			}
		}
		at := t.at
		if at == "" {
			at = "date_trunc('day', r.hour, 'UTC')"
		}
		texts := []string{
			fmt.Sprintf("delete from %s_days where tenant_id = @tenant and at >= @from and at < @to", t.name),
			fmt.Sprintf("insert into %s_days (tenant_id, at, %s)\n%s", t.name, listed("", t.columns()), t.added(at, stage)),
		}
		if !t.hourly {
			texts = append(texts, fmt.Sprintf("delete from %s_months where tenant_id = @tenant and at >= date_trunc('month', @from, 'UTC') and at < @to", t.name))
		}
		for _, text := range texts {
			if err := send(t.name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// addUpMonth fills the tables for a calendar month of which all days are there.
func addUpMonth(ctx context.Context, tx pgx.Tx, month period.Second) error {
	for _, t := range dayTables {
		if t.hourly {
			continue
		}
		c := &compiler{q: metrics.Query{Window: period.MonthOf(month)}}
		text := fmt.Sprintf("insert into %[1]s_months (tenant_id, at, %[2]s)\n%[3]s", t.name, listed("", t.columns()),
			t.added("@from", fmt.Sprintf("(select * from %s_days where tenant_id = @tenant and at >= @from and at < @to)", t.name)))
		if _, err := tx.Exec(ctx, c.expand(text), c.args...); err != nil {
			return fmt.Errorf("add up a month of %s: %w", t.name, err)
		}
	}
	return nil
}

// dayRows are the rows of the window with the columns that a report reads: of
// what was added up, at the start of it, and of all else from the ledger.
func (c *compiler) dayRows(t dayTable, columns ...string) string {
	list := listed("r.", columns)
	ledger := func() string {
		return "select r.hour, " + list + " from (\n" + c.expand(statement(t.rows)) + "\n) r"
	}
	parts := c.addedRows(t, "select r.at as hour, "+list)
	if c.plan == nil {
		return ledger()
	}
	window := c.q.Window
	defer func() { c.q.Window = window }()
	for _, p := range c.plan.pieces {
		if c.q.Window = p.span; p.from == fromLedger {
			parts = append(parts, ledger())
		}
	}
	return strings.Join(parts, "\nunion all\n")
}

// addedRows select from rows r of what was added up, piece by piece.
func (c *compiler) addedRows(t dayTable, selected string) (parts []string) {
	if c.plan == nil {
		return nil
	}
	window := c.q.Window
	defer func() { c.q.Window = window }()
	for _, p := range c.plan.pieces {
		c.q.Window = p.span
		if table := map[source]string{fromDays: t.name + "_days", fromMonths: t.name + "_months"}[p.from]; table != "" {
			parts = append(parts, c.expand(selected+" from "+table+" r where r.tenant_id = @tenant and r.at >= @from and r.at < @to"))
		}
	}
	return parts
}

// planDays is the planner of datasets that have tables of days.
func planDays(ctx context.Context, tx pgx.Tx, q metrics.Query) (*rollupPlan, error) {
	days, err := windowDays(ctx, tx, q)
	if err != nil {
		return nil, err
	}
	return dayPlan(q, days), nil
}

// dayPlan cuts the window of q into days that are there and all else; nil where
// all of it is of the ledger.
func dayPlan(q metrics.Query, days []cleanDay) *rollupPlan {
	list := pieces(metrics.Query{Window: q.Window, Granularity: metrics.Total}, false, days) // at is of no other time zone
	if !slices.ContainsFunc(list, func(p piece) bool { return p.from != fromLedger }) {
		return nil
	}
	return &rollupPlan{pieces: list}
}
