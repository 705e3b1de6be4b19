package e2e

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// grafanaBoard is what a query needs of a dashboard of deploy/grafana.
type grafanaBoard struct {
	Title      string
	Templating struct {
		List []struct {
			Name, Type string
			Query      string
			Multi      bool
		}
	}
	Panels []struct {
		Title   string
		Targets []struct{ RawSQL, Expr string }
	}
}

func grafanaBoards(t *testing.T) map[string]grafanaBoard {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(top, "deploy", "grafana", "*.json"))
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	all := map[string]grafanaBoard{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var b grafanaBoard
		if err := json.Unmarshal(text, &b); err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".json")] = b
	}
	return all
}

var (
	timeFilter   = regexp.MustCompile(`\$__timeFilter\(([^)]*)\)`)
	grafanaNames = regexp.MustCompile(`\$\{(\w+):sqlstring\}`)
)

// expanded is a query as Grafana sends it: macros and variables replaced.
func expanded(t *testing.T, sql string, chosen map[string][]string) string {
	t.Helper()
	sql = timeFilter.ReplaceAllString(sql, "$1 BETWEEN '2020-01-01T00:00:00Z' AND '2040-01-01T00:00:00Z'")
	sql = grafanaNames.ReplaceAllStringFunc(sql, func(m string) string {
		var list []string
		for _, v := range chosen[grafanaNames.FindStringSubmatch(m)[1]] {
			list = append(list, "'"+strings.ReplaceAll(v, "'", "''")+"'")
		}
		return strings.Join(list, ",")
	})
	if strings.Contains(sql, "$") {
		t.Errorf("a macro or a variable is left in %s", sql)
	}
	return sql
}

// asLogin connects as a new BI login without a scope; drop ends it.
func asLogin(t *testing.T, db, name string) (conn *pgx.Conn, address string, drop func()) {
	t.Helper()
	out := must(t, db, "bi", "login", name)
	at := strings.Index(out, "postgres://")
	if at < 0 {
		t.Fatal(out)
	}
	address = strings.Fields(out[at:])[0]
	conn = connect(t, "--database-url="+address)
	return conn, address, func() {
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
		must(t, db, "bi", "drop", name)
	}
}

// summed adds up a column of a report.
func summed(t *testing.T, db, column string, args ...string) *big.Rat {
	t.Helper()
	a := decodeCSV(t, must(t, slices.Concat([]string{db, "report"}, args, []string{"--columns=" + column, "--format=csv"})...))
	sum := new(big.Rat)
	for _, row := range a.rows {
		if v, ok := new(big.Rat).SetString(row[0]); ok {
			sum.Add(sum, v)
		}
	}
	return sum
}

// TestBoardsShowTheReports runs every query of every board as a BI login: each has rows, and totals are those of the
// reports.
func TestBoardsShowTheReports(t *testing.T) {
	db := smallLedger(t)
	budgetsOfTests(t, db)
	conn, _, drop := asLogin(t, db, "gl_boards")
	defer drop()
	figures, queries := map[string]*big.Rat{}, 0
	for name, b := range grafanaBoards(t) {
		chosen := map[string][]string{}
		for _, v := range b.Templating.List {
			if v.Type != "query" {
				continue
			}
			rows, err := conn.Query(t.Context(), v.Query)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, v.Name, err)
			}
			values, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil || len(values) == 0 {
				t.Fatalf("%s, %s: %d values, %v", name, v.Name, len(values), err)
			}
			if !v.Multi {
				values = []string{"USD"} // the choices are currencies
			}
			chosen[v.Name] = values
		}
		for _, p := range b.Panels {
			for _, target := range p.Targets {
				if target.RawSQL == "" {
					continue
				}
				queries++
				figure := figureOf(t, conn, name+", "+p.Title, expanded(t, target.RawSQL, chosen))
				if figure != nil {
					figures[name+", "+p.Title] = figure
				}
			}
		}
	}
	if queries < 20 {
		t.Errorf("only %d queries over the ledger", queries)
	}
	for _, c := range []struct {
		panel, column string
		report        []string
	}{
		{"namespaces, Cost", "effective_cost", []string{"costs", "--filter=currency = USD"}},
		{"workloads, Cost", "effective_cost", []string{"costs", "--filter=currency = USD"}},
		{"budgets, Spend in the time range", "effective_cost", []string{"costs", "--filter=currency = USD"}},
		{"namespaces, GPU-hours held", "gpu_hours", []string{"costs"}},
		{"idle, Idle GPU-hours", "gpu_hours", []string{"costs", "--filter=cause = held_idle"}},
		{"idle, Idle cost", "effective_cost", []string{"costs", "--filter=cause = held_idle and currency = USD"}},
		{"workloads, Cost of lost work", "effective_cost",
			[]string{"costs", "--filter=cause = lost and currency = USD and run is not null"}},
		{"spot, Spot cost", "effective_cost", []string{"spot", "--filter=group_key = cluster and currency = USD"}},
		{"spot, Net savings", "net_savings", []string{"spot", "--filter=group_key = cluster and currency = USD"}},
		{"queue, Workloads", "workloads", []string{"queue"}},
		{"queue, Pending GPU-hours", "pending_gpu_hours", []string{"queue"}},
	} {
		want := summed(t, db, c.column, c.report...)
		if got := figures[c.panel]; got == nil || want.Sign() == 0 || got.Cmp(want) != 0 {
			t.Errorf("%s shows %v, the report %s", c.panel, got, want.FloatString(12))
		}
	}
}

// figureOf runs a query that must have rows, and a value in each column, and returns the figure of one with a single
// row and column.
func figureOf(t *testing.T, conn *pgx.Conn, what, sql string) *big.Rat {
	t.Helper()
	rows, err := conn.Query(t.Context(), "select to_jsonb(q) from ("+sql+") q")
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return nil
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[map[string]json.RawMessage])
	if err != nil || len(list) == 0 {
		t.Errorf("%s: %d rows, %v", what, len(list), err)
		return nil
	}
	known := map[string]string{}
	for _, row := range list {
		for name, value := range row {
			if string(value) != "null" {
				known[name] = string(value)
			}
		}
	}
	if len(known) == 0 {
		t.Errorf("%s: nothing is known in %d rows", what, len(list))
	}
	if len(list) > 1 || len(list[0]) > 1 {
		return nil
	}
	for _, value := range known {
		if v, ok := new(big.Rat).SetString(value); ok {
			return v
		}
	}
	return nil
}
