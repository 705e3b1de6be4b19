package bill

import (
	"cmp"
	"slices"
	"sync"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Exported is implemented by bindings of append-only exports: the time at which
// a row was exported, at full precision.
type Exported interface {
	// ExportedAt is in nanoseconds since 1970; ok is false if the row has no export time.
	ExportedAt(r table.Row) (at int64, ok bool)
}

// Stored is a stored delivery of an append-only export that counts.
type Stored struct {
	ID          ledger.ID
	Aggregated  bool
	Rows        Reading
	DeliveredAt *period.Second
	Places      []ledger.DeliveryPlace // files that it was read from
}

// Repeated is a partition of which every row is already stored.
type Repeated struct {
	Delivery  ledger.ID // the first delivery that has it
	Partition string
	Rows      int64
}

// repeatedRows is the reason for rows that are read but not loaded: an append-only export that
// is read again has them from another file or in the ledger.
const repeatedRows = "read before, at the same time of export"

// taker hands out rows that a reading has and the ledger lacks, each as often as it is missing.
// The files of a reading may share it.
type taker struct {
	mu   sync.Mutex
	left map[uint64]int64
}

func (t *taker) take(line uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left[line] == 0 {
		return false
	}
	t.left[line]--
	return true
}

// rewind begins another pass over the files.
func (c *chosen) rewind() {
	if c.taker != nil {
		c.taker.left = c.rows.counts()
	}
}

// chosen selects the rows of one reading to load.
type chosen struct {
	rows  Reading
	taker *taker // nil: all rows
}

// separateAppended makes one delivery of all new rows in the files of a partition. Rows of one
// export time that two files share count once, stored rows are left out, and of two readings of
// one time the fuller one adds the rows that the other lacks.
func (p *Plan) separateAppended(group []*candidate) (*candidate, *ledger.FileError) {
	if !appends(p.format) && !slices.ContainsFunc(group, p.numbersRows) {
		if _, err := p.withoutOlderParts(group); err != nil {
			return nil, err
		}
	}
	readings := p.readings(group)
	stored, err := p.stored(group[0].unit)
	if err != nil {
		return nil, p.undecidedBecause(group, "unknown rows", err.Error())
	}
	whole := *group[0]
	whole.parts = nil
	known := Reading{}
	for _, s := range stored {
		whole.beside = append(whole.beside, s.ID)
		known.add(s.Rows)
	}
	if !appends(p.format) { // exports that write each row once gain nothing from changed files
		if err := p.sameThings(readings); err != nil {
			return nil, err
		}
		for _, s := range p.replaced(group, stored, readings) {
			whole.replaces = append(whole.replaces, s.ID)
		}
		known = Reading{}
		for _, s := range stored {
			if !slices.Contains(whole.replaces, s.ID) {
				known.add(s.Rows)
			}
		}
	}
	if otherwise := slices.ContainsFunc(stored, func(s Stored) bool { return s.Aggregated != p.o.Aggregate }); otherwise {
		own := together(readings)
		if own.holds(known) { // the same rows, stored differently from now on
			whole.replaces, known = whole.beside, Reading{}
		}
	}
	before := Reading{}
	before.add(known)
	whole.rows = Reading{}
	var repeated int64
	for _, r := range readings {
		more, conflicts := known.missing(r.rows)
		if len(conflicts) > 0 {
			return nil, p.undecidedBecause(group, "conflicting rows", p.conflict(r, conflicts))
		}
		repeated += int64(r.rows.rows() - more.rows())
		known.add(more)
		whole.rows.add(more)
		one := &chosen{rows: more}
		if more.rows() < r.rows.rows() {
			one.taker = &taker{}
		}
		for _, c := range r.parts {
			pt := c.parts[0]
			if more.rows() == 0 {
				p.files[pt.file].repeated[pt.unit] = true
				continue
			}
			pt.chosen = one
			p.files[pt.file].chosen[pt.unit] = one
			whole.parts = append(whole.parts, pt)
		}
	}
	whole.before = before.repeats(whole.rows)
	if len(whole.parts) == 0 {
		again := Repeated{Partition: whole.unit.Partition, Rows: repeated}
		if len(whole.beside) > 0 {
			again.Delivery = whole.beside[0]
		}
		p.Repeated = append(p.Repeated, again)
	}
	return &whole, nil
}

// stored returns the stored deliveries of a partition, oldest first.
func (p *Plan) stored(u Unit) ([]Stored, error) {
	if p.o.Stored == nil {
		return nil, nil
	}
	like := p.format.Describe(u)
	return p.o.Stored(ledger.Delivery{
		Source: p.format.Source(), Export: like.Export, Scope: u.Scope, Dataset: u.Dataset, Partition: u.Partition,
	})
}

// read is one reading of a partition: a file, or several files that each hold a part.
type read struct {
	parts []*candidate
	rows  Reading
}

// readings combines files that hold different parts of one reading, and orders the readings,
// the fullest first.
func (p *Plan) readings(group []*candidate) []*read {
	var out []*read
	for _, c := range group {
		rows := p.files[c.parts[0].file].sv.units[c.parts[0].unit].reading()
		one := &read{[]*candidate{c}, rows}
		out = slices.DeleteFunc(out, func(r *read) bool {
			if !shards(one.rows, r.rows) || !appends(p.format) && c.folder != r.parts[0].folder {
				return false
			}
			one.parts = append(r.parts, one.parts...)
			all := Reading{}
			all.add(r.rows)
			all.add(one.rows)
			one.rows = all
			return true
		})
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b *read) int { return cmp.Compare(b.rows.rows(), a.rows.rows()) })
	return out
}

// reading is the rows of a unit by export time.
func (u *unit) reading() Reading {
	if u.read == nil {
		u.read = Reading{}
		for i, line := range u.lines {
			u.read[u.exported[i]] = append(u.read[u.exported[i]], line)
		}
		for _, lines := range u.read {
			slices.Sort(lines)
		}
		u.lines, u.exported = nil, nil
	}
	return u.read
}
