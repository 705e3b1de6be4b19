package awscur

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Source is the name of this source in the ledger.
const Source = "aws-cur"

// Rank of CUR 2.0 among the exports of one account (design, "book").
const rankNative = 3

// Datasets. Net is chosen only when the export has no gross costs: gross costs
// with discount rows, or net costs without them, never both.
const (
	datasetGross = "CUR 2.0"
	datasetNet   = "CUR 2.0 net"
)

// Plan says which rows of which file belong to which delivery.
type Plan struct {
	files      []*planned
	deliveries []*delivery // by slot
	// Leftover are files beside a manifest that it does not name: chunks of an
	// older run that overwrite mode left behind.
	Leftover []string
}

type planned struct {
	sv    *Survey
	slots map[unitKey]int
	payer map[unitKey]string
	skip  bool
}

// delivery collects one delivery while its files are read, by any number of
// goroutines.
type delivery struct {
	ledger.Delivery
	month period.Month
	key   string // of all parts of the delivery's key
	names []string
	parts []part

	mu    sync.Mutex
	rows  multiset
	seen  occurrences
	total map[totalKey]*moneyTotal
	has   [columnCount]bool
	net   bool
}

type totalKey struct{ account, currency string }

// candidate is what one file, or all files of a manifest, hold of one
// partition.
type candidate struct {
	payer    string
	month    period.Month
	load     string
	folder   string
	manifest *Manifest
	parts    []part
}

type part struct {
	file int
	key  unitKey
}

