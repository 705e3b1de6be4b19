package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

// The committed boards are those of this code, no more and no fewer.
func TestBoardsAreCurrent(t *testing.T) {
	files, err := filepath.Glob("../*.json")
	if err != nil || len(files) != len(boards) {
		t.Errorf("%d boards in the folder, %d here: %v", len(files), len(boards), err)
	}
	for name, of := range boards {
		want, err := written(of())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		have, err := os.ReadFile(filepath.Join("..", name))
		if err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not that of this code (%v): go -C deploy/grafana/build run .", name, err)
		}
	}
}

// The committed boards are sound: the SDK reads every field by its schema, each panel has its own id, a description
// and no overlap, and data sources are variables.
func TestBoardsAreSound(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	fixed := regexp.MustCompile(`"uid": "[^$"]+"`)
	for name, of := range boards {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if fault := faultOf(text); fault != "" {
			t.Errorf("%s: %s", name, fault)
		}
		for _, change := range [][2]string{{`"schemaVersion"`, `"schemaVersions"`}, {
			`"gridPos": {`, `"gridPos": {"z": 1,`}, {`"calcs": [`, `"calculations": [`}} {
			other := bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)
			if !bytes.Equal(other, text) && faultOf(other) == "" {
				t.Errorf("%s: the schema takes %s", name, change[1])
			}
		}
		if uids := fixed.FindAll(text, -1); len(uids) != 1 { // the board's
			t.Errorf("%s: fixed uids %s", name, uids)
		}
		var plain struct {
			Panels []struct {
				ID          int
				Title       string
				Description string
				GridPos     struct{ X, Y, W, H int }
				Targets     []struct{ Datasource struct{ UID string } }
			}
		}
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		if len(plain.Panels) != len(of().panels) {
			t.Errorf("%s: %d panels of %d", name, len(plain.Panels), len(of().panels))
		}
		var ids []int
		for i, p := range plain.Panels {
			if p.Title == "" || p.Description == "" || len(p.Targets) != 1 || slices.Contains(ids, p.ID) {
				t.Errorf("%s: panel %d %q lacks something, or its id %d is taken", name, i, p.Title, p.ID)
			}
			ids = append(ids, p.ID)
			for _, o := range plain.Panels[:i] {
				a, b := p.GridPos, o.GridPos
				if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
					t.Errorf("%s: %q lies over %q", name, p.Title, o.Title)
				}
			}
		}
	}
}

// faultOf is how a dashboard breaks the schema; empty if it does not. The SDK returns its list of faults, even an empty
// one.
func faultOf(text []byte) string {
	var d dashboard.Dashboard
	if err := d.UnmarshalJSONStrict(text); err != nil && err.Error() != "" {
		return err.Error()
	}
	if err := d.Validate(); err != nil {
		return err.Error()
	}
	return ""
}

var (
	// moneyColumn are columns of bi_v1 with money; moneySeries are gauges with money.
	moneyColumn = regexp.MustCompile(`\b(\w*cost(_min)?|\w*_equivalent|\w*savings?|\w*_price|amount|spend|projected)\b`)
	moneySeries = regexp.MustCompile(`\bgpuledger_(\w*cost\w*|\w*savings|budget_amount|budget_projected)\b`)
	quotedName  = regexp.MustCompile(`"[^"]*"`)
	ofLedger    = regexp.MustCompile(`\bfrom bi_v1\.`)
)

// moneyFault is how a panel shows money without its currency. Each part of a query that reads the ledger needs a
// condition or a column; a figure of Prometheus needs the label, unless it is a count or a share.
func moneyFault(p panel) string {
	if p.prom != "" {
		counts := strings.HasPrefix(p.prom, "count(") || p.unit == share
		if moneySeries.MatchString(p.prom) && !counts && !strings.Contains(p.legend, "{{currency}}") {
			return "its legend has no currency"
		}
		return ""
	}
	sql := quotedName.ReplaceAllString(p.sql, "")
	if !moneyColumn.MatchString(sql) {
		return ""
	}
	// A variable's name is none: ${currency:sqlstring}.
	named := regexp.MustCompile(`(^|[^{\w])currency\b`).FindAllString(sql, -1)
	if len(named) < len(ofLedger.FindAllString(sql, -1)) || len(named) == 0 {
		return "its query has neither a condition on currency nor a column of it"
	}
	return ""
}

// No panel shows money without its currency, and no board adds up two.
func TestMoneyHasACurrency(t *testing.T) {
	money := 0
	for name, of := range boards {
		for _, p := range of().panels {
			if fault := moneyFault(p); fault != "" {
				t.Errorf("%s: %q: %s", name, p.title, fault)
			}
			if moneyColumn.MatchString(p.sql) || moneySeries.MatchString(p.prom) {
				money++
			}
		}
	}
	if money < 25 {
		t.Errorf("only %d panels with money", money)
	}
	for _, p := range []panel{
		{sql: `select at as "At", lost_cost as "Currency" from bi_v1.interruptions where $__timeFilter(at)`},
		{sql: `select sum(gross_saving) from bi_v1.star_spot_days`},
		{sql: `with work as (select effective_cost from bi_v1.a where ` + inCurrency + `
union all select effective_cost from bi_v1.b) select sum(effective_cost) from work`},
		{sql: `select name, amount, '${currency:sqlstring}' as chosen from bi_v1.budget_versions`},
		{prom: `gpuledger_spot_net_savings`, legend: "{{cluster}}"},
		{prom: `gpuledger_cost_month_to_date`, legend: "{{team}}"},
	} {
		if moneyFault(p) == "" {
			t.Errorf("taken: %s%s", p.sql, p.prom)
		}
	}
}
