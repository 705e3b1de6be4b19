package bill

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// maxRanges bounds the line ranges of one aggregate; a larger group becomes several aggregates.
const maxRanges = 4096

// maxGroups and maxOpen bound the aggregates and line ranges that an aggregator holds. Beyond
// that, aggregates are emitted as they are, and later lines of their groups form further
// aggregates: no owner is lost, and memory stays bounded even if tags hold, say, a request id.
// is lost, and memory does not grow with them.
const (
	maxGroups = 4096
	maxOpen   = 1 << 20
)

// aggregator gathers the lines of one file and slot that are outside the fleet (rule 8.19).
type aggregator struct {
	machines map[string]bool
	// partly: other increments may show which of its machines have GPUs.
	partly bool
	open   map[groupKey]*group
	ranges int // of all open aggregates
	done   []ledger.Charge
	owners map[uintptr]owner // of tags seen lately, by the address of the tags
	common map[uintptr]owner // of details
}

// owner holds the tags that name a line's owner.
type owner struct {
	of   map[string]string // all tags, kept so that their address is not reused
	tags map[string]string
	key  string
}

// groupKey is what all lines of an aggregate share.
type groupKey struct {
	kind              ledger.LineKind
	category          ledger.ChargeCategory
	class             string
	provider          string
	billing, account  string
	month             period.Month
	service, code     string
	region            string
	day               period.Second
	currency          string
	marketplace       bool
	owner             string // tags that can name the owner
	details           string // those that many lines can share
	priced            bool   // with a cost in the currency of prices
	effective, billed bool   // measures that the lines carry
	list, contracted  bool
}

type group struct {
	charge ledger.Charge
	digest multiset
}

func newAggregator(machines map[string]bool, partly bool) *aggregator {
	return &aggregator{machines: machines, partly: partly, open: map[groupKey]*group{}, owners: map[uintptr]owner{},
		common: map[uintptr]owner{}}
}

// outside reports whether a line certainly belongs outside the GPU fleet and does not affect
// lines of the fleet.
func (a *aggregator) outside(c *ledger.Charge) bool {
	switch c.Kind {
	case ledger.LineUsage, ledger.LineDiscount, ledger.LineOther:
	default:
		return false
	}
	switch {
	case c.BillsGPU, c.CommitmentCredit != nil, c.CommitmentID != "", ledger.ControlPlane(c):
		return false
	case c.Kind == ledger.LineDiscount && c.ResourceID == "" && c.InstanceID == "":
		return false // shared by the base of its service (8.16)
	case c.InstanceID != "" &&
		(a.machines[c.InstanceID] || a.partly && (c.InstanceType == "" || catalog.TakesGPUs(c.InstanceType))):
		return false
	case c.InstanceHours && c.InstanceID != "" && !catalog.Lists(c.Provider):
		return false // whatever its type is, it may be a machine of the fleet
	case c.InstanceType != "":
		t, known := catalog.Lookup(c.InstanceType)
		return known && t.Slots() == 0 || !known && !catalog.AcceleratedLooking(c.InstanceType)
	}
	return !c.InstanceHours // instance time of an unknown type may be a GPU's
}

// take keeps, in place, the charges that stay separate lines, and adds the others to their
// aggregates.
func (a *aggregator) take(charges []ledger.Charge) []ledger.Charge {
	kept := charges[:0]
	for i := range charges {
		if c := &charges[i]; a.outside(c) {
			a.add(c)
		} else {
			kept = append(kept, *c)
		}
	}
	return kept
}

// ownerOf keeps the tags that can name the line's owner.
func (a *aggregator) ownerOf(tags map[string]string) owner {
	return keep(a.owners, tags, ledger.OwnerTags)
}

// keep returns the part of a shared map that an aggregate keeps; known remembers it by the map's address.
func keep(known map[uintptr]owner, tags map[string]string, part func(map[string]string) map[string]string) owner {
	at := reflect.ValueOf(tags).Pointer()
	if o, ok := known[at]; ok {
		return o
	}
	if len(known) >= maxGroups {
		clear(known)
	}
	o := owner{of: tags, tags: part(tags)}
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(o.tags)) {
		b.WriteString(strconv.Quote(k) + strconv.Quote(o.tags[k]))
	}
	o.key = b.String()
	known[at] = o
	return o
}

