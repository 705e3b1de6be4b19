package bill

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Survey is the result of a first pass over a file: the deliveries of its rows, their order,
// and the control totals of the raw text.
type Survey struct {
	File   blob.File
	SHA256 [32]byte
	Bytes  int64
	Rows   int64 // including rejected rows
	Tally  ledger.Tally

	carries     []ledger.Metric
	columns     []string // canonical names of the columns of the bill
	scopeColumn string
	units       map[Unit]*unit
	// wrong is how many rows of a unit the mapping rejected; bad are refused units, which no other
	// plan may load.
	wrong      map[Unit]int64
	bad        map[Unit]bool
	machines   map[string]bool // instance keys of GPU machines that it bills
	found      any             // by an Inspector
	hints      Hints
	unreadable bool
}

const (
	// MaxUnits bounds how many units one file can make us remember.
	MaxUnits    = 10_000
	maxMachines = 4 << 20
)

// MissingColumn is the reason why a Binding refuses a header that lacks a required column. The
// message lists the first few existing columns.
const MissingColumn = "missing required column"

const fewColumns = 12

type unit struct {
	rows        int64
	line        int64 // of the first row
	totals      Totals
	deliveredAt period.Second // newest in its rows, 0 = none
	// lines are hashes of (line id, interval), to detect repeated deliveries; only for files that
	// could be one.
	lines []uint64
	// exported are the export times of the lines, of append-only exports; read is both, once
	// requested.
	exported []int64
	read     Reading
	subjects subjects // in addition to lines
	appends  bool     // it adds to others of its key
}

// SurveyOptions select additional data that a first pass remembers.
type SurveyOptions struct {
	// Lines remembers the file's line items (8 bytes each), which NewPlan needs for files that
	// share a folder without a manifest.
	Lines bool
	// Machines remembers which GPU machines it bills, for aggregation.
	Machines bool
	// Hints are facts that the file lacks.
	Hints Hints
	// Manifest is the file's manifest, nil if there is none (Owners).
	Manifest *Manifest
	// chosen selects units of which only some rows count; nil: all rows of all units.
	chosen map[Unit]*chosen
}

var lineSeed = maphash.MakeSeed()

// SurveyFile makes the first pass. Rows that belong to no delivery, or whose money is not a
// number, are counted in the Tally, and the pass goes on. If a file cannot be read to its end,
// the survey of the rows so far is returned with the error.
func SurveyFile(ctx context.Context, format Format, f blob.File, o SurveyOptions) (sv *Survey, err error) {
	var found any
	if i, ok := format.(Inspector); ok {
		if found, err = i.Inspect(ctx, f, o.Manifest, o.Hints); err != nil {
			return nil, err
		}
	}
	t, b, err := openBound(format, f, found, o.Hints)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	p := surveyor{format: format, b: b, o: o}
	p.spot, _ = b.(Spotter)
	p.timed, _ = b.(Timed)
	p.exported, _ = b.(Exported)
	p.numbered, _ = b.(Numbered)
	if about, ok := b.(Subject); ok && o.Lines && !appends(format) {
		p.what, p.when = about.Subject()
	}
	sv = &Survey{
		File: f, found: found, hints: o.Hints, units: map[Unit]*unit{}, wrong: map[Unit]int64{},
		bad: map[Unit]bool{}, machines: map[string]bool{}, carries: b.Carries(), scopeColumn: b.ScopeColumn(),
	}
	named := map[string]bool{}
	for _, c := range b.Identity() {
		if !named[c.Name] {
			named[c.Name] = true
			sv.columns = append(sv.columns, c.Name)
		}
	}
	p.sv, p.identity = sv, newIdentity(b.Identity())
	p.identity.prepared = prepare(t, p.wants())
	err = t.Each(ctx, func(r table.Row) error { p.row(r); return nil })
	sv.Tally.Merge(t.Rejected())
	sv.Rows += t.Rejected().RejectedRows() // rows that never reached the visitor
	if err == nil {
		sv.SHA256, sv.Bytes, err = t.Sum()
	}
	sv.unreadable = err != nil
	return sv, err
}

// openBound opens a file and binds its header; found is an Inspector's finding.
func openBound(format Format, f blob.File, found any, h Hints) (table.Table, Binding, error) {
	t, err := OpenTable(format, f, h)
	if err != nil {
		return nil, nil, err
	}
	names := t.Names()
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] && n != "" {
			return nil, nil, errors.Join(&ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Line: t.HeaderLine(),
				Column: n, Reason: "duplicate column",
				Detail: "two columns have this name; export each column once"}}, t.Close())
		}
		seen[n] = true
	}
	bind := format.Bind
	if i, ok := format.(Inspector); ok {
		bind = func(f blob.File, names []string) (Binding, *ledger.Rejection) { return i.BindAs(f, names, found) }
	}
	b, refused := bind(f, names)
	if refused != nil {
		refused.Line = t.HeaderLine()
		if refused.Reason == MissingColumn {
			refused.Detail += "; the file has the columns " + table.Few(names, fewColumns)
		}
		return nil, nil, errors.Join(&ledger.FileError{Rejection: *refused}, t.Close())
	}
	return t, b, nil
}

