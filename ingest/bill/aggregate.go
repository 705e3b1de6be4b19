package bill

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// maxRanges bounds the line ranges of one aggregate; a group with more makes
// several.
const maxRanges = 4096

// aggregator gathers the lines of one file and slot that lie outside the fleet
// (rule 8.19).
type aggregator struct {
	machines map[string]bool
	// partly: other increments may say which of its machines have GPUs.
	partly bool
	open   map[groupKey]*group
	done   []ledger.Charge
}

// groupKey is what the lines of an aggregate have in common.
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
	effective, billed bool // measures that the lines carry
	list, contracted  bool
}

type group struct {
	charge ledger.Charge
	digest multiset
}

func newAggregator(machines map[string]bool, partly bool) *aggregator {
	return &aggregator{machines: machines, partly: partly, open: map[groupKey]*group{}}
}

// outside reports whether a line certainly does not belong to the GPU fleet,
// nor decides about lines that do.
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
		return false // cut by the base of its service (8.16)
	case c.InstanceID != "" && (a.machines[c.InstanceID] || a.partly && (c.InstanceType == "" || catalog.TakesGPUs(c.InstanceType))):
		return false
	case c.InstanceHours && c.InstanceID != "" && !catalog.Lists(c.Provider):
		return false // whatever its type is called, it may be a machine of the fleet
	case c.InstanceType != "":
		t, known := catalog.Lookup(c.InstanceType)
		return known && t.Slots() == 0 || !known && !catalog.AcceleratedLooking(c.InstanceType)
	}
	return !c.InstanceHours // instance time of an unknown type may be a GPU's
}

// take keeps the charges that stay lines of their own, in place, and adds the
// others to their aggregates.
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

func (a *aggregator) add(c *ledger.Charge) {
	key := groupKey{
		kind: c.Kind, category: c.Category, class: c.Class, provider: c.Provider, billing: c.BillingAccount, account: c.Account,
		month: c.BillingPeriod, service: c.ServiceName, code: c.ServiceCode, region: c.Region, day: c.Period.From.Floor(period.Day), currency: c.Currency,
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
			Kind: c.Kind, Category: c.Category, Class: c.Class, ServiceName: c.ServiceName, ServiceCode: c.ServiceCode, Region: c.Region, Currency: c.Currency,
		}}
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
	g.charge.Period = period.Interval{From: min(g.charge.Period.From, c.Period.From), To: max(g.charge.Period.To, c.Period.To)}
	g.charge.Line = min(g.charge.Line, c.Line)
	g.count(c)
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
	// The id of a line says its content and which of equal lines it is, so the
	// digest says exactly which lines these are.
	member := content(sha256.Sum256(c.ID[:]))
	g.digest.add(&member)
}

func (a *aggregator) close(g *group) {
	agg := g.charge.Aggregate
	agg.Digest = g.digest.digest()
	slices.SortFunc(agg.Ranges, func(x, y ledger.LineRange) int { return cmp.Compare(x.First, y.First) })
	g.charge.ID = ledger.NewID("aggregate", string(agg.Digest[:]))
	a.done = append(a.done, g.charge)
}

// finish returns the aggregates, in the order of their first lines.
func (a *aggregator) finish() []ledger.Charge {
	for _, g := range a.open {
		a.close(g)
	}
	a.open = nil
	slices.SortFunc(a.done, func(x, y ledger.Charge) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), slices.Compare(x.ID[:], y.ID[:]))
	})
	return a.done
}
