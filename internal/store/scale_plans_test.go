package store_test

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// plan is a node of a plan as PostgreSQL explains it.
type plan struct {
	Node       string `json:"Node Type"`
	Relation   string `json:"Relation Name"`
	Alias      string `json:"Alias"`
	Filter     string `json:"Filter"`
	IndexCond  string `json:"Index Cond"`
	Recheck    string `json:"Recheck Cond"`
	HashCond   string `json:"Hash Cond"`
	MergeCond  string `json:"Merge Cond"`
	JoinFilter string `json:"Join Filter"`
	Plans      []plan `json:"Plans"`
}

var sameTenant = regexp.MustCompile(`^\(?(\S+?)\.tenant_id = (\$\d+|'?\d+'?(?:::integer)?|\S+?\.tenant_id)\)?$`)

// crossings lists the tables of a plan whose rows may belong to another tenant: neither the statement's argument nor a
// join binds them to one.
func crossings(root plan, distributed map[string]bool) (list []string) {
	bound := map[string]bool{}    // aliases whose rows all belong to one tenant
	same := map[string][]string{} // aliases that are joined by tenant
	scans := map[string]string{}
	var visit func(p plan)
	visit = func(p plan) {
		if distributed[p.Relation] && strings.HasSuffix(p.Node, "Scan") {
			scans[p.Alias] = p.Relation
		}
		for _, condition := range []string{p.Filter, p.IndexCond, p.Recheck, p.HashCond, p.MergeCond, p.JoinFilter} {
			for _, term := range conjuncts(condition) {
				m := sameTenant.FindStringSubmatch(term)
				if m == nil {
					continue
				}
				other, isColumn := strings.CutSuffix(m[2], ".tenant_id")
				if !isColumn {
					bound[m[1]] = true
					continue
				}
				same[m[1]], same[other] = append(same[m[1]], other), append(same[other], m[1])
			}
		}
		for _, child := range p.Plans {
			visit(child)
		}
	}
	visit(root)
	for alias := range same {
		if scans[alias] == "" {
			bound[alias] = true // a stage, or a part of the statement that is checked separately
		}
	}
	for queue := slices.Collect(maps.Keys(bound)); len(queue) > 0; queue = queue[1:] {
		for _, other := range same[queue[0]] {
			if !bound[other] {
				bound[other] = true
				queue = append(queue, other)
			}
		}
	}
	for alias, table := range scans {
		if !bound[alias] {
			list = append(list, table+" "+alias)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// conjuncts splits a condition at its outermost ANDs.
func conjuncts(condition string) []string {
	inner, ok := strings.CutPrefix(condition, "(")
	if !ok || !strings.Contains(condition, " AND ") {
		return []string{condition}
	}
	inner = strings.TrimSuffix(inner, ")")
	var list []string
	depth, start := 0, 0
	for i := range inner {
		switch {
		case inner[i] == '(':
			depth++
		case inner[i] == ')':
			depth--
		case depth == 0 && strings.HasPrefix(inner[i:], " AND "):
			list, start = append(list, inner[start:i]), i+len(" AND ")
		}
	}
	return append(list, inner[start:])
}

// explained is the generic plan of a statement.
func explained(t *testing.T, tx pgx.Tx, sql string) (root plan, err error) {
	t.Helper()
	return root, pgx.BeginFunc(t.Context(), tx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "prepare asked as "+sql); err != nil {
			return err
		}
		var n int
		if err := tx.QueryRow(t.Context(),
			"select cardinality(parameter_types) from pg_prepared_statements where name = 'asked'").Scan(&n); err != nil {
			return err
		}
		execute := "execute asked"
		if n > 0 {
			execute += "(null" + strings.Repeat(", null", n-1) + ")"
		}
		var text []byte
		if err := tx.QueryRow(t.Context(), "explain (format json, verbose, costs off) "+execute).Scan(&text); err != nil {
			return err
		}
		var list []struct{ Plan plan }
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		root = list[0].Plan
		_, err := tx.Exec(t.Context(), "deallocate asked")
		return err
	})
}

// distributedTables are the tables with a tenant, and their months.
func distributedTables(t *testing.T, s *store.Store) map[string]bool {
	t.Helper()
	rows, err := s.Pool.Query(t.Context(), `select c.relname::text from pg_class c
		join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
		where c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'star'::regnamespace)`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]bool{}
	for _, name := range names {
		list[name] = true
	}
	return list
}

// everyMonth creates a month of each partitioned table: empty parents are not in a plan.
func everyMonth(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Run(t, s.Pool, `do $$ begin perform ensure_month(c.relname::text, '2026-11-01') from pg_class c
		where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace and c.relname <> 'charge_rows'; end $$`)
	storetest.Run(t, s.Pool, "create table one_delivery partition of charge_rows default")
}

// planning makes plans list all tables, whatever the arguments.
const planning = "set local plan_cache_mode = force_generic_plan; set local enable_partition_pruning = off"

// staged are statements that create tables for statements of other areas.
var staged = map[string][]string{
	"adjust": {"part.create_stage"}, "bill": {"dirty.create_touched"}, "dirty": {"world.create_stage"},
	"part": {"adjust.create_charges"}, "reopen": {"close.create_parts"}, "statement": {"close.create_lines"},
}

// stagedTelemetry are the temporary tables for imports and the tables they copy.
var stagedTelemetry = map[string]string{
	"samples": "sample_hours", "counters": "counter_hours", "evidence": "hold_evidence", "node_states": "node_state_hours",
	"sources": "source_hours", "pod_states": "pod_state_hours", "placements": "placements", "devices": "device_facts",
	"events": "workload_events", "checkpoints": "checkpoint_facts", "nodes": "node_facts", "workloads": "workload_facts",
	"objects": "objects", "segments": "segment_facts", "conflicts": "fact_conflicts",
}

var (
	// Statements without a plan: definitions, settings, COPY, use of declared cursors.
	noPlan = regexp.MustCompile(`^(create (temp )?table (if not exists )?[:a-z_]+ \(|create unique|create index|alter|drop|analyze|set|copy|close|fetch|do) ?`)
	// Placeholders for tables that Go fills in.
	goFills = regexp.MustCompile(`[^:]:(rows|fresh|old|number|next|stage)\b`)
	// Statements that create or declare something from a query.
	madeOf = regexp.MustCompile(`(?s)^(declare \w+ no scroll cursor for|create temp table \w+ on commit drop as)\s`)
)

// schemaWide are statements about the schema, which all tenants share.
var schemaWide = map[string]bool{"star.forget_months": true, "star.mark_days": true}

// On several machines, a statement that reads rows of more than one tenant would query all machines, if it could be
// planned at all (docs/operate/scale.md). This test plans each statement of sql/ for any arguments and checks every
// table that it reads.
func TestNoStatementCrossesTenants(t *testing.T) {
	s := storetest.New(t)
	everyMonth(t, s)
	tables := distributedTables(t, s)
	areas := map[string][]string{}
	for name := range pg.Statements {
		if area, _, _ := strings.Cut(name, "."); area != "report" && !schemaWide[name] { // reports are composed: below
			areas[area] = append(areas[area], name)
		}
	}
	for area, names := range areas {
		slices.Sort(names)
		t.Run(area, func(t *testing.T) {
			tx, err := s.Pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, sql := range slices.Concat([]string{planning}, stageOf(area, names)) {
				if _, err := tx.Exec(t.Context(), sql); err != nil {
					t.Fatal(sql, err)
				}
			}
			for _, name := range names {
				for _, sql := range plannable(name) {
					if root, err := explained(t, tx, sql); err != nil {
						t.Errorf("statement %s: %v", name, err)
					} else if list := crossings(root, tables); len(list) > 0 {
						t.Errorf("statement %s crosses tenants: %v", name, list)
					}
				}
			}
			if err := tx.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// stageOf lists the statements that create the temporary tables of an area.
func stageOf(area string, names []string) (list []string) {
	for _, name := range staged[area] {
		list = append(list, pg.Statements[name])
	}
	for _, name := range names {
		if strings.Contains(name, ".create_") && !strings.Contains(pg.Statements[name], ":") {
			list = append(list, pg.Statements[name])
		}
	}
	if slices.Contains(pg.DescribedTables, area) {
		create := pg.Statements["telemetry.create_next"]
		list = append(list, strings.NewReplacer(":next", "next_"+area, ":table", area).Replace(create))
	}
	if area == "telemetry" {
		for next, table := range stagedTelemetry {
			list = append(list, strings.NewReplacer(":next", "next_"+next, ":table",
				table).Replace(pg.Statements["telemetry.create_next"]))
		}
		for _, name := range []string{"match_samples", "sample_conflicts", "counter_conflicts", "device_clashes"} {
			list = append(list, pg.Statements["telemetry."+name])
		}
	}
	return list
}

// plannable returns the statements to plan for a named one: none if it has no plan, one for each table if it takes
// several.
func plannable(name string) []string {
	sql := regexp.MustCompile(`(?m)^\s*--.*\n`).ReplaceAllString(pg.Statements[name], "")
	if noPlan.MatchString(sql) || goFills.MatchString(sql) {
		return nil
	}
	sql = madeOf.ReplaceAllString(sql, "")
	if !strings.Contains(sql, ":table") {
		return []string{sql}
	}
	var list []string
	for _, d := range book.DerivedTables {
		list = append(list, strings.NewReplacer(":table", d.Table, ":key", d.Key).Replace(sql))
	}
	return list
}

// askedOf records the statements sent to a store.
type askedOf struct {
	storetest.Tracer
	sql *sync.Map
}

func (c askedOf) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	c.sql.Store(data.SQL, true)
	return ctx
}

// The same for the statements composed for reports.
func TestNoReportCrossesTenants(t *testing.T) {
	filledStore := storetest.SmallLedger(t)
	everyMonth(t, filledStore)
	asked := askedOf{sql: &sync.Map{}}
	s, err := store.Open(t.Context(), filledStore.Pool.Config().ConnString(), pg.Options{Tracer: asked})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	month := metrics.Options{From: "2026-11-01", To: "2026-12-01"}
	for _, d := range metrics.Datasets {
		storetest.Table(t, s, d.Name, metrics.Options{})
		if _, err := metrics.Parse(d.Name, month); err == nil { // some do not filter by time
			storetest.Table(t, s, d.Name, month)
		}
	}
	for _, keys := range []string{"team", "node,device", "run,attempt", "workload,pod", "tag:team,label:app"} {
		for _, sharing := range []string{"before", "after"} {
			o := month
			o.GroupBy, o.Granularity, o.Sharing = keys, "day", sharing
			storetest.Table(t, s, "costs", o)
		}
	}
	tables := distributedTables(t, s)
	n := 0
	asked.sql.Range(func(sql, _ any) bool {
		if text := sql.(string); strings.Contains(text, "from ") {
			n++
			tx, err := filledStore.Pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), planning); err != nil {
				t.Fatal(err)
			}
			if root, err := explained(t, tx, text); err != nil {
				t.Errorf("%v: %s", err, text)
			} else if list := crossings(root, tables); len(list) > 0 {
				t.Errorf("crosses tenants: %v: %s", list, text)
			}
			if err := tx.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		return true
	})
	if n < len(metrics.Datasets) {
		t.Errorf("%d statements were looked at", n)
	}
}

// A condition that binds a table to its tenant is found anywhere, and its absence is reported.
func TestCrossingsAreSeen(t *testing.T) {
	s := storetest.New(t)
	tables := distributedTables(t, s)
	for sql, want := range map[string]int{
		"select from nodes":                                                                                                   1,
		"select from nodes where tenant_id = $1":                                                                              0,
		"select from nodes where tenant_id = $1 or name = 'x'":                                                                1,
		"select from nodes n join workloads w using (node_id) where n.tenant_id = $1":                                         1,
		"select from nodes n join workloads w using (tenant_id, node_id) where n.tenant_id = $1":                              0,
		"select from nodes n join workloads w using (tenant_id, node_id)":                                                     2,
		"select from nodes n left join workloads w using (tenant_id, node_id) where n.tenant_id = $1":                         0,
		"select (select count(*) from workloads w where w.node_id = n.node_id) from nodes n where n.tenant_id = $1":           1,
		"delete from nodes n using runs r where n.tenant_id = r.tenant_id and r.run_id = n.name":                              2,
		"update nodes n set name = r.run_id from runs r where n.tenant_id = $1 and r.tenant_id = $1":                          0,
		"with n as (select * from nodes where tenant_id = $1) select from n join runs r on r.tenant_id = n.tenant_id":         0,
		"select from nodes where tenant_id = $1 and node_id not in (select node_id from workloads where node_id is not null)": 1,
	} {
		tx, err := s.Pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(t.Context(), planning); err != nil {
			t.Fatal(err)
		}
		root, err := explained(t, tx, sql)
		if err != nil {
			t.Fatal(sql, err)
		}
		if list := crossings(root, tables); len(list) != want {
			t.Errorf("%s: %v, want %d", sql, list, want)
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
