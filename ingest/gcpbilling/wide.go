package gcpbilling

import (
	"context"
	"slices"
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// wide is a table with columns that the file does not show as columns: members of records in
// JSON text, and repeated fields of child tables.
type wide struct {
	table.Table
	names []string
	extra []virtual
}

// virtual is such a column: a member of the record in the column at from, or a child table's
// field for the row id at from.
type virtual struct {
	name   string
	from   int
	member string
	child  *child
}

func newWide(t table.Table, extra []virtual) *wide {
	w := &wide{Table: t, names: slices.Clone(t.Names()), extra: extra}
	for _, v := range extra {
		w.names = append(w.names, v.name)
	}
	return w
}

// virtual lists a file's virtual columns; header is the line of its header.
func (f format) virtual(file blob.File, header int64, names []string) ([]virtual, error) {
	var out []virtual
	has := map[string]bool{}
	rowID := -1
	for i, n := range names {
		has[documented(n)] = true
		if n == rowIDColumn {
			rowID = i
		}
	}
	for i, n := range names {
		name := documented(n)
		if wholeRecord(name, has) {
			continue
		}
		for _, m := range records[name] {
			out = append(out, virtual{name: name + "." + m, from: i, member: m})
		}
	}
	if rowID < 0 {
		return out, nil
	}
	fields, err := f.children.of(file, header, has)
	if err != nil {
		return nil, err
	}
	for _, c := range fields {
		if !has[c.field] {
			out = append(out, virtual{name: c.field, from: rowID, child: c})
		}
	}
	return out, nil
}

func (w *wide) Names() []string { return w.names }

func (w *wide) Select(positions []int) {
	if positions == nil {
		w.Table.Select(nil)
		return
	}
	own := len(w.names) - len(w.extra)
	base := []int{}
	for _, pos := range positions {
		if pos >= own {
			pos = w.extra[pos-own].from
		}
		base = append(base, pos)
	}
	w.Table.Select(base)
}

func (w *wide) Each(ctx context.Context, visit func(table.Row) error) error {
	r := &wideRow{
		own: len(w.names) - len(w.extra), extra: w.extra,
		text: make([]string, len(w.extra)), known: make([]int64, len(w.extra)),
	}
	return w.Table.Each(ctx, func(base table.Row) error {
		r.Row = base
		r.row++
		return visit(r)
	})
}

type wideRow struct {
	table.Row
	own   int
	extra []virtual
	row   int64
	text  []string // of the current row, if known has its number
	known []int64  // the row of each text
	parse recordCache
}

func (r *wideRow) Raw(pos int) string {
	if pos < r.own {
		return r.Row.Raw(pos)
	}
	i := pos - r.own
	if r.known[i] != r.row {
		r.known[i], r.text[i] = r.row, r.value(&r.extra[i])
	}
	return r.text[i]
}

func (r *wideRow) value(v *virtual) string {
	text := r.Row.Raw(v.from)
	if text == "" {
		return ""
	}
	if v.child != nil {
		return v.child.get(text)
	}
	// Text that is not a record has no members; the error then names the missing required ones.
	records, err := r.parse.get(text)
	if err != nil || len(records) != 1 {
		return ""
	}
	return records[0].Get(v.member)
}

func (r *wideRow) Number(pos int) (money.Amount, bool, error) {
	if pos < r.own {
		return r.Row.Number(pos)
	}
	return table.NumberOf(r.Raw(pos))
}

func (r *wideRow) Instant(pos int) (period.Second, bool, error) {
	if pos < r.own {
		return r.Row.Instant(pos)
	}
	return table.InstantOf(r.Raw(pos))
}

func (r *wideRow) Pairs(pos int) ([]table.Pair, error) {
	if pos < r.own {
		return r.Row.Pairs(pos)
	}
	if r.Raw(pos) == "" {
		return nil, nil
	}
	return table.ParsePairs(r.Raw(pos))
}

// broken reports text that should be a record but is not.
func (r *wideRow) broken() *table.CellError {
	for i := range r.extra {
		v := &r.extra[i]
		text := ""
		if v.child == nil {
			text = r.Row.Raw(v.from)
		}
		if text == "" {
			continue
		}
		if records, err := r.parse.get(text); err != nil || len(records) > 1 {
			name, _, _ := strings.Cut(v.name, ".")
			return &table.CellError{
				Column: name, Reason: "not a record", Detail: "\"" + table.Clip(text) + "\": a JSON object is expected",
			}
		}
	}
	return nil
}
