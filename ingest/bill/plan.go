package bill

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// PlanOptions control how deliveries are built.
type PlanOptions struct {
	DeliveredAt *period.Second // of all of them; nil: as the files state
	// Aggregate keeps lines outside the fleet as aggregates (rule 8.19).
	Aggregate bool
	// Stored returns the counting deliveries of an append-only export with the key of like; their
	// rows are not loaded again. Nil: no rows are stored.
	Stored func(like ledger.Delivery) ([]Stored, error)
	// Gone reports whether a file that was read before is missing now, within the places that this
	// import listed; nil: no file is known to be gone.
	Gone func(place string) bool
	// Prefer names the exports that become the book when ranks are equal, the most preferred
	// first.
	Prefer []string
}

// Plan assigns the rows of each file to deliveries.
type Plan struct {
	format     Format
	o          PlanOptions
	machines   map[string]bool // instance keys of GPU machines on any file
	files      []*planned
	deliveries []*delivery // by slot
	// Leftover are files next to a manifest that does not name them: chunks of an older run, left
	// behind by overwrite mode.
	Leftover []string
	// Aside names files that are left out because a newer delivery of the same bill is among the
	// given files.
	Aside []string
	// Refused lists the refused parts with reasons; the rest can be loaded.
	Refused []ledger.Rejection
	// Repeated are partitions of append-only exports without new rows.
	Repeated []Repeated

	mu      sync.Mutex
	spoiled map[int]bool         // slots that are not published
	faulty  map[int]map[int]bool // by slot: files in which the second pass found the fault
}

type planned struct {
	sv    *Survey
	slots map[Unit]int
	scope map[Unit]string
	skip  bool
	// excluded are units that are not loaded; aside, with the reason, those that a newer delivery
	// replaces.
	excluded map[Unit]bool
	aside    map[Unit]string
	// chosen selects rows from units of append-only exports, taken counts those of this file, and
	// repeated are units without new rows.
	chosen   map[Unit]*chosen
	taken    map[Unit]int64
	repeated map[Unit]bool
}

// delivery collects one delivery while its files are read, by any number of
// goroutines.
type delivery struct {
	ledger.Delivery
	key   string    // all parts of the delivery's key
	mask  ledger.ID // of the key, for charge ids
	names []string
	parts []part

	above   []head   // its manifests above the folders of all runs
	folders []string // of its files

	mu     sync.Mutex
	rows   multiset
	seen   occurrences
	left   int              // parts that are not read yet
	lines  Reading          // of an append-only export
	before map[uint64]int64 // how often rows are already stored
	total  map[TotalKey]*lineTotals
	has    map[ledger.Metric]bool
}

// candidate is one partition's rows in one file, or in all files of a manifest.
type candidate struct {
	unit     Unit // of its parts, with resolved scope; Load is the newest
	folder   string
	manifest *Manifest
	parts    []part

	// Of append-only exports: the stored deliveries of the partition, those that this one
	// replaces, how often a row is in the others, and the new rows.
	beside, replaces []ledger.ID
	before           map[uint64]int64
	rows             Reading
}

type part struct {
	file   int
	unit   Unit
	chosen *chosen // nil: all rows
}

// NewPlan groups the surveyed files into deliveries. Refused lists everything that cannot be
// loaded.
func NewPlan(format Format, files []*Survey, manifests []*Manifest, o PlanOptions) *Plan {
	p := &Plan{format: format, o: o, machines: map[string]bool{}, spoiled: map[int]bool{}, faulty: map[int]map[int]bool{}}
	for _, sv := range files {
		f := &planned{sv: sv, slots: map[Unit]int{}, scope: map[Unit]string{}, excluded: map[Unit]bool{},
			aside:  map[Unit]string{},
			chosen: map[Unit]*chosen{}, taken: map[Unit]int64{}, repeated: map[Unit]bool{}, skip: sv.broken()}
		for key := range sv.machines {
			p.machines[key] = true
		}
		if err := f.resolveScopes(); err != nil && !f.skip {
			p.refuseErr(err)
			sv.unreadable, f.skip = true, true
		}
		p.files = append(p.files, f)
	}
	owner := p.assign(files, manifests)
	for _, group := range p.oneVariant(p.group(owner)) {
		if p.refusedBefore(group) {
			p.leaveOut(group)
			continue
		}
		if group[0].appended(p.format) {
			if group = p.apart(group); len(group) == 0 {
				continue
			}
		} else if without := p.incomplete(group); without != "" {
			p.refuse(p.incompleteDelivery(group, without))
			p.leaveOut(group)
			continue
		}
		merged, err := p.separate(group)
		if err != nil {
			p.refuseErr(err)
			p.leaveOut(group)
			continue
		}
		for _, c := range merged {
			if len(c.parts) == 0 {
				continue // no new rows
			}
			p.deliveries = append(p.deliveries, p.deliver(c))
		}
	}
	p.setAside()
	p.number()
	return p
}