func (a *aggregator) add(c *ledger.Charge) {
	whose, shared := a.ownerOf(c.Tags), keep(a.common, c.Details, commonDetails)
	priced := c.Quantities != nil && c.Quantities.PricingCurrencyCost != nil
	key := groupKey{
		kind: c.Kind, category: c.Category, class: c.Class,
		provider: c.Provider, billing: c.BillingAccount, account: c.Account,
		month: c.BillingPeriod, service: c.ServiceName, code: c.ServiceCode, region: c.Region,
		day: c.Period.From.Floor(period.Day), currency: c.Currency, marketplace: c.Marketplace, owner: whose.key,
		details: shared.key, priced: priced,
		effective: c.Effective != nil, billed: c.Billed != nil, list: c.List != nil, contracted: c.Contracted != nil,
	}
	g := a.open[key]
	if g != nil && len(g.charge.Aggregate.Ranges) == maxRanges && g.charge.Aggregate.Ranges[maxRanges-1].Last+1 != c.Line {
		a.close(g)
		g = nil
	}
	if g == nil {
		g = &group{charge: ledger.Charge{
			Line: c.Line, SourceFile: c.SourceFile, Aggregate: &ledger.Aggregate{}, Provider: c.Provider,
			BillingAccount: c.BillingAccount, Account: c.Account, BillingPeriod: c.BillingPeriod, Period: c.Period,
			Kind: c.Kind, Category: c.Category, Class: c.Class, ServiceName: c.ServiceName,
			ServiceCode: c.ServiceCode, Region: c.Region, Currency: c.Currency,
			Marketplace: c.Marketplace, Tags: whose.tags, Details: shared.tags,
		}}
		if priced {
			g.charge.Quantities = &ledger.Quantities{PricingCurrencyCost: &money.Amount{}}
		}
		for _, m := range ledger.Metrics {
			if c.Get(m) != nil {
				g.charge.Set(m, &money.Amount{})
			}
		}
		a.open[key] = g
	}
	for _, m := range ledger.Metrics {
		if v := c.Get(m); v != nil {
			sum := g.charge.Get(m)
			*sum = sum.Add(*v)
		}
	}
	if priced {
		sum := g.charge.Quantities.PricingCurrencyCost
		*sum = sum.Add(*c.Quantities.PricingCurrencyCost)
	}
	g.charge.Period = period.Interval{
		From: min(g.charge.Period.From, c.Period.From), To: max(g.charge.Period.To, c.Period.To),
	}
	g.charge.Line = min(g.charge.Line, c.Line)
	before := len(g.charge.Aggregate.Ranges)
	g.count(c)
	a.ranges += len(g.charge.Aggregate.Ranges) - before
	if len(a.open) >= maxGroups || a.ranges >= maxOpen {
		a.closeAll()
	}
}

// count notes one line of the group.
func (g *group) count(c *ledger.Charge) {
	agg := g.charge.Aggregate
	agg.Lines++
	if last := len(agg.Ranges) - 1; last >= 0 && agg.Ranges[last].Last+1 == c.Line {
		agg.Ranges[last].Last = c.Line
	} else {
		agg.Ranges = append(agg.Ranges, ledger.LineRange{First: c.Line, Last: c.Line})
	}
	// A line's id covers its content and its number among equal lines, so the digest identifies
	// exactly these lines.
	member := content(sha256.Sum256(c.ID[:]))
	g.digest.add(&member)
}

func (a *aggregator) close(g *group) {
	agg := g.charge.Aggregate
	a.ranges -= len(agg.Ranges)
	agg.Digest = g.digest.digest()
	slices.SortFunc(agg.Ranges, func(x, y ledger.LineRange) int { return cmp.Compare(x.First, y.First) })
	g.charge.ID = ledger.NewID("aggregate", string(agg.Digest[:]))
	a.done = append(a.done, g.charge)
}

func (a *aggregator) closeAll() {
	for _, g := range a.open {
		a.close(g)
	}
	clear(a.open)
}

// ready returns the closed aggregates, in the order of their first lines.
func (a *aggregator) ready() []ledger.Charge {
	out := a.done
	a.done = nil
	slices.SortFunc(out, func(x, y ledger.Charge) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), slices.Compare(x.ID[:], y.ID[:]))
	})
	return out
}

// finish returns the remaining aggregates.
func (a *aggregator) finish() []ledger.Charge {
	a.closeAll()
	return a.ready()
}
