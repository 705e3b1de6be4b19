package series

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// Table maps the metrics of inference servers, gateways and controllers to canonical counters.
// A new server is a new row, here or in the user's own table.
type Table struct {
	rows map[string][]counterRow // by exposed name, in the order of the table
	// spelled are the rows by other spellings of these names, unless a row has that spelling
	// itself.
	spelled map[string][]counterRow
	// lines are the rows as written, for the documentation.
	lines []*tableLine
}

// tableLine is one row of a table as written.
type tableLine struct {
	server, metric, canonical string
	kind                      counterKind
	unit                      string
	shift                     int32 // power of ten from the unit to the canonical one
	split, model, tenant      []string
	rest                      bool // a hash of labels that no column names is part of the split, too
	engine                    []engineLabel
	layer                     Layer
	when                      []condition
	note                      string
}

// Layer is where a counter counts. Gateway, router and engine see the same requests, so reports
// choose one of them and never add them up.
type Layer string

// Layers, the preferred one first. Controllers serve no requests.
const (
	LayerEngine     Layer = "engine"
	LayerRouter     Layer = "router"
	LayerGateway    Layer = "gateway"
	LayerController Layer = "controller"
)

type counterKind string

const (
	kindCounter   counterKind = "counter"
	kindGauge     counterKind = "gauge"
	kindHistogram counterKind = "histogram" // sum, count and buckets
	kindSums      counterKind = "sums"      // sum and count only, of a histogram or summary
	kindSkip      counterKind = "skip"      // left out; the note gives the reason
)

// engineLabel names an engine inside a process; the value skip is the usual one.
type engineLabel struct{ label, skip string }

// condition is a label that must equal, or contain, a value.
type condition struct {
	label, text string
	part        bool
}

type counterPart uint8

const (
	partNone counterPart = iota // left out
	partValue
	partCount
	partBucket
	partStart
)

// counterRow is the meaning of one exposed name.
type counterRow struct {
	*tableLine
	part    counterPart
	counter string
}

// tableHeader are the columns of a table.
var tableHeader = []string{
	"server", "metric", "kind", "canonical", "unit", "split", "model", "engine", "layer", "when", "note", "tenant",
}

// tableUnits are the powers of ten of units.
var tableUnits = map[string]int32{"": 0, "milli": -3, "micro": -6, "nano": -9, "percent": -2}

//go:embed inference.csv
var embeddedCSV string

// embedded is the built-in table. A test reads it, so it cannot fail at run time.
var embedded, errEmbedded = ParseTable(strings.NewReader(embeddedCSV), "inference.csv")

// maxTableLines bounds the user's table.
const maxTableLines = 10_000

// ParseTable reads a table from CSV with the columns server, metric, kind (counter, gauge,
// histogram, sums, skip), canonical, unit (empty, milli, micro, nano, percent), split, model,
// engine, layer (engine, router, gateway, controller), when, note and tenant;
// docs/reference/series.md explains them. Errors are *ledger.FileError with file, line and
// column.
func ParseTable(in io.Reader, file string) (*Table, error) {
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	t := &Table{rows: map[string][]counterRow{}, spelled: map[string][]counterRow{}}
	refuse := func(line int, column, reason, detail string) error {
		return &ledger.FileError{
			Rejection: ledger.Rejection{File: file, Line: int64(line), Column: column, Reason: reason, Detail: detail},
		}
	}
	var columns []string
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			line := 0
			if at := (*csv.ParseError)(nil); errors.As(err, &at) {
				line = at.Line
			}
			return nil, refuse(line, "", "not csv", err.Error())
		}
		line, _ := r.FieldPos(0)
		if columns == nil {
			columns = slices.Clone(record)
			for _, want := range tableHeader[:4] {
				if !slices.Contains(columns, want) {
					return nil, refuse(line, want, "missing column", "the table needs the columns "+strings.Join(tableHeader, ", "))
				}
			}
			continue
		}
		if len(t.lines) >= maxTableLines {
			return nil, refuse(line, "", "table too long", fmt.Sprintf("at most %d rows", maxTableLines))
		}
		cell := func(name string) string {
			if i := slices.Index(columns, name); i >= 0 && i < len(record) {
				return strings.TrimSpace(record[i])
			}
			return ""
		}
		l, column, why := parseTableLine(cell)
		if why != "" {
			return nil, refuse(line, column, "bad row", why)
		}
		t.lines = append(t.lines, l)
		l.expose(t.rows, l.exposed(), nil)
	}
	t.spell()
	if columns == nil {
		return nil, refuse(1, "", "missing column", "the table needs the columns "+strings.Join(tableHeader, ", "))
	}
	return t, nil
}

