package folder

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/ingest/pricebook"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
)

// Issued is when a book was issued: its issued_at, else the time at which it is applied, which is after the stored issue.
func (b *Book) Issued(at period.Second) period.Second {
	if b.Owned.IssuedAt != nil {
		return *b.Owned.IssuedAt
	}
	return max(at, b.after+1)
}

// Older is the fault of a book whose issue is not newer than the stored one.
func (b *Book) Older() Fault {
	return Fault{b.issuedAt, fmt.Sprintf("issued_at: an issue of price book %s that is as new or newer is stored, with "+
		"another content: write a later issued_at, or leave it out, which means the time of apply", b.Name)}
}

// owned lists how the machines of a book differ from those of the stored one, and whether one is stored. Other content
// is another issue.
func (c *comparison) owned(b Book) (fields []policy.Difference, known bool) {
	if b.Owned == nil {
		return nil, false
	}
	stored := StoredBook{}
	for _, o := range c.state.Books {
		if o.Name == b.Name {
			stored, known = o, true
		}
	}
	before, after := machinesOf(stored.Document), machinesOf(b.Owned.Text)
	for _, name := range slices.Sorted(maps.Keys(union(before, after))) {
		if before[name] != after[name] {
			fields = append(fields, policy.Difference{Name: name, From: before[name], To: after[name]})
		}
	}
	if len(fields) == 0 {
		return nil, known
	}
	at := b.Owned.IssuedAt
	if known && at != nil && stored.Newest != nil && stored.Document != "" && *at <= *stored.Newest {
		c.faults = append(c.faults, b.Older())
	}
	if stored.Newest != nil {
		b.after = *stored.Newest
	}
	c.plan.Owned = append(c.plan.Owned, b)
	return fields, known
}

// machinesOf is the content of a price book apart from its rates, as texts by path; entries of a list have their names
// in it, so that their order is no difference.
func machinesOf(document string) map[string]string {
	out := map[string]string{}
	fields, ok := content(document)
	if !ok {
		return out
	}
	delete(fields, "rates")
	flatten(out, "", fields)
	return out
}

func flatten(out map[string]string, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			flatten(out, strings.TrimPrefix(path+"."+name, "."), inner)
		}
	case []any:
		taken := map[string]int{}
		for i, item := range v {
			label := strconv.Itoa(i + 1)
			if fields, is := item.(map[string]any); is {
				if name, named := fields["name"].(string); named {
					label = name
				}
			}
			if taken[label]++; taken[label] > 1 {
				label = fmt.Sprintf("%s#%d", label, taken[label])
			}
			flatten(out, path+"."+label, item)
		}
	case string:
		out[path] = v
	}
}

func union(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// exportOwned adds a file per price book with machines, as written, and returns the rates that are in none of them.
func exportOwned(out map[string]string, s *State) (rest []ledger.Rate, err error) {
	var written []ledger.Rate
	for _, b := range s.Books {
		if b.Document == "" {
			continue
		}
		text, err := withKind(KindPriceBook, b.Document)
		if err != nil {
			return nil, fmt.Errorf("price book %s: %w", b.Name, err)
		}
		book, _, err := pricebook.Parse(strings.NewReader(b.Document), b.Name)
		if err != nil {
			return nil, fmt.Errorf("price book %s: %w", b.Name, err)
		}
		out[fileName(out, KindPriceBook, b.Name)] = text
		written = append(written, book.Rates...)
	}
	for i := range s.Rates {
		r := &s.Rates[i]
		if !slices.ContainsFunc(written, func(o ledger.Rate) bool {
			return pricedOf(&o) == pricedOf(r) && o.Hourly.Cmp(r.Hourly) == 0 && when(&o) == when(r)
		}) {
			rest = append(rest, *r)
		}
	}
	return rest, nil
}

// Untold lists stored price books without a text, which an export cannot write.
func (s *State) Untold() (names []string) {
	for _, b := range s.Books {
		if b.Document == "" {
			names = append(names, b.Name)
		}
	}
	return names
}

// Proposal is the plan as a trial computes it: the rules, prices and bills as they are once it is stored.
func (p *Plan) Proposal(at period.Second, energy pricebook.Energy) (*posting.Proposal, error) {
	out := &posting.Proposal{Book: p.Book}
	if len(p.Owned) == 0 { // prices alone move nothing between owners
		return out, nil
	}
	out.Rates = p.Rates
	for i := range p.Owned {
		bill, err := billOf(&p.Owned[i], at, energy)
		if err != nil {
			return nil, fmt.Errorf("price book %s: %w", p.Owned[i].Name, err)
		}
		out.Bills = append(out.Bills, *bill)
	}
	return out, nil
}

// billOf is the bill of a price book. Its lines are written here once, for the digests of the deliveries and the end of
// each machine, and by the trial again.
func billOf(b *Book, at period.Second, energy pricebook.Energy) (*posting.Bill, error) {
	book := b.Owned
	out := &posting.Bill{Account: book.Name, Provider: pricebook.Provider, Months: book.Months,
		Covered: map[string]period.Second{}}
	machines := map[string]*posting.BilledInstance{}
	issued := b.Issued(at)
	for _, s := range book.Slots() {
		err := s.Write(energy, func(charges []ledger.Charge) error {
			for i := range charges {
				note(machines, &charges[i])
				out.Covered[charges[i].Account] = max(out.Covered[charges[i].Account], charges[i].Period.To)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		d, err := s.Finish(&issued, int64(len(book.Text)))
		if err != nil {
			return nil, err
		}
		fresh := posting.NewDelivery{BookDelivery: posting.BookDelivery{ID: d.ID, BillingPeriod: s.Month, Scope: d.Scope},
			Charges: chargesOf(s, energy)}
		for _, t := range d.Totals {
			key := posting.BookKey{Account: t.Account, BillingPeriod: t.BillingPeriod, Currency: t.Currency}
			if !slices.Contains(fresh.Keys, key) {
				fresh.Keys = append(fresh.Keys, key)
			}
		}
		out.Deliveries = append(out.Deliveries, fresh)
	}
	for _, id := range slices.Sorted(maps.Keys(machines)) {
		out.Billed = append(out.Billed, *machines[id])
	}
	return out, nil
}

// note adds a line to what the bill says of its machine: the values of the newest hour, and the time of all.
func note(machines map[string]*posting.BilledInstance, c *ledger.Charge) {
	m := machines[c.InstanceID]
	if m == nil {
		m = &posting.BilledInstance{InstanceID: c.InstanceID, Period: c.Period}
		machines[c.InstanceID] = m
	}
	m.Period.From = min(m.Period.From, c.Period.From)
	if c.Period.To < m.Period.To {
		return
	}
	m.Period.To = c.Period.To
	m.Line, m.InstanceType, m.Region, m.Zone, m.PriceClass = c.ID, c.InstanceType, c.Region, c.Zone, c.PriceClass
	m.Account, m.Tags, m.Currency = c.Account, c.Tags, c.Currency
	m.Effective, m.Seconds, m.UsageAmount = c.Effective, c.InstanceSeconds, c.UsageAmount
}

// chargesOf are the lines of a month, written while they are read.
func chargesOf(s *pricebook.Slot, energy pricebook.Energy) iter.Seq2[*ledger.Charge, error] {
	return func(yield func(*ledger.Charge, error) bool) {
		err := s.Write(energy, func(charges []ledger.Charge) error {
			for i := range charges {
				if !yield(&charges[i], nil) {
					return errEnough
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

// errEnough ends a reading whose caller has enough.
var errEnough = errors.New("enough")