type surveyor struct {
	sv       *Survey
	format   Format
	b        Binding
	o        SurveyOptions
	spot     Spotter
	timed    Timed
	exported Exported
	numbered Numbered
	identity *identity
	whole    bool  // rows are read whole
	what     []int // positions of a row's subject, and of its time
	when     []int
	buf      []byte

	lastKey  Unit // rows of one unit come in long runs
	lastUnit *unit
}

func (p *surveyor) row(r table.Row) {
	p.sv.Rows++
	reject := func(bad *table.CellError) { p.sv.Tally.Reject(bad.Rejection(p.sv.File.Name, r.Line())) }
	key, bad := p.b.Unit(r)
	if bad != nil {
		reject(bad)
		return
	}
	u := p.unit(key)
	if u == nil {
		reject(&table.CellError{
			Reason: "too many deliveries",
			Detail: fmt.Sprintf("a file holds at most %d accounts, billing periods and loads; deliver them in several files",
				MaxUnits),
		})
		return
	}
	if u.line == 0 {
		u.line = r.Line()
	}
	if p.o.Lines || u.appends {
		line := p.line(r)
		if c := p.o.chosen[key]; c != nil && c.taker != nil && !c.taker.take(line) {
			return
		}
		u.lines = append(u.lines, line)
		if p.exported != nil && u.appends {
			u.exported = append(u.exported, p.exportedAt(r))
		}
		if p.what != nil {
			p.buf = u.subjects.note(r, p.what, p.when, p.buf)
		}
	}
	u.rows++
	if p.timed != nil {
		if at, ok := p.timed.DeliveredAt(r); ok {
			u.deliveredAt = max(u.deliveredAt, at)
		}
	}
	if p.o.Machines && p.spot != nil {
		if key := p.spot.Machine(r); key != "" && !p.sv.machines[key] && len(p.sv.machines) < maxMachines {
			p.sv.machines[strings.Clone(key)] = true
		}
	}
	if bad := p.b.Control(r, &u.totals); bad != nil {
		reject(bad)
	}
}

// wants lists the values that the first pass reads. Numbers are read as text, since the control
// totals use separate arithmetic.
func (p *surveyor) wants() []table.Want {
	forms := map[int]Form{}
	for _, c := range p.identity.columns {
		forms[c.Pos] = c.Form
	}
	var out []table.Want
	seen := map[int]bool{}
	for _, pos := range slices.Concat(p.b.Survey(), p.what, p.when) {
		if seen[pos] {
			continue
		}
		seen[pos] = true
		switch w := (table.Want{Pos: pos, Form: forms[pos]}); w.Form {
		case Time, Pairs:
			out = append(out, w)
		default:
			out = append(out, table.Want{Pos: pos, Raw: true})
		}
	}
	if (p.o.Lines || mixed(p.format)) && !p.b.Keyed() {
		// Without ids, all columns together identify a row.
		at := map[int]int{}
		for i := range out {
			at[out[i].Pos] = i
		}
		for _, w := range p.identity.wants(nil) {
			if i, there := at[w.Pos]; there {
				out[i].Hash = w.Hash
			} else {
				out = append(out, table.Want{Pos: w.Pos, Hash: w.Hash})
			}
		}
		p.whole = true
	}
	return out
}

// line is a hash that distinguishes a row from all others of its delivery.
func (p *surveyor) line(r table.Row) uint64 {
	var ok bool
	if p.buf, ok = p.b.LineKey(r, p.buf[:0]); ok {
		return maphash.Bytes(lineSeed, p.buf)
	}
	var h table.Hash
	if p.whole {
		h, _ = p.identity.of(r)
	} else {
		h, _ = p.identity.each(r)
	}
	return lineOf(h, p.numbered, r)
}

// exportedAt is the time that identifies a row.
func (p *surveyor) exportedAt(r table.Row) int64 {
	at, _ := p.exported.ExportedAt(r)
	if p.numbered != nil && p.numbered.RowID(r) != "" {
		at += numberedRows
	}
	return at
}

// unit is the counter of a key's rows, nil if the file has more keys than any real one.
func (p *surveyor) unit(key Unit) *unit {
	if p.lastUnit != nil && key == p.lastKey {
		return p.lastUnit
	}
	u := p.sv.units[key]
	if u == nil && len(p.sv.units) == MaxUnits {
		return nil
	}
	key = Unit{
		strings.Clone(key.Scope), strings.Clone(key.Partition),
		strings.Clone(key.Dataset), strings.Clone(key.Load), strings.Clone(key.Variant),
	}
	if u == nil {
		u = &unit{appends: appending(p.format, key)}
		p.sv.units[key] = u
	}
	p.lastKey, p.lastUnit = key, u
	return u
}
