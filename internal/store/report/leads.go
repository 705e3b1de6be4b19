package report

import (
	"bytes"
	"slices"
	"strings"

	"gpuledger/metrics"
)

// lead is a column of a base that leads to columns of another table. A statement joins that table. An export reads the
// lead alone and looks its columns up once per value, since neither server nor client then handles the same names in
// every row: the server drops joins of which a statement reads nothing.
type lead struct {
	key     string // column of the base
	table   string // with the alias that columns use
	id      string // its column that equals the key
	columns []ledColumn
}

// ledColumn is a column of the answer that a lead leads to.
type ledColumn struct{ name, expr string }

// leadsBy are all leads of bases, by key.
var leadsBy = func() map[string]lead {
	owner := lead{key: "owner_id", table: "owners o", id: "o.owner_id"}
	for _, name := range metrics.OwnerKeys {
		owner.columns = append(owner.columns, ledColumn{name, keyColumns[name].expr})
	}
	terms := lead{key: "terms_id", table: "posting_terms t", id: "t.terms_id"}
	for _, name := range []string{"billing_period", "cause", "activity", "kind", "method", "quality", "policy_version",
		"currency", "state"} {
		expr := "t." + name
		if name == "activity" {
			expr = "nullif(t.activity, '')"
		}
		terms.columns = append(terms.columns, ledColumn{name, expr})
	}
	all := map[string]lead{}
	for _, l := range []lead{owner, terms,
		{"node_id", "nodes n", "n.node_id", []ledColumn{{"node", "n.name"}, {"cluster", "nullif(n.cluster, '')"}}},
		{"workload_id", "workloads w", "w.workload_id", []ledColumn{{"namespace", "nullif(w.namespace, '')"},
			{"pod", "w.name"}, {"workload_kind", "nullif(w.kind, '')"}}},
		{"attempt_id", "attempt_words a", "a.attempt_id", []ledColumn{{"attempt", "a.attempt::bigint"}}},
	} {
		all[l.key] = l
	}
	return all
}()

// leadsOf are the leads by which an answer is read; nil if it is read as it is: pages have few rows, and only an answer
// in the order of its hours can be cut into pieces of time.
func leadsOf(q metrics.Query) (list []lead) {
	if q.Limit > 0 || q.Sharing == metrics.AfterSharing || q.Regrouped() || len(q.Order) == 0 ||
		q.Order[0] != (metrics.Order{Column: "hour"}) {
		return nil
	}
	for _, key := range baseOf(q.Dataset).leads {
		list = append(list, leadsBy[key])
	}
	return list
}

// has reports whether the lead leads to a column.
func (l lead) has(name string) bool {
	return slices.ContainsFunc(l.columns, func(c ledColumn) bool { return c.name == name })
}

// ownAndKeys are the columns of an answer q that no lead leads to, and then the keys.
func ownAndKeys(cols []metrics.Column, leads []lead) (list []string) {
	for _, col := range cols {
		if !slices.ContainsFunc(leads, func(l lead) bool { return l.has(col.Name) }) {
			list = append(list, "q."+ident(col.Name))
		}
	}
	for _, l := range leads {
		list = append(list, "q."+ident(l.key))
	}
	return list
}

// list is the text of @led[KEY]: the columns in a statement that joins the table.
func (l lead) list() string {
	var list []string
	for _, c := range l.columns {
		list = append(list, c.expr+" as "+ident(c.name))
	}
	return strings.Join(list, ", ")
}

// lookUp is the statement that finds columns by keys: $1, and its first column.
func (l lead) lookUp(cols []metrics.Column) string {
	list := []string{l.id}
	for _, c := range l.columns {
		if slices.ContainsFunc(cols, func(col metrics.Column) bool { return col.Name == c.name }) {
			list = append(list, c.expr)
		}
	}
	alias, _, _ := strings.Cut(l.id, ".")
	return "select " + strings.Join(list, ", ") + " from " + l.table + " where " + alias + ".tenant_id = " +
		words["tenant"] + " and " + l.id + " = any($1)"
}

// shown are the columns of the answer that the lead leads to.
func (l lead) shown(cols []metrics.Column) (list []metrics.Column) {
	for _, c := range l.columns {
		if i := slices.IndexFunc(cols, func(col metrics.Column) bool { return col.Name == c.name }); i >= 0 {
			list = append(list, cols[i])
		}
	}
	return list
}

// places are the places of those columns among cols.
func (l lead) places(cols []metrics.Column) (at []int) {
	for _, c := range l.shown(cols) {
		at = append(at, slices.IndexFunc(cols, func(col metrics.Column) bool { return col.Name == c.Name }))
	}
	return at
}

// led are the columns that a lead leads to, by values of its key.
type led struct {
	at    []int // places of the columns
	known map[string][]metrics.Value
	last  []byte // the key of the row before
	begun bool
}

// learn adds columns of values; again forgets all others.
func (l *led) learn(found map[string][]metrics.Value, again bool) {
	if again {
		clear(l.known)
	}
	for key, values := range found {
		l.known[key] = values
	}
	l.begun = false
}

// widen sets the columns of a row by the value of its key. A value that leads nowhere has none, as in a left join.
func (l *led) widen(key []byte, values []metrics.Value) {
	if l.begun && bytes.Equal(key, l.last) {
		return
	}
	l.begun, l.last = true, append(l.last[:0], key...)
	found := l.known[string(key)]
	for i, at := range l.at {
		if found == nil {
			values[at] = metrics.Null
			continue
		}
		values[at] = found[i]
	}
}
