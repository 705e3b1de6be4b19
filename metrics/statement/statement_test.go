package statement_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/metrics/statement"
)

// ledger answers with the rows of a dataset, or of a month of costs. A row is "column=value …".
type ledger map[string][]string

func (l ledger) Query(_ context.Context, q metrics.Query) (metrics.Rows, error) {
	name := q.Dataset.Name
	if name == "costs" {
		name = string(q.BillingPeriod)
	}
	var rows [][]metrics.Value
	for _, text := range l[name] {
		cells := map[string]string{}
		for cell := range strings.FieldsSeq(text) {
			k, v, _ := strings.Cut(cell, "=")
			cells[k] = v
		}
		var row []metrics.Value
		for _, c := range q.Columns() {
			v := metrics.Value{Valid: cells[c.Name] != "", Text: cells[c.Name]}
			if v.Valid && c.Kind == metrics.Time {
				v.Time, _ = time.Parse(time.DateOnly, v.Text)
			}
			if c.Kind.Integer() {
				_, _ = fmt.Sscan(v.Text, &v.Int)
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return metrics.NewSliceRows(q.Columns(), rows), nil
}

// Conditions are the lines of the table "scope".
func (l ledger) Conditions(context.Context, *access.Viewer) ([]string, error) { return l["scope"], nil }

// row is a row of costs of team a.
func row(kind, more string) string {
	return "team=a kind=" + kind + " provider=aws billing_account=111 state=final quality=measured currency=USD " +
		"period_start=2026-10-01 cause=used " + more
}

func build(t *testing.T, l ledger) *statement.Statement {
	t.Helper()
	q, err := statement.Parse("team=a", "2026-10", "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := statement.Build(t.Context(), l, q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// October of team a: 10 h of an H100 for 20, shared cost, and an adjustment of September.
var october = []string{
	row("direct", "project=x gpu_model=H100 pricing=spot effective_cost=20 gpu_hours=8 capacity_gpu_hours=10 "+
		"active_gpu_hours=4"),
	row("amortise", "effective_cost=5 quality=assumed"),
	row("shared_in", "effective_cost=7.5 cause=free quality="),
	row("shared_out", "effective_cost=-2.5 cause=free quality="),
	row("adjustment", "project=x effective_cost=-1 period_start=2026-09-01"),
}

var closed = []string{"billing_account=111 state=closed version=2 closed_at=2026-11-06"}

func TestTotalIsTheSumOfItsParts(t *testing.T) {
	s := build(t, ledger{"2026-10": october, "periods": closed})
	if len(s.Statements) != 1 || s.State != statement.Closed || s.Accounts[0].Version != 2 {
		t.Fatalf("%+v", s)
	}
	c := s.Statements[0]
	got := fmt.Sprint(c.Opening, c.Direct, c.SharedIn, c.SharedOut, c.Adjustments, c.Total)
	if got != "0 25 7.5 -2.5 -1 29" {
		t.Error(got)
	}
	if got := fmt.Sprint(c.Certainty.Measured, c.Certainty.Assumed, c.Certainty.Unowned); got != "20 5 0" {
		t.Errorf("certainty %s", got)
	}
	var out strings.Builder
	if err := s.WriteCSV(&out, false); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"direct,USD,20,x,used,2026-10,8,team=a,2026-10,after,closed",
		"direct,USD,5,,used,2026-10,,team=a,2026-10,after,closed",
		"shared_in,USD,7.5,,free,2026-10,,team=a,2026-10,after,closed",
		"shared_out,USD,-2.5,,free,2026-10,,team=a,2026-10,after,closed",
		"adjustments,USD,-1,x,used,2026-09,,team=a,2026-10,after,closed",
		"total,USD,29,,,,,team=a,2026-10,after,closed", "",
	}
	if got := strings.Split(out.String(), "\r\n")[1:]; !slices.Equal(got, want) {
		t.Error(out.String())
	}
}

// From $10 for 10 h, half of them active, to $29: at $1, 8 h would do the work of now, the other 2 h are efficiency;
// $2 instead of $1 for 10 h is price; the rest has no hours.
func TestBridgeAddsUpToTheDifference(t *testing.T) {
	before := []string{row("direct", "gpu_model=H100 pricing=spot effective_cost=10 capacity_gpu_hours=10 "+
		"active_gpu_hours=5")}
	b := build(t, ledger{"2026-10": october, "2026-09": before, "periods": closed}).Statements[0].Bridge
	if b == nil {
		t.Fatal("no bridge")
	}
	if got := fmt.Sprint(b.Before, b.Volume, b.Efficiency, b.Mix, b.Price, b.WithoutHours); got != "10 -2 2 0 10 9" {
		t.Error(got)
	}
	if sum := money.Sum(b.Before, b.Volume, b.Efficiency, b.Mix, b.Price, b.WithoutHours); sum.String() != "29" {
		t.Errorf("adds up to %s", sum)
	}
}

func TestClosedStatementsAreComparedWithClosedMonths(t *testing.T) {
	open := []string{strings.Replace(row("direct", "effective_cost=10"), "state=final", "state=open", 1)}
	s := build(t, ledger{"2026-10": october, "2026-09": open, "periods": closed})
	if s.Statements[0].Bridge != nil {
		t.Error("compared with an open month")
	}
	if s = build(t, ledger{"2026-10": october, "2026-09": open}); s.State != statement.Open ||
		s.Statements[0].Bridge == nil || len(s.Notes) == 0 || !strings.Contains(s.Notes[0], "Not final") {
		t.Errorf("an open statement: %+v", s)
	}
}

func TestBudgetsAreThoseInForceAtTheClose(t *testing.T) {
	budget := func(version int, amount, stored string) string {
		return fmt.Sprintf("budget_id=1 name=a-oct key=team value=a unit=money currency=USD period=month "+
			"period_start=2026-10-01 period_end=2026-11-01 version=%d amount=%s changed_at=%s", version, amount, stored)
	}
	l := ledger{"2026-10": october, "budget_versions": {
		strings.Replace(budget(9, "1", "2026-09-20"), "end=2026-11-01", "end=2026-10-31", 1), // a fiscal month
		budget(1, "48", "2026-09-20"), budget(2, "40", "2026-11-01"), budget(3, "10", "2026-11-07"),
		strings.Replace(budget(1, "1", "2026-09-20"), "start=2026-10", "start=2026-11", 1),
	}}
	of := func() string {
		s := build(t, l)
		if len(s.Budgets) != 1 {
			t.Fatalf("%+v", s.Budgets)
		}
		b := s.Budgets[0]
		return fmt.Sprint(b.Amount, " ", b.Spent, " ", b.Ratio)
	}
	if got := of(); got != "10 24 2.4" {
		t.Errorf("open: %s", got)
	}
	l["periods"] = closed
	if got := of(); got != "40 24 0.6" {
		t.Errorf("closed on 6 November: %s", got)
	}
}

func TestUnknownCostIsNotWrittenAsZero(t *testing.T) {
	s := build(t, ledger{"2026-10": {row("direct", "gpu_hours=3")}})
	if l := s.Statements[0].Lines[0]; l.EffectiveCost != nil || l.GPUHours.String() != "3" {
		t.Errorf("%+v", l)
	}
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "no known cost") }) {
		t.Errorf("no note: %q", s.Notes)
	}
}

func TestOwnersWithoutABillHaveNoStatement(t *testing.T) {
	q, _ := statement.Parse("team=a", "2026-10", "before")
	_, err := statement.Build(t.Context(), ledger{"2026-09": {row("direct", "effective_cost=1")}}, q)
	if _, nothing := errors.AsType[*statement.NothingError](err); !nothing || !strings.Contains(err.Error(), "team=a") {
		t.Errorf("%v", err)
	}
	for _, bad := range [][3]string{
		{"team", "2026-10", ""}, {"team=", "2026-10", ""}, {"node=x", "2026-10", ""}, {"team=a", "10/2026", ""},
		{"team=a", "2026-10", "both"},
	} {
		if _, err := statement.Parse(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("accepted %q", bad)
		}
	}
}

func FuzzNamesStayCells(f *testing.F) {
	f.Add("=cmd|'/c calc'!A1")
	f.Add("a\",\r\ntotal,USD,1")
	f.Fuzz(func(t *testing.T, name string) {
		s := statement.Statement{Owner: "team=" + name, Statements: []statement.Charge{
			{Currency: "USD", Lines: []statement.Line{{Section: statement.Direct, Project: &name}}}}}
		var text strings.Builder
		if err := s.WriteCSV(&text, true); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
		if err != nil || len(rows) != 3 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		if project := rows[1][3]; project != "" && strings.ContainsRune("=+-@\t", rune(project[0])) {
			t.Errorf("a formula: %q", project)
		}
	})
}
