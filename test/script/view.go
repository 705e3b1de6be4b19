package script

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// view is the actual table for an expect statement.
func (w *world) view(s *statement) (*table, error) {
	if len(s.args) == 0 {
		return nil, w.c.fault(s, s.word, "expect costs, attempts, runs or findings")
	}
	f, err := w.fields(s, 1, "hour", "from", "to", "sharing", "where*")
	if err != nil {
		return nil, err
	}
	within := period.Interval{From: 0, To: 1 << 60}
	if f.has("hour") {
		at, err := f.time("hour", 0)
		if err != nil {
			return nil, err
		}
		within = period.HourOf(at)
	}
	if within.From, err = f.time("from", within.From); err != nil {
		return nil, err
	}
	if within.To, err = f.time("to", within.To); err != nil {
		return nil, err
	}
	var list []fact
	switch s.args[0].text {
	case "costs":
		list, err = w.costs(f, within)
	case "attempts":
		list = w.attemptFacts()
	case "runs":
		list = w.runFacts()
	case "findings":
		list = w.findingFacts()
	default:
		return nil, w.c.fault(s, s.args[0], "%q is unknown: write costs, attempts, runs or findings",
			s.args[0].text)
	}
	if err != nil {
		return nil, err
	}
	where, err := f.pairs("where")
	if err != nil {
		return nil, err
	}
	return w.tabulate(s, s.args[0].text, list, where)
}

// costs are the postings, before sharing or after it.
func (w *world) costs(f *fields, within period.Interval) ([]fact, error) {
	var out []fact
	r := w.last
	for i := range r.postings {
		p := &r.postings[i]
		if within.Contains(p.Hour) {
			out = append(out, w.postingFact(p))
		}
	}
	switch f.text("sharing", "before") {
	case "before":
		return out, nil
	case "after":
		for _, s := range r.shared {
			if !within.Contains(s.Day) && !within.Overlaps(period.DayOf(s.Day)) {
				continue
			}
			for i := range s.Rows {
				row := &s.Rows[i]
				p := ledger.Posting{Hour: s.Day, Cause: s.Cause, Kind: row.Kind, OwnerID: row.Owner, Currency: s.Currency,
					State: s.State, Costs: row.Costs, Slot: -1,
					SliceID: ledger.WholeDevice, Method: s.Rule.Method}
				fact := w.postingFact(&p)
				fact.keys["cluster"], fact.keys["billing period"] = cmp.Or(s.Cluster, "-"), cmp.Or(string(s.BillingPeriod), "-")
				out = append(out, fact)
			}
		}
		return out, nil
	}
	return nil, f.fault("sharing", "write before or after")
}

// tabulate groups facts by the key columns of the expected table and sums the other columns.
func (w *world) tabulate(s *statement, what string, list []fact, where map[string]string) (*table, error) {
	columns := make([]column, len(s.want.columns))
	got := &table{columns: s.want.columns}
	for i, name := range s.want.columns {
		c, ok := columnOf(what, name)
		if !ok {
			return nil, &Error{
				w.c.File, s.line + 1, 0,
				fmt.Sprintf("%q is not a column of %s: known are %s", name, what, strings.Join(columnNames(what), ", ")),
			}
		}
		columns[i] = c
		got.numbers = append(got.numbers, !c.key)
	}
	for name := range where {
		if c, ok := columnOf(what, name); !ok || !c.key {
			return nil, w.c.fault(s, s.word, "where: %q is not a key of %s", name, what)
		}
	}
	groups := map[string]*group{}
	total := &group{sums: map[string]*sum{}}
	currencies := map[string]bool{}
	for i := range list {
		f := &list[i]
		if !f.matches(where) {
			continue
		}
		var key []string
		var order []int
		for _, c := range columns {
			if c.key {
				key = append(key, f.key(c.name))
				order = append(order, f.order[c.name])
			}
		}
		id := strings.Join(key, "\x1f")
		if groups[id] == nil {
			groups[id] = &group{key: key, order: order, sums: map[string]*sum{}}
		}
		groups[id].add(f)
		total.add(f)
		currencies[f.keys["currency"]] = true
	}
	rows := sortedGroups(groups)
	for _, g := range rows {
		got.rows = append(got.rows, g.row(columns))
	}
	// A total over several currencies would be meaningless (M08).
	if what == "costs" && len(rows) > 1 && len(currencies) == 1 {
		for _, c := range columns {
			if c.key {
				total.key = append(total.key, "")
			}
		}
		if len(total.key) > 0 && columns[0].key {
			total.key[0] = "total"
			got.rows = append(got.rows, total.row(columns))
		}
	}
	return got, nil
}

func sortedGroups(groups map[string]*group) []*group {
	var out []*group
	for _, g := range groups {
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b *group) int {
		for i := range a.key {
			if c := cmp.Or(cmp.Compare(a.order[i], b.order[i]), cmp.Compare(len(digits(a.key[i])), len(digits(b.key[i]))),
				cmp.Compare(a.key[i], b.key[i])); c != 0 {
				return c
			}
		}
		return 0
	})
	return out
}

// digits is a text if it is a number, so that 10 comes after 9.
func digits(text string) string {
	if strings.Trim(text, "0123456789") == "" {
		return text
	}
	return ""
}