// NewPlan groups the surveyed files into deliveries. deliveredAt, when not
// nil, is the time of all of them.
func NewPlan(files []*Survey, manifests []*Manifest, deliveredAt *period.Second) (*Plan, error) {
	p := &Plan{}
	for _, sv := range files {
		f := &planned{sv: sv, slots: map[unitKey]int{}, payer: map[unitKey]string{}}
		if err := f.resolvePayers(); err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	owner, err := p.assign(files, manifests)
	if err != nil {
		return nil, err
	}
	for _, group := range p.group(owner) {
		merged, err := p.separate(group)
		if err != nil {
			return nil, err
		}
		for _, c := range merged {
			p.deliveries = append(p.deliveries, p.deliver(c, deliveredAt))
		}
	}
	p.number()
	return p, nil
}

// resolvePayers gives rows without a payer that of their file.
func (f *planned) resolvePayers() error {
	payers := map[string]bool{}
	for k := range f.sv.units {
		if k.payer != "" {
			payers[k.payer] = true
		}
	}
	for k := range f.sv.units {
		f.payer[k] = k.payer
		if k.payer != "" {
			continue
		}
		if len(payers) != 1 {
			return &FileError{Rejection: ledger.Rejection{File: f.sv.File.Name, Column: colPayer.name(), Reason: "missing value",
				Detail: fmt.Sprintf("%d rows name no payer account and the file names %d others", f.sv.units[k].rows, len(payers))}}
		}
		for only := range payers {
			f.payer[k] = only
		}
	}
	return nil
}

// assign finds the manifest of each file.
func (p *Plan) assign(files []*Survey, manifests []*Manifest) (map[int]*Manifest, error) {
	owner := map[int]*Manifest{}
	folders := map[string]bool{}
	given := make([]blob.File, len(files))
	for i := range files {
		given[i] = files[i].File
	}
	stored := newShelf(given)
	for _, m := range manifests {
		for _, data := range m.DataFiles {
			i, ambiguous := stored.match(data)
			switch {
			case i < 0:
				return nil, &FileError{Rejection: ledger.Rejection{File: m.Name, Column: "dataFiles", Reason: "file missing",
					Detail: fmt.Sprintf("%s is not among the %d files given; import the folder that holds it", data, len(files))}}
			case ambiguous:
				return nil, &FileError{Rejection: ledger.Rejection{File: m.Name, Column: "dataFiles", Reason: "ambiguous file",
					Detail: fmt.Sprintf("%s fits more than one of the files given; import one delivery at a time", data)}}
			}
			if old := owner[i]; old != nil && !old.same(m) {
				return nil, &FileError{Rejection: ledger.Rejection{File: m.Name, Column: "dataFiles", Reason: "ambiguous file",
					Detail: fmt.Sprintf("%s is also named by %s; import one delivery at a time", data, old.Name)}}
			}
			if owner[i] == nil {
				owner[i] = m
			}
			folders[files[i].File.Folder()] = true
		}
	}
	for i, sv := range files {
		if owner[i] == nil && folders[sv.File.Folder()] {
			p.files[i].skip = true
			p.Leftover = append(p.Leftover, sv.File.Name)
		}
	}
	return owner, nil
}

// same reports whether two manifests are copies of one.
func (m *Manifest) same(o *Manifest) bool {
	return m.ExportARN == o.ExportARN && m.ExecutionID == o.ExecutionID && slices.Equal(m.DataFiles, o.DataFiles)
}

// group gathers candidates that may be one delivery or repeat each other.
func (p *Plan) group(owner map[int]*Manifest) [][]*candidate {
	groups := map[string][]*candidate{}
	for i, f := range p.files {
		if f.skip {
			continue
		}
		m := owner[i]
		for k := range f.sv.units {
			c := &candidate{payer: f.payer[k], month: k.month, load: k.load, folder: f.sv.File.Folder(), manifest: m, parts: []part{{i, k}}}
			at := []string{c.payer, string(c.month), "folder", c.folder}
			if m != nil {
				at = []string{c.payer, string(c.month), "manifest", m.ExportARN, m.ReportName, m.ExecutionID, strings.Join(m.DataFiles, "\n")}
			}
			id := strings.Join(at, "\x00")
			groups[id] = append(groups[id], c)
		}
	}
	out := make([][]*candidate, 0, len(groups))
	for _, id := range sortedKeys(groups) {
		g := groups[id]
		sort.Slice(g, func(i, j int) bool {
			if g[i].load != g[j].load {
				return g[i].load < g[j].load
			}
			return g[i].parts[0].file < g[j].parts[0].file
		})
		out = append(out, g)
	}
	return out
}

// separate decides whether the candidates of a group are parts of one delivery
// or several deliveries of the same partition: a line item occurs once in a
// delivery, so candidates that share line items are deliveries of their own.
func (p *Plan) separate(group []*candidate) ([]*candidate, error) {
	if len(group) == 1 {
		return group, nil
	}
	if group[0].manifest != nil || p.disjoint(group) {
		return []*candidate{join(group)}, nil
	}
	var out []*candidate
	for from := 0; from < len(group); {
		to := from + 1
		for to < len(group) && group[to].load == group[from].load {
			to++
		}
		load := group[from:to]
		switch {
		case len(load) == 1 || p.disjoint(load):
			if load[0].load == "" && len(load) > 1 {
				return nil, p.undecided(load)
			}
			out = append(out, join(load))
		case p.allOverlap(load):
			out = append(out, load...)
		default:
			return nil, p.undecided(load)
		}
		from = to
	}
	return out, nil
}

func (p *Plan) undecided(load []*candidate) error {
	var names []string
	for _, c := range load {
		names = append(names, p.files[c.parts[0].file].sv.File.Name)
	}
	return &FileError{Rejection: ledger.Rejection{File: strings.Join(names, ", "), Reason: "repeated line items",
		Detail: "some of these files repeat line items of others and some do not, so it is not known which of them are one delivery; import each delivery by itself, oldest first, with --delivered-at"}}
}

func (p *Plan) lines(c *candidate) []uint64 {
	u := p.files[c.parts[0].file].sv.units[c.parts[0].key]
	if !slices.IsSorted(u.lines) {
		slices.Sort(u.lines)
	}
	return u.lines
}

// disjoint reports whether no line item occurs in two candidates.
func (p *Plan) disjoint(cs []*candidate) bool {
	var all []uint64
	for _, c := range cs {
		all = append(all, slices.Compact(slices.Clone(p.lines(c)))...)
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			return false
		}
	}
	return true
}