func parseTableLine(cell func(string) string) (l *tableLine, column, why string) {
	l = &tableLine{
		server: cell("server"), metric: cell("metric"), canonical: cell("canonical"), kind: counterKind(cell("kind")),
		unit: cell("unit"), layer: Layer(cell("layer")), note: cell("note"),
	}
	if l.metric == "" || len(l.metric) > 200 {
		return nil, "metric", "a metric name has 1 to 200 characters"
	}
	for _, w := range list(cell("when"), "|") {
		i := strings.IndexAny(w, "=~")
		if i <= 0 || i == len(w)-1 {
			return nil, "when", "a condition is label=value or label~part of the value"
		}
		l.when = append(l.when, condition{w[:i], w[i+1:], w[i] == '~'})
	}
	switch l.kind {
	case kindSkip:
		if l.note == "" {
			return nil, "note", "say why the metric is left out"
		}
		return l, "", ""
	case kindCounter, kindGauge, kindHistogram, kindSums:
	default:
		return nil, "kind", "a kind is counter, gauge, histogram, sums or skip"
	}
	if l.server == "" || len(l.server) > 60 {
		return nil, "server", "a server has a name of 1 to 60 characters"
	}
	if l.canonical == "" || len(l.canonical) > 80 || strings.HasPrefix(l.canonical, "start/") ||
		strings.HasPrefix(l.canonical, "layer/") {
		return nil, "canonical", "a counter has a name of 1 to 80 characters that does not begin with start/ or layer/"
	}
	var ok bool
	if l.shift, ok = tableUnits[l.unit]; !ok {
		return nil, "unit", "a unit is empty, milli, micro, nano or percent"
	}
	switch l.layer {
	case "":
		l.layer = LayerEngine
	case LayerEngine, LayerRouter, LayerGateway, LayerController:
	default:
		return nil, "layer", "a layer is engine, router, gateway or controller"
	}
	for _, s := range list(cell("split"), "|") {
		if s == "*" {
			l.rest = true
		} else {
			l.split = append(l.split, s)
		}
	}
	l.model = list(cell("model"), "|")
	l.tenant = list(cell("tenant"), "|")
	for _, e := range list(cell("engine"), "+") {
		label, skip, _ := strings.Cut(e, "!")
		l.engine = append(l.engine, engineLabel{label, skip})
	}
	return l, "", ""
}

// list splits a cell; an empty cell gives an empty list.
func list(cell, by string) []string {
	if cell == "" {
		return nil
	}
	return strings.Split(cell, by)
}

// exposes is a name under which the line's metric is exposed, and whether its counter's start
// is exposed under that name, too.
type exposes struct {
	name    string
	started bool
}

// exposed lists the names of a line.
func (l *tableLine) exposed() (out []exposes) {
	names := []string{l.metric}
	if base, ok := strings.CutSuffix(l.metric, "[_total]"); ok {
		names = []string{base + "_total", base}
	}
	for i, n := range names {
		for _, name := range spellingsOf(n) {
			out = append(out, exposes{name, i == 0}) // the twin without _total has the same start
		}
	}
	return out
}

// spell adds the other spellings of the names.
func (t *Table) spell() {
	for _, l := range t.lines {
		if l.kind == kindSkip {
			continue
		}
		var others []exposes
		seen := map[string]bool{}
		for _, e := range l.exposed() {
			for _, n := range spelled(e.name, l.unitSuffixes(), l.kind == kindCounter) {
				if !seen[n] {
					seen[n] = true
					others = append(others, exposes{n, true})
				}
			}
		}
		l.expose(t.spelled, others, t.rows)
	}
}

// expose adds the meaning of each exposed name of a line, except taken names.
func (l *tableLine) expose(rows map[string][]counterRow, names []exposes, taken map[string][]counterRow) {
	for _, e := range names {
		name := e.name
		base := strings.TrimSuffix(name, "_total")
		row := func(name string, part counterPart, counter string) {
			if (part != partStart || e.started) && len(taken[name]) == 0 &&
				!slices.ContainsFunc(rows[name], func(r counterRow) bool { return r.tableLine == l }) {
				rows[name] = append(rows[name], counterRow{l, part, counter})
			}
		}
		switch l.kind {
		case kindSkip:
			for _, suffix := range [...]string{"", "_sum", "_count", "_bucket", "_created"} {
				row(name+suffix, partNone, "")
			}
		case kindGauge:
			row(name, partValue, l.canonical)
		case kindCounter:
			row(name, partValue, l.canonical)
			row(base+"_created", partStart, "start/"+l.canonical)
		case kindHistogram, kindSums:
			row(name+"_sum", partValue, l.canonical+"_sum")
			row(name+"_count", partCount, l.canonical+"_count")
			row(name+"_created", partStart, "start/"+l.canonical)
			if l.kind == kindHistogram {
				row(name+"_bucket", partBucket, l.canonical+"_bucket")
				row(name, partBucket, l.canonical+"_bucket") // some servers omit _bucket
			}
		}
	}
}

// has reports whether the table has a name.
func (t *Table) has(name string) bool {
	return t != nil && (len(t.rows[name]) > 0 || len(t.spelled[name]) > 0)
}

// Names lists the exposed names that the table maps, sorted.
func (t *Table) Names() []string {
	if t == nil {
		return nil
	}
	var out []string
	for name, rows := range t.rows {
		if slices.ContainsFunc(rows, func(r counterRow) bool { return r.part != partNone }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// leftOut is the reason why a name is left out on purpose, else empty.
func (t *Table) leftOut(name string) string {
	rows := t.rows[name]
	if len(rows) == 0 || slices.ContainsFunc(rows, func(r counterRow) bool { return r.part != partNone }) {
		return ""
	}
	return rows[0].note
}

// find returns the first row of a name whose conditions match.
func (t *Table) find(name string, ls Labels) *counterRow {
	if t == nil {
		return nil
	}
	for _, rows := range [...][]counterRow{t.rows[name], t.spelled[name]} {
		for i := range rows {
			if rows[i].holds(ls) {
				return &rows[i]
			}
		}
	}
	return nil
}

// holds reports whether any of the row's conditions matches.
func (l *tableLine) holds(ls Labels) bool {
	for _, w := range l.when {
		v := ls.own(w.label)
		if v != "" && (v == w.text || w.part && strings.Contains(v, w.text)) {
			return true
		}
	}
	return len(l.when) == 0
}

// spellingsOf a name with a colon prefix: direct, through pipelines that replace colons, and
// through Ray Serve.
func spellingsOf(name string) []string {
	prefix, rest, ok := strings.Cut(name, ":")
	if !ok {
		return []string{name}
	}
	return []string{name, prefix + "_" + rest, "ray_" + prefix + "_" + rest}
}
