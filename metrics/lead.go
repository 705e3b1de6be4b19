package metrics

import "slices"

// Leading are the columns of the answer that a reader wants to see first, the most telling in front: the period if the
// answer is split by time, the keys of its rows, the column that it is sorted by, then the dataset's lead.
func (q Query) Leading() []string {
	all := names(q.Columns(), func(c Column) string { return c.Name })
	var out []string
	add := func(name string) {
		if name == Basis {
			name = string(q.Basis)
		}
		if slices.Contains(all, name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if q.Granularity != Total && q.Dataset.SplitsByTime() {
		add("period_start")
	}
	for _, k := range q.GroupBy {
		add(k.Name)
	}
	if q.sortedByOther() {
		add(q.Order[0].Column)
	}
	for _, name := range q.Dataset.Lead {
		add(name)
	}
	return out
}

// sortedByOther reports whether the answer has another order than the dataset's.
func (q Query) sortedByOther() bool {
	if len(q.Order) == 0 || len(q.Dataset.Order) == 0 {
		return len(q.Order) > 0
	}
	usual := q.Dataset.Order[0].Column
	if usual == Basis {
		usual = string(q.Basis)
	}
	return !q.Regrouped() && q.Order[0].Column != usual
}