func (p *Plan) allOverlap(cs []*candidate) bool {
	for i := range cs {
		for j := range i {
			if !share(p.lines(cs[i]), p.lines(cs[j])) {
				return false
			}
		}
	}
	return true
}

// share reports whether two sorted lists have an element in common.
func share(a, b []uint64) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

func join(cs []*candidate) *candidate {
	whole := *cs[0]
	for _, c := range cs[1:] {
		whole.parts = append(whole.parts, c.parts...)
		whole.load = max(whole.load, c.load)
	}
	return &whole
}

// deliver names a delivery and gives it its time.
func (p *Plan) deliver(c *candidate, deliveredAt *period.Second) *delivery {
	d := &delivery{month: c.month, parts: c.parts, total: map[totalKey]*moneyTotal{}, net: true}
	for _, pt := range c.parts {
		sv := p.files[pt.file].sv
		d.net = d.net && sv.s.net
		for col := range d.has {
			d.has[col] = d.has[col] || sv.s.has(column(col))
		}
		d.names = append(d.names, sv.File.Name)
		d.addFile(sv, pt.key, c.payer)
	}
	d.Source, d.Scope, d.Partition, d.Kind, d.Rank = Source, c.payer, string(c.month), ledger.Snapshot, rankNative
	if d.Dataset = datasetGross; d.net {
		d.Dataset = datasetNet
	}
	d.Export = "aws " + c.payer + " " + d.Dataset
	if m := c.manifest; m != nil {
		d.Export, d.ExecutionID = first(m.ExportARN, m.ReportName, d.Export), m.ExecutionID
	}
	d.DeliveredAt, d.ExecutionID = p.time(c, deliveredAt, d.ExecutionID)
	d.key = ledger.NewID("delivery key", d.Source, d.Export, d.Scope, d.Dataset, d.Partition).String()
	return d
}

// addFile takes over what the first pass found of the file's rows.
func (d *delivery) addFile(sv *Survey, key unitKey, payer string) {
	u := sv.units[key]
	for mk, t := range u.totals {
		k := totalKey{first(mk.account, payer), first(mk.currency, noCurrency)}
		sum := d.total[k]
		if sum == nil {
			sum = &moneyTotal{}
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
	for _, name := range sv.s.names {
		if name = canonicalName(name); name != "" && !loaderColumn(name) && !slices.Contains(d.Columns, name) {
			d.Columns = append(d.Columns, name)
		}
	}
	sort.Strings(d.Columns)
}

// time is --delivered-at, else the manifest's submit time, the run folder's
// time, the load id. A local file's modification time never counts.
func (p *Plan) time(c *candidate, deliveredAt *period.Second, execution string) (*period.Second, string) {
	path := p.files[c.parts[0].file].sv.File.Path
	folderTime, folderRun, inRun := runFolder(path)
	if inRun {
		execution = first(execution, folderRun)
	}
	switch {
	case deliveredAt != nil:
		return deliveredAt, execution
	case c.manifest != nil && c.manifest.SubmitTime != nil:
		return c.manifest.SubmitTime, execution
	case inRun:
		return &folderTime, execution
	}
	if at, ok := loadTime(c.load); ok {
		return &at, first(execution, c.load)
	}
	return nil, execution
}

// loadTime reads a load id of dlt: seconds since 1970 with a fraction.
func loadTime(load string) (period.Second, bool) {
	whole, _, _ := strings.Cut(load, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n <= 0 || n > 1<<34 {
		return 0, false
	}
	return period.Second(n), true
}

// number sorts the deliveries (older ones of one key first) and tells the
// files their slots.
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
			p.files[pt.file].slots[pt.key] = slot
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

var errNotPlanned = errors.New("a row belongs to no delivery of the first pass: the file changed while it was read; import it again")
