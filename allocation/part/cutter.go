package part

import (
	"fmt"
	"math/big"
	"strconv"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Methods, as stored with parts: how the share came to its place.
const (
	ByResource  = "resource id"
	ByUpSeconds = "up-seconds"
	Evenly      = "even"
	Pooled      = "pooled"
	NoNode      = "no node"
	ByCovered   = "covered usage"
	ByFee       = "commitment"
	ByBase      = "fleet base"
	Elsewhere   = "outside the fleet"
)

// controlPlanes is the service whose lines are the clusters' control planes (rule 8.9).
const controlPlanes = "AmazonEKS"

// longest is the longest charge period that is spread over its hours; what
// lasts longer (a term of years) stays at the hour it starts.
const longest = 32 * period.Day

// maxSeconds bounds the instance time of one line, some 300 million hours: a
// larger amount is a fault of the bill, and sums of such lines would not fit.
const maxSeconds = 1 << 40

// OwnerFunc resolves the owner of a share that no usage row receives. node is
// nil when the share has none. Observe asks for every owner that Cut will ask
// for, so that they can be stored before the first part.
type OwnerFunc func(node *ledger.Node, tags map[string]string) ledger.ID

// Cutter cuts the charges of one delivery. It is not safe for concurrent use.
type Cutter struct {
	fleet    *Fleet
	owner    OwnerFunc
	covered  map[coverKey]*coverage
	bases    map[baseKey]base
	ready    bool
	usedLife bool
}

// New returns a Cutter for one delivery.
func New(f *Fleet, owner OwnerFunc) *Cutter {
	return &Cutter{fleet: f, owner: owner, covered: map[coverKey]*coverage{}, bases: map[baseKey]base{}}
}

// Digest names everything outside the delivery that its cut depended on; see
// Fleet.Current. It is complete once all charges have been observed.
func (c *Cutter) Digest() string {
	lives := livesUnused
	if c.usedLife {
		lives = c.fleet.livesDigest()
	}
	return c.fleet.namedDigest() + ":" + lives
}

// target is where a charge goes as a whole.
type target struct {
	kind   ledger.PartKind
	node   *ledger.Node   // nil when none
	pool   []*ledger.Node // of pooled lines, by id
	method string
}

// slots reports whether the charge goes to the slots of nodes, whose holders
// own it.
func (t target) slots() bool {
	return t.kind == ledger.PartCompute && (t.node != nil || len(t.pool) > 0)
}

// classify answers rules 8.5, 8.9 and 8.10 for lines that are no negation,
// fee or invoice-wide charge.
func (c *Cutter) classify(ch *ledger.Charge) target {
	if node := c.fleet.find(ch.ResourceID); ch.ResourceID != "" && node != nil {
		if ch.InstanceHours {
			return target{kind: ledger.PartCompute, node: node, method: ByResource}
		}
		return target{kind: ledger.PartShared, node: node, method: ByResource}
	}
	if ch.ServiceCode == controlPlanes {
		return target{kind: ledger.PartShared, method: ByResource}
	}
	if ch.InstanceHours && ch.ResourceID == "" && metered(ch) {
		if pool := c.pool(ch); len(pool) > 0 {
			return target{kind: ledger.PartCompute, pool: pool, method: Pooled}
		}
		// Somebody paid for GPUs, and nobody knows which: unobserved, not outside the fleet.
		if t, known := catalog.Lookup(ch.InstanceType); known && t.Slots() > 0 && ch.Period.Seconds() <= longest {
			return target{kind: ledger.PartCompute, method: NoNode}
		}
	}
	return target{kind: ledger.PartNonGPU, method: Elsewhere}
}

// metered reports whether the line's usage amount is instance time of its own:
// discounts and credits repeat that of the line they modify.
func metered(ch *ledger.Charge) bool {
	return ch.Kind == ledger.LineUsage || ch.Kind == ledger.LineCoveredUsage
}

// pool finds the nodes that a line without a resource may have billed: same
// account, place, type and price class, as far as both sides know them, and up
// in its period. A line over years is no instance time of anybody.
func (c *Cutter) pool(ch *ledger.Charge) []*ledger.Node {
	if ch.InstanceType == "" || ch.Period.Seconds() > longest {
		return nil
	}
	c.usedLife = true
	agree := func(a, b string) bool { return a == "" || b == "" || a == b }
	var out []*ledger.Node
	for _, n := range c.fleet.all {
		if n.InstanceType == ch.InstanceType && agree(n.Account, ch.Account) && agree(n.Zone, ch.Zone) && agree(n.Region, ch.Region) &&
			agree(string(n.PriceClass), string(ch.PriceClass)) && !c.fleet.up(n, ch.Period).Empty() {
			out = append(out, n)
		}
	}
	return out
}

// Cut returns the parts of a charge, numbered from 0. It must follow Observe
// of every charge of the delivery.
func (c *Cutter) Cut(ch *ledger.Charge) ([]ledger.Part, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	var parts []ledger.Part
	var err error
	switch ch.Kind {
	case ledger.LineNegation:
		parts, err = c.cutNegation(ch)
	case ledger.LineCommitmentFee:
		parts, err = c.cutFee(ch)
	case ledger.LineInvoice:
		parts, err = c.cutInvoice(ch)
	case ledger.LineUsage, ledger.LineCoveredUsage, ledger.LineDiscount, ledger.LineOther:
		parts, err = c.cutPlain(ch)
	default:
		err = fmt.Errorf("line kind %q has no rule: the source's parser must map it", ch.Kind)
	}
	if err != nil {
		return nil, fmt.Errorf("cut charge %s (%s line %d): %w", ch.ID, ch.SourceFile, ch.Line, err)
	}
	charge := ch.ID.String()
	for i := range parts {
		p := &parts[i]
		p.Number = i
		p.ID = ledger.NewID("part", charge, strconv.Itoa(i))
		p.ChargeID, p.Currency = ch.ID, ch.Currency
		if p.Quality == "" {
			p.Quality = ledger.Measured
		}
	}
	return parts, nil
}

func (c *Cutter) cutPlain(ch *ledger.Charge) ([]ledger.Part, error) {
	t := c.classify(ch)
	places := c.places(ch.Period, t)
	parts, err := spread(ch.Costs, places)
	if err != nil {
		return nil, err
	}
	if t.slots() {
		if err := seconds(ch, parts, places); err != nil {
			return nil, err
		}
		return parts, nil
	}
	c.own(parts, t.node, ch.Tags)
	return parts, nil
}

func (c *Cutter) own(parts []ledger.Part, node *ledger.Node, tags map[string]string) {
	id := c.owner(node, tags)
	for i := range parts {
		parts[i].OwnerID = id
	}
}

// seconds puts the billed instance time on compute parts, cut like the money:
// round(3600 × usage amount), half up.
func seconds(ch *ledger.Charge, parts []ledger.Part, places []place) error {
	if !metered(ch) || ch.UsageAmount == nil || ch.UsageAmount.Sign() < 0 {
		return nil
	}
	total := ch.UsageAmount.Rat()
	total.Mul(total, big.NewRat(period.Hour, 1))
	num := new(big.Int).Lsh(total.Num(), 1)
	num.Add(num, total.Denom()).Quo(num, new(big.Int).Lsh(total.Denom(), 1))
	if !num.IsInt64() || num.Int64() > maxSeconds {
		return fmt.Errorf("usage amount of %s hours: at most %d are possible; correct the line and deliver the bill again", ch.UsageAmount, maxSeconds/period.Hour)
	}
	shares, err := money.SplitUint(money.FromUnits(num.Int64()), weights(places))
	if err != nil {
		return err
	}
	for i := range parts {
		units, _ := shares[i].Units() // below maxSeconds
		parts[i].UsageSeconds = &units
	}
	return nil
}
