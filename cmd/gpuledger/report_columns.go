package main

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/nearest"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
)

// datasets lists the datasets with what they hold, one per line; on a terminal, as much as fits it, unless the user
// asks for more.
func (c *reportCmd) datasets(a *app) string {
	longest := 0
	for _, name := range metrics.DatasetNames() {
		longest = max(longest, len(name))
	}
	columns, _ := sizeOf(a.stdout)
	var b strings.Builder
	for _, d := range metrics.Datasets {
		line := fmt.Sprintf("%-*s  %s", longest, d.Name, d.Doc)
		if isTerminal(a.stdout) && !c.Wide {
			line = visible.Cut(line, columns)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// checkColumns refuses unknown and repeated column names.
func checkColumns(q metrics.Query, names []string) error {
	var known []string
	for _, c := range q.Columns() {
		known = append(known, c.Name)
	}
	for i, name := range names {
		if !slices.Contains(known, name) {
			return &metrics.OptionError{Option: "columns", Value: name,
				Reason: "is not a column of this answer" + nearest.Suggest(name, known) + "; it has " +
					strings.Join(known, ", ")}
		}
		if slices.Contains(names[:i], name) {
			return &metrics.OptionError{Option: "columns", Value: name, Reason: "is named twice"}
		}
	}
	return nil
}

// pickedRows are rows with a selection of columns.
type pickedRows struct {
	metrics.Rows
	at     []int
	cols   []metrics.Column
	values []metrics.Value
}

// picked keeps only the named columns, in that order; all if names is empty.
func picked(rows metrics.Rows, names []string) metrics.Rows {
	if len(names) == 0 {
		return rows
	}
	p := &pickedRows{Rows: rows, values: make([]metrics.Value, len(names))}
	for _, name := range names {
		i := slices.IndexFunc(rows.Columns(), func(c metrics.Column) bool { return c.Name == name })
		p.at, p.cols = append(p.at, i), append(p.cols, rows.Columns()[i])
	}
	return p
}

// Columns implements metrics.Rows.
func (p *pickedRows) Columns() []metrics.Column { return p.cols }

// Values implements metrics.Rows.
func (p *pickedRows) Values() []metrics.Value {
	all := p.Rows.Values()
	for i, at := range p.at {
		p.values[i] = all[at]
	}
	return p.values
}
