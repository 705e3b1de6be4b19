package part

import (
	"fmt"
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Methods, as stored with parts: how the share got its target.
const (
	ByResource  = "resource id"
	ByUpSeconds = "up-seconds"
	Evenly      = "even"
	Pooled      = "pooled"
	NoNode      = "no node"
	ByCovered   = "covered usage"
	ByFee       = "commitment"
	ByPrepaid   = "prepaid capacity"
	ByCredit    = "commitment credit"
	ByBase      = "fleet base"
	ByService   = "managed service"
	Elsewhere   = "outside the fleet"
)

// Cutter cuts the charges of the deliveries of one bill. It is not safe for
// concurrent use.
type Cutter struct {
	fleet *Fleet
	owner OwnerFunc
	types map[[2]string]bool // (provider, type): has GPUs

	covered map[coverKey]*coverage
	bases   bases
	invoice bases            // of accounts, for invoice-wide lines; set by finish
	support bases            // the same for the lines that support is billed on; set by finish
	used    map[baseKey]bool // accounts with usage
	paid    map[paidKey]*paid
	prepaid map[prepaidKey]*prepaid
	plans   map[ledger.ID]*plan // of prepaid charges, set by finish
	// discounts are lines of rule 8.16: they count on the side of their target in the base of invoice-wide lines.
	discounts []discount

	corrected corrections

	uses    map[ledger.ID]*uses // by delivery
	current *uses
	ready   bool

	rules  *Rules // instead of owner
	owners map[ownerKey]taggedOwner
}

// New returns a Cutter for deliveries that are cut with the same fleet.
func New(f *Fleet, owner OwnerFunc) *Cutter {
	c := &Cutter{
		fleet: f, owner: owner, types: map[[2]string]bool{}, covered: map[coverKey]*coverage{},
		bases: bases{}, used: map[baseKey]bool{}, paid: map[paidKey]*paid{},
		prepaid: map[prepaidKey]*prepaid{}, plans: map[ledger.ID]*plan{},
		corrected: newCorrections(), uses: map[ledger.ID]*uses{}, owners: map[ownerKey]taggedOwner{},
	}
	c.Delivery(ledger.ID{})
	return c
}

// Delivery sets the delivery of the charges that Observe and Cut get next.
func (c *Cutter) Delivery(id ledger.ID) {
	c.current = c.uses[id]
	if c.current == nil {
		c.current = &uses{}
		c.uses[id] = c.current
	}
}

// Digest is a digest of everything outside the delivery that its cut depended on; see Fleet.Current. others names the
// other deliveries that were observed and contains no colon. It must follow Observe of every charge.
func (c *Cutter) Digest(delivery ledger.ID, others string) (string, error) {
	if err := c.finish(); err != nil {
		return "", err
	}
	u := c.uses[delivery]
	if u == nil {
		u = &uses{}
	}
	return c.fleet.digest(*u, others), nil
}

func (c *Cutter) dependOnLives(window period.Interval) {
	c.current.lives = widen(c.current.lives, window)
}

// Observe records one charge of the bill, in any order.
func (c *Cutter) Observe(ch *ledger.Charge) {
	switch kind := ch.Kind; {
	case kind == ledger.LineSplit:
	case ch.Aggregate != nil:
		c.observePlain(ch)
	case c.taxOfMachine(ch):
		c.observeTax(ch)
	case kind == ledger.LineInvoice:
		c.current.others = true
		c.ownerOf(nil, ch)
	case kind == ledger.LineNegation:
		c.observeNegation(ch) // counts on the side of its target, known after all lines
		c.ownerOf(nil, ch)
	case kind == ledger.LineCommitmentFee:
		c.observeFee(ch)
		c.ownerOf(nil, ch)
	case kind == ledger.LinePrepaid:
		c.bases.count(baseKeyOf(ch), false, amount(ch.Billed))
		c.observePrepaid(ch)
		c.ownerOf(nil, ch)
	case unplaced(ch):
		c.observeDiscount(ch)
	default:
		c.observePlain(ch)
	}
}

func (c *Cutter) observePlain(ch *ledger.Charge) {
	t := c.classify(ch)
	c.observeTime(ch, t)
	if n := ch.Period.Seconds(); t.node != nil && n > period.Hour && n <= longest {
		c.dependOnLives(ch.Period)
	}
	if ch.Aggregate == nil {
		if ch.Kind == ledger.LineCoveredUsage {
			c.observeCovered(ch, t)
			c.observePaid(ch, t)
		}
		if ch.CommitmentCredit != nil && ch.CommitmentCredit.Sign() > 0 {
			c.observeCredit(ch, t)
		}
	}
	key := baseKeyOf(ch)
	c.bases.count(key, t.ofFleet(), amount(ch.Billed))
	if billsTime(ch) && ofItself(ch) {
		c.used[key.ofAccount()] = true
	}
	switch {
	case !t.slots():
		c.ownerOf(t.node, ch)
	case ch.Allocated:
		for _, n := range t.nodes() {
			c.ownerOf(n, ch)
		}
	}
}

// Cut returns the parts of a charge, numbered from 0; a provider's own split
// of another line has none. It must follow Observe of every charge.
func (c *Cutter) Cut(ch *ledger.Charge) ([]ledger.Part, error) {
	err := c.finish()
	var parts []ledger.Part
	if err == nil {
		parts, err = c.cut(ch)
	}
	if err != nil {
		return nil, fmt.Errorf("cut charge %s (%s line %d): %w", ch.ID, ch.SourceFile, ch.Line, err)
	}
	charge := ch.ID.String()
	for i := range parts {
		p := &parts[i]
		p.Number = i
		p.ID = ledger.NewID("part", charge, strconv.Itoa(i))
		p.ChargeID, p.Currency, p.BillingAccount = ch.ID, ch.Currency, ch.BillingAccount
		if p.Quality == "" {
			p.Quality = ledger.Measured
		}
		if p.PostingKind == "" {
			p.PostingKind = ledger.Direct
		}
	}
	return parts, nil
}

func (c *Cutter) cut(ch *ledger.Charge) ([]ledger.Part, error) {
	if ch.Aggregate != nil && ch.Kind != ledger.LineSplit {
		return c.cutPlain(ch)
	}
	switch ch.Kind {
	case ledger.LineSplit:
		return nil, nil
	case ledger.LineNegation:
		return c.cutNegation(ch)
	case ledger.LineCommitmentFee:
		return c.cutFee(ch)
	case ledger.LinePrepaid:
		return c.cutPrepaid(ch)
	case ledger.LineInvoice:
		if c.taxOfMachine(ch) {
			return c.cutPlain(ch)
		}
		return c.cutInvoice(ch)
	case ledger.LineUsage, ledger.LineCoveredUsage, ledger.LineDiscount, ledger.LineOther:
		if unplaced(ch) {
			return c.cutDiscount(ch)
		}
		return c.cutPlain(ch)
	}
	return nil, fmt.Errorf("line kind %q has no rule: the source's parser must map it", ch.Kind)
}

func (c *Cutter) cutPlain(ch *ledger.Charge) ([]ledger.Part, error) {
	t := c.classify(ch)
	places := c.places(ch.Period, t)
	parts, err := spread(ch.Costs, places)
	if err != nil {
		return nil, err
	}
	if t.slots() {
		if ch.Allocated { // the owner of its unheld time
			for i := range parts {
				parts[i].OwnerID = c.ownerOf(places[i].node, ch)
			}
		}
		return parts, c.seconds(ch, t, parts, places)
	}
	c.own(parts, t.node, ch)
	return parts, nil
}

// finish settles, once, everything that depends on all charges.
func (c *Cutter) finish() error {
	if c.ready {
		return nil
	}
	c.ready = true
	c.corrected.finish()
	if err := c.finishNegations(); err != nil {
		return err
	}
	if err := c.finishPrepaid(); err != nil {
		return err
	}
	if err := c.finishFees(); err != nil {
		return err
	}
	return c.finishBases()
}

// seconds puts the billed instance time on compute parts, cut like the money: no machine is billed for longer than the
// length of the line (rule 8.1).
func (c *Cutter) seconds(ch *ledger.Charge, t target, parts []ledger.Part, places []place) error {
	total, said := timeOf(ch, t)
	if !said {
		return nil
	}
	if max(total, -total) > ledger.MaxInstanceSeconds {
		return fmt.Errorf("%d seconds of instance time: at most %d are possible; correct the line and deliver the bill again",
			total, int64(ledger.MaxInstanceSeconds))
	}
	total = c.corrected.ownTime(ch, t, within(ch, t, total))
	shares, err := money.SplitUint(money.FromUnits(total), weights(places))
	if err != nil {
		return err
	}
	for i := range parts {
		units, _ := shares[i].Units() // below MaxInstanceSeconds
		parts[i].UsageSeconds = &units
	}
	return nil
}
