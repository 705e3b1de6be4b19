package script

import (
	"maps"
	"slices"

	"gpuledger/allocation/fleet"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// firstDay is the day of clock times if a case names none: 2026-11-03.
const firstDay = period.Second(1_793_664_000)

// world is the facts of the statements so far.
type world struct {
	c   *Case
	day period.Second

	machines map[string]*machine // by name
	names    []string            // of machines, as they came
	rows     map[rowKey]*ledger.SampleHour
	counters map[rowKey]int64 // energy so far, of devices

	devices     map[fleet.Name][]ledger.Device
	pods        []ledger.WorkloadFact
	evidence    []ledger.HoldEvidence
	placements  []ledger.Placement
	objects     []ledger.ObjectFact
	checkpoints []ledger.Checkpoint
	happened    []ledger.WorkloadEvent
	events      []ledger.InstanceEvent
	nodeStates  []ledger.NodeStateHour
	podStates   []ledger.PodStateHour
	unobserved  map[string][]period.Interval // by cluster
	accounted   map[string][]period.Interval // by cluster: the coverage of Slurm's accounting

	charges []ledger.Charge
	gone    map[ledger.ID]bool // charges that a later delivery no longer has
	nth     map[string]int     // equal charges
	names2  map[ledger.ID]string
	rates   []ledger.Rate
	billed  map[string]period.Second // by account: the stated end of coverage
	book    []policy.Version

	closed map[closedKey]bool
	final  finals
	last   *result
}

// machine is the content of a gpu statement.
type machine struct {
	ledger.NodeFact
	key      string // as in bills
	gpus     int
	seen     []int // slots whose device exporters know
	model    string
	kind     string // instance type
	account  string
	region   string
	replicas int64
	life     period.Interval
	slurm    bool              // named by jobs only, from the start to the end of life
	silent   []period.Interval // its own reports are missing
	layouts  [][]layout        // per slot
}

// layout is a MIG layout of a card for a time.
type layout struct {
	period.Interval
	slices []timeSlice
}

type timeSlice struct {
	id      int32
	profile string
	start   *int
}

func newWorld(c *Case) *world {
	return &world{
		c: c, day: firstDay, machines: map[string]*machine{},
		rows: map[rowKey]*ledger.SampleHour{}, counters: map[rowKey]int64{},
		devices: map[fleet.Name][]ledger.Device{}, unobserved: map[string][]period.Interval{},
		accounted: map[string][]period.Interval{}, gone: map[ledger.ID]bool{}, nth: map[string]int{},
		names2: map[ledger.ID]string{}, billed: map[string]period.Second{}, closed: map[closedKey]bool{}, final: newFinals(),
	}
}

// do executes one statement.
func (w *world) do(s *statement) error {
	switch s.text {
	case "day":
		return w.doDay(s)
	case "gpu":
		return w.doGPU(s)
	case "mig":
		return w.doMIG(s)
	case "owner":
		return w.doOwner(s)
	case "policy":
		return w.doPolicy(s)
	case "charge":
		return w.doCharge(s)
	case "remove":
		return w.doRemove(s)
	case "rate":
		return w.doRate(s)
	case "bill":
		return w.doBill(s)
	case "hold", "attempt":
		return w.doHold(s)
	case "sample":
		return w.doSample(s)
	case "event":
		return w.doEvent(s)
	case "close":
		return w.doClose(s)
	case "allocate":
		if len(s.args) > 0 {
			return w.c.fault(s, s.args[0], "allocate takes no words: it allocates everything so far")
		}
		var err error
		if w.last, err = w.allocate(); err != nil {
			return w.c.fault(s, s.word, "%s", err)
		}
		return nil
	}
	return w.c.fault(s, s.word, "%q is not a statement", s.text)
}

func (w *world) doDay(s *statement) error {
	if len(s.args) != 1 {
		return w.c.fault(s, s.word, "write: day 2026-11-03")
	}
	day, err := period.ParseDay(s.args[0].text)
	if err != nil {
		return w.c.fault(s, s.args[0], "%s", err)
	}
	if len(w.names) > 0 || len(w.charges) > 0 || len(w.pods) > 0 {
		return w.c.fault(s, s.word, "day must come before the statements of that day")
	}
	w.day = day
	return nil
}

// machine finds the machine in a key.
func (w *world) machine(f *fields, key, name string) (*machine, error) {
	m := w.machines[name]
	if m == nil {
		return nil, f.fault(key, "no gpu statement names the machine %q", name)
	}
	return m, nil
}

// doOwner sets the labels of namespaces, machines and root objects.
func (w *world) doOwner(s *statement) error {
	if len(s.args) < 4 || len(s.args)%2 != 0 {
		return w.c.fault(s, s.word, "write: owner namespace NAME team TEAM …, owner node NAME … or owner KIND/NAME …")
	}
	labels := map[string]string{}
	for i := 2; i < len(s.args); i += 2 {
		labels[s.args[i].text] = s.args[i+1].text
	}
	layer, name := s.args[0], s.args[1]
	switch layer.text {
	case "namespace":
		for _, cluster := range w.clusters() {
			w.namespace(cluster, name.text, labels)
		}
	case "node":
		m := w.machines[name.text]
		if m == nil {
			return w.c.fault(s, name, "no gpu statement names the machine %q", name.text)
		}
		maps.Copy(m.Labels, labels)
	default:
		return w.c.fault(s, layer, "owner has namespace and node, not %q", layer.text)
	}
	return nil
}

// namespace adds to the labels of a namespace.
func (w *world) namespace(cluster, name string, labels map[string]string) {
	for _, o := range w.objects {
		if o.Cluster == cluster && o.Name == name {
			maps.Copy(o.Labels, labels)
			return
		}
	}
	w.objects = append(w.objects, ledger.ObjectFact{
		Cluster: cluster, Kind: "Namespace", Name: name, Labels: maps.Clone(labels), AttrsAt: 1,
	})
}

func (w *world) clusters() []string {
	out := []string{theCluster}
	for _, n := range w.names {
		out = append(out, w.machines[n].Cluster)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// doRate reads an entry of the price book.
func (w *world) doRate(s *statement) error {
	f, err := w.fields(s, 1, "price", "hourly", "region", "currency", "from", "to")
	if err != nil {
		return err
	}
	if err := f.need("hourly"); err != nil {
		return err
	}
	hourly, err := f.amount("hourly")
	if err != nil {
		return err
	}
	valid, err := f.span(period.Interval{From: w.day - 30*period.Day, To: w.day + 30*period.Day})
	if err != nil {
		return err
	}
	r := ledger.Rate{InstanceType: s.args[0].text, PriceClass: ledger.PriceClass(f.text("price", string(ledger.OnDemand))),
		Region:   f.text("region", ""),
		Currency: f.text("currency", dollars), Hourly: *hourly, Valid: valid, Source: "case"}
	r.ID = ledger.NewID("rate", r.InstanceType, string(r.PriceClass), r.Region, r.Currency, r.Hourly.String(),
		r.Valid.String())
	w.rates = append(w.rates, r)
	return nil
}

// doBill sets the end of the hours that an account's bill covers.
func (w *world) doBill(s *statement) error {
	f, err := w.fields(s, 0, "until", "account")
	if err != nil {
		return err
	}
	if err := f.need("until"); err != nil {
		return err
	}
	until, err := f.time("until", 0)
	if err != nil {
		return err
	}
	account := f.text("account", theAccount)
	w.billed[account] = max(w.billed[account], until)
	return nil
}

// minutesOf gives the minutes of an interval by hour.
func minutesOf(i period.Interval) map[period.Second]uint64 {
	out := map[period.Second]uint64{}
	for m := i.From.Floor(period.Minute); m < i.To; m += period.Minute {
		out[m.Floor(period.Hour)] |= 1 << ((m - m.Floor(period.Hour)) / period.Minute)
	}
	return out
}

// byHour walks minutesOf in order of time.
func byHour(i period.Interval, visit func(hour period.Second, minutes uint64)) {
	minutes := minutesOf(i)
	for _, hour := range slices.Sorted(maps.Keys(minutes)) {
		visit(hour, minutes[hour])
	}
}

var nothing money.Amount