// resolveScopes gives rows without a scope the scope of their file.
func (f *planned) resolveScopes() *ledger.FileError {
	scopes := map[string]bool{}
	for u := range f.sv.units {
		if u.Scope != "" {
			scopes[u.Scope] = true
		}
	}
	for u := range f.sv.units {
		f.scope[u] = u.Scope
		if u.Scope != "" {
			continue
		}
		if len(scopes) != 1 {
			return &ledger.FileError{Rejection: ledger.Rejection{
				File: f.sv.File.Name, Line: f.sv.units[u].line, Column: f.sv.scopeColumn, Reason: "missing value",
				Detail: fmt.Sprintf("%d rows, the first of them on this line, have no billing account, and the file has %d "+
					"accounts; export each row with its account, or each account as a separate file", f.sv.units[u].rows, len(scopes)),
			}}
		}
		for only := range scopes {
			f.scope[u] = only
		}
	}
	return nil
}

// assign finds the manifest of each file. If a file of a manifest is missing or broken, all of
// its files are left out.
func (p *Plan) assign(files []*Survey, manifests []*Manifest) map[int]*Manifest {
	owner := map[int]*Manifest{}
	folders := map[string]bool{}
	given := make([]blob.File, len(files))
	for i := range files {
		given[i] = files[i].File
	}
	stored := newShelf(given)
	for _, m := range manifests {
		var mine []int
		var refused *ledger.FileError
		for _, data := range m.DataFiles {
			i, err := p.part(m, data, stored, owner)
			if i >= 0 {
				mine = append(mine, i)
				folders[files[i].File.Folder()] = true
			}
			if err != nil && refused == nil {
				refused = err
			}
		}
		copied := false
		for _, i := range mine {
			if refused != nil {
				p.files[i].skip = true
			} else if owner[i] == nil {
				owner[i] = m
			} else if owner[i] != m && !copied {
				owner[i].copied(m)
				copied = true
			}
		}
		if refused != nil {
			names := []string{refused.File}
			for _, i := range mine {
				if name := files[i].File.Name; !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			refused.File = strings.Join(names, ", ")
			p.refuseErr(refused)
		}
	}
	for i, sv := range files {
		if f := p.files[i]; owner[i] == nil && !f.skip && folders[sv.File.Folder()] {
			f.skip = true
			p.Leftover = append(p.Leftover, sv.File.Name)
		}
	}
	return owner
}

// part finds the file that a manifest's entry means, -1 if there is none.
func (p *Plan) part(m *Manifest, data DataFile, stored shelf, owner map[int]*Manifest) (int, *ledger.FileError) {
	refuse := func(reason, detail string) *ledger.FileError {
		return &ledger.FileError{Rejection: ledger.Rejection{File: m.Name, Line: data.Line, Reason: reason, Detail: detail}}
	}
	i, ambiguous := stored.match(data.Name)
	switch {
	case i < 0:
		return -1, refuse("file missing",
			fmt.Sprintf("%s is not among the %d files given; import the folder that holds it", data.Name, len(p.files)))
	case ambiguous:
		return -1, refuse("ambiguous file",
			data.Name+" matches more than one of the given files; import one delivery at a time")
	}
	if old := owner[i]; old != nil && !old.same(m) {
		return i, refuse("ambiguous file",
			fmt.Sprintf("%s is also named by %s; import one delivery at a time", data.Name, old.Name))
	}
	if sv := p.files[i].sv; sv.broken() {
		return i, refuse("incomplete delivery",
			fmt.Sprintf("its file %s was refused, so none of its files is loaded; deliver it again", sv.File.Name))
	}
	return i, data.check(m, p.files[i].sv)
}

// same reports whether two manifests are copies of one.
func (m *Manifest) same(o *Manifest) bool {
	return m.Export == o.Export && m.ExecutionID == o.ExecutionID &&
		slices.EqualFunc(m.DataFiles, o.DataFiles, DataFile.same)
}

// same reports whether two manifests describe a file in the same way, on whichever line.
func (d DataFile) same(o DataFile) bool {
	return d.Name == o.Name && d.Bytes == o.Bytes && d.Rows == o.Rows
}

// copied adds the places of a copy.
func (m *Manifest) copied(o *Manifest) {
	if len(m.names) == 0 {
		m.names = []string{m.Name}
	}
	m.Places, m.names = append(m.Places, o.Places...), append(m.names, o.Name)
}

// check compares a file with its manifest's entry.
func (d DataFile) check(m *Manifest, sv *Survey) *ledger.FileError {
	refuse := func(what string, have, want int64) *ledger.FileError {
		return &ledger.FileError{Rejection: ledger.Rejection{File: sv.File.Name, Reason: "not as in the manifest",
			Detail: fmt.Sprintf("it has %d %s, but %s declares %d; fetch the delivery again when it is complete", have, what,
				m.Name, want)}}
	}
	if d.Bytes >= 0 && d.Bytes != sv.Bytes {
		return refuse("bytes", sv.Bytes, d.Bytes)
	}
	if d.Rows >= 0 && d.Rows != sv.Rows {
		return refuse("rows", sv.Rows, d.Rows)
	}
	return nil
}

// deliver names a delivery and sets its time.
func (p *Plan) deliver(c *candidate) *delivery {
	d := &delivery{parts: c.parts, left: len(c.parts), total: map[TotalKey]*lineTotals{}, has: map[ledger.Metric]bool{}}
	for _, pt := range c.parts {
		sv := p.files[pt.file].sv
		for _, m := range sv.carries {
			d.has[m] = true
		}
		d.names = append(d.names, sv.File.Name)
		if folder := path.Dir(sv.File.Place()); !slices.Contains(d.folders, folder) {
			d.folders = append(d.folders, folder)
		}
		if pt.chosen == nil || pt.chosen.taker == nil {
			d.addFile(sv, pt.unit, c.unit.Scope)
		} // otherwise Choose does
	}
	d.lines, d.before, d.Beside, d.Replaces = c.rows, c.before, c.beside, c.replaces
	like := p.format.Describe(c.unit)
	d.Source, d.Scope, d.Partition, d.Dataset = p.format.Source(), c.unit.Scope, c.unit.Partition, c.unit.Dataset
	if c.manifest != nil {
		like.Kind = ledger.Snapshot
	}
	d.Kind, d.Rank, d.Export, d.Unnamed, d.Aggregated = like.Kind, like.Rank, like.Export, like.Export, p.o.Aggregate
	if m := c.manifest; m != nil {
		d.Export, d.ExecutionID = First(m.Export, d.Export), m.ExecutionID
	}
	if i := slices.Index(p.o.Prefer, d.Export); i >= 0 {
		d.Preference = len(p.o.Prefer) - i
	}
	d.DeliveredAt, d.Observed, d.ExecutionID = p.time(c, d.ExecutionID)
	d.Places, d.Named, d.above = p.places(c), c.manifest != nil, p.heads(c)
	for _, h := range d.above {
		d.Above = append(d.Above, h.folder)
	}
	d.key = ledger.NewID("delivery key", d.Source, d.Export, d.Scope, d.Dataset, d.Partition).String()
	d.mask = ledger.NewID("charge", d.key)
	return d
}

// addFile adds the first pass's findings about the file's rows.
func (d *delivery) addFile(sv *Survey, key Unit, scope string) {
	u := sv.units[key]
	for k, t := range u.totals.of {
		k.Account, k.Currency = First(k.Account, scope), First(k.Currency, NoCurrency)
		sum := d.total[k]
		if sum == nil {
			sum = &lineTotals{}
			d.total[k] = sum
		}
		sum.charges += t.charges
		for i := range sum.sums {
			sum.sums[i].merge(&t.sums[i])
		}
	}
	d.Rows += u.rows
	for i := range d.Files {
		if d.Files[i].Name == sv.File.Name {
			d.Files[i].Rows += u.rows
			return
		}
	}
	d.Files = append(d.Files, ledger.DeliveryFile{Name: sv.File.Name, SHA256: sv.SHA256, Bytes: sv.Bytes, Rows: u.rows})
	d.Columns = append(d.Columns, sv.columns...)
	sort.Strings(d.Columns)
	d.Columns = slices.Compact(d.Columns)
}

// number orders the deliveries (older ones of one key first) and gives the files their slots.
func (p *Plan) number() {
	sort.SliceStable(p.deliveries, func(i, j int) bool {
		a, b := p.deliveries[i], p.deliveries[j]
		if a.Partition != b.Partition {
			return a.Partition < b.Partition
		}
		if a.key != b.key {
			return a.key < b.key
		}
		return at(a) < at(b)
	})
	for slot, d := range p.deliveries {
		for _, pt := range d.parts {
			p.files[pt.file].slots[pt.unit] = slot
			if pt.chosen != nil {
				pt.chosen.rewind()
			}
		}
	}
}

func at(d *delivery) period.Second {
	if d.DeliveredAt == nil {
		return 0
	}
	return *d.DeliveredAt
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

var errNotPlanned = errors.New("a row does not belong to any delivery of the first pass: the file changed while it " +
	"was read; import it again")
