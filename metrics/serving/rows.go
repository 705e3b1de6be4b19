package serving

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Row is the share of one model, server and tenant in a workload's cost in an hour, in one currency and state.
type Row struct {
	Hour                                period.Second
	Workload                            ledger.ID
	Service, Replica                    string
	Model, Server, Tenant               string
	Version                             string // quantisation in the served name
	Currency, State                     string // empty currency: no bill for the hour
	Effective, Billed, List, Contracted *money.Amount
	ByCause                             map[ledger.Cause]money.Amount // of effective, known ones
	Input, Output                       *money.Amount
	Basis                               Basis
	// CountsTokens and CountsRequests: they are counted for this service and model on this day.
	CountsTokens, CountsRequests bool
	// Held and the counts are on one row of the workload's hour and model, with the currency and state of most billed
	// GPU-hours.
	Held   *Quantities
	Served *Counted
	// Activity are the minutes of held time, packed (internal/sketch); on the same row as Held.
	Activity []int64
}

// Quantities are a share of a workload's held quantities in an hour.
type Quantities struct {
	GPUHours, UsedGPUHours, ActiveGPUHours money.Amount
	ReplicaHours                           money.Amount // a replica of several pods counts once
	HeldMinutes, SeenMinutes               money.Amount // of its replicas: held, and with a sample
}

// heldCauses are the causes of a workload's cost, in the order of the ledger.
var heldCauses = []ledger.Cause{
	ledger.Used, ledger.HeldIdle, ledger.Overhead, ledger.Lost, ledger.Unobserved, ledger.Host, ledger.Metered,
}

// HeldCauses lists the causes of a workload's cost.
func HeldCauses() []ledger.Cause { return slices.Clone(heldCauses) }

// Rows divides the cost of the day's workloads between the models that they served. Rows are ordered by hour, workload,
// model, server, tenant, version, currency, state.
func (d *Day) Rows() ([]Row, error) {
	hourly, daily := d.chooseAll()
	counts := map[serviceModel][2]bool{}
	for at, list := range hourly {
		s := d.replicas[at.replica].service()
		for _, one := range list {
			k := serviceModel{s, one.model}
			good, _ := one.tally.requests()
			have := counts[k]
			counts[k] = [2]bool{have[0] || one.tally.tokens(), have[1] || good != nil}
		}
	}
	var rows []Row
	for i := range d.replicas {
		r := &d.replicas[i]
		for hour, held := range r.Hours {
			at := replicaHour{i, hour}
			if r.Service == "" && len(hourly[at]) == 0 {
				continue // another class without serving
			}
			parts := d.parts(at, hourly, daily)
			more, err := d.divideHour(at, held, parts)
			if err != nil {
				return nil, fmt.Errorf("workload %s/%s in %s: %w", r.Namespace, r.Name, r.Cluster, err)
			}
			for j := range more {
				c := counts[serviceModel{r.service(), more[j].Model}]
				more[j].CountsTokens, more[j].CountsRequests = c[0], c[1]
			}
			rows = append(rows, more...)
		}
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Hour, b.Hour), cmp.Compare(a.Workload.String(), b.Workload.String()),
			key{a.Model, a.Server, a.Tenant, a.Version}.compare(key{b.Model, b.Server, b.Tenant, b.Version}),
			cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.State, b.State))
	})
	return rows, nil
}

type serviceHour struct {
	service
	hour period.Second // 0: the whole day
}

type serviceModel struct {
	service
	model string
}

// chooseAll picks the layer of every service and hour, and adds up the counts of services in the hour and in the day.
func (d *Day) chooseAll() (hourly map[replicaHour][]series, ofService map[serviceHour][]series) {
	layers := map[serviceHour]layer{}
	for at, list := range d.series {
		k := serviceHour{d.replicas[at.replica].service(), at.hour}
		for i := range list {
			if have, ok := layers[k]; list[i].traffic && (!ok || list[i].layer < have) {
				layers[k] = list[i].layer
			}
		}
	}
	hourly, ofService = map[replicaHour][]series{}, map[serviceHour][]series{}
	named := d.namedOn()
	for at, list := range d.series {
		s := d.replicas[at.replica].service()
		l, ok := layers[serviceHour{s, at.hour}]
		if !ok {
			continue
		}
		if list = chosen(called(list, named[at.replica]), l); len(list) == 0 {
			continue
		}
		hourly[at] = list
		for _, k := range []serviceHour{{s, at.hour}, {s, 0}} {
			ofService[k] = merged(ofService[k], list)
		}
	}
	return hourly, ofService
}

// merged adds copies of other counts.
func merged(into, list []series) []series {
	for _, s := range list {
		i := slices.IndexFunc(into, func(have series) bool {
			return have.model == s.model && have.server == s.server && have.tenant == s.tenant && have.version == s.version
		})
		if i < 0 {
			i = len(into)
			sum := s
			sum.tally = &tally{}
			into = append(into, sum)
		}
		into[i].tally.add(s.tally)
	}
	return into
}

// parts are the parts of a workload's hour: by its own counts, else its service's in the hour, else in the day, else
// its owner's model.
func (d *Day) parts(at replicaHour, hourly map[replicaHour][]series, ofService map[serviceHour][]series) []part {
	r := &d.replicas[at.replica]
	own := true
	list := hourly[at]
	for _, k := range []serviceHour{{r.service(), at.hour}, {r.service(), 0}} {
		if len(list) == 0 {
			list, own = ofService[k], false
		}
	}
	parts := partsOf(list)
	if len(parts) == 0 {
		return []part{{key: key{model: r.OwnerModel}, weight: big.NewInt(1)}}
	}
	weigh(parts, r.Policy.OutputWeight)
	for i := range parts {
		parts[i].own = own
	}
	return parts
}

// divideHour divides one workload's hour.
func (d *Day) divideHour(at replicaHour, held *Held, parts []part) ([]Row, error) {
	r := &d.replicas[at.replica]
	sums := slices.Clone(held.Money)
	if len(sums) == 0 {
		sums = []Money{{State: string(ledger.Provisional)}}
	}
	slices.SortFunc(sums, func(a, b Money) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.State, b.State))
	})
	rides := 0
	for i := range sums {
		if sums[i].GPUHours.Cmp(sums[rides].GPUHours) > 0 {
			rides = i
		}
	}
	quantities, err := d.quantities(at, held, parts)
	if err != nil {
		return nil, err
	}
	activity := divideActivity(held.Activity, parts)
	var rows []Row
	for i := range sums {
		first := len(rows)
		for j := range parts {
			rows = append(rows, Row{Hour: at.hour, Workload: r.ID, Service: r.service().name, Replica: r.replica(),
				Model: parts[j].model, Server: parts[j].server,
				Tenant: parts[j].tenant, Version: parts[j].version, Currency: sums[i].Currency,
				State: sums[i].State, ByCause: map[ledger.Cause]money.Amount{}})
		}
		mine := rows[first:]
		for _, c := range sums[i].Causes {
			if err := divideCause(c, parts, mine); err != nil {
				return nil, err
			}
		}
		for j := range parts {
			input, basis := parts[j].tally.inputShare(r.Policy.OutputWeight)
			mine[j].Input, mine[j].Output = cut(mine[j].Effective, input)
			mine[j].Basis = basis
			if i == rides {
				mine[j].Held, mine[j].Activity = quantities[j], activity[j]
				if parts[j].own {
					counted := parts[j].tally.counted()
					mine[j].Served = &counted
				}
			}
		}
	}
	return rows, nil
}

// divideCause adds the cost of one cause to the rows of the parts.
func divideCause(c CauseCost, parts []part, rows []Row) error {
	effective, err := divide(c.Effective, parts)
	if err != nil {
		return err
	}
	for i, share := range effective {
		if share != nil {
			rows[i].ByCause[c.Cause] = rows[i].ByCause[c.Cause].Add(*share)
			rows[i].Effective = plus(rows[i].Effective, *share)
		}
	}
	for _, of := range []struct {
		amount *money.Amount
		into   func(*Row) **money.Amount
	}{
		{c.Billed, func(r *Row) **money.Amount { return &r.Billed }},
		{c.List, func(r *Row) **money.Amount { return &r.List }},
		{c.Contracted, func(r *Row) **money.Amount { return &r.Contracted }},
	} {
		shares, err := divide(of.amount, parts)
		if err != nil {
			return err
		}
		for i, share := range shares {
			if share != nil {
				to := of.into(&rows[i])
				*to = plus(*to, *share)
			}
		}
	}
	return nil
}

// plus adds to an amount that may be unknown.
func plus(a *money.Amount, b money.Amount) *money.Amount {
	if a != nil {
		b = b.Add(*a)
	}
	return &b
}

// quantities divides a workload's held quantities in an hour; nils if it held nothing.
func (d *Day) quantities(at replicaHour, held *Held, parts []part) ([]*Quantities, error) {
	out := make([]*Quantities, len(parts))
	if !held.Held {
		return out, nil
	}
	r := &d.replicas[at.replica]
	pods := int64(0)
	var seen uint64
	for _, i := range d.units[unit{r.service(), r.replica()}] {
		if h := d.replicas[i].Hours[at.hour]; h != nil && h.Held {
			pods++
		}
		seen |= d.seen[replicaHour{i, at.hour}]
	}
	minutesHeld := heldMinutes(r.Hold, at.hour)
	hour := period.Interval{From: max(at.hour, r.Hold.From), To: min(at.hour+period.Hour, r.Hold.To)}
	one := money.MustParse("1")
	per := func(n, d int64) *money.Amount {
		a := one.MulRat(big.NewRat(n, d*pods))
		return &a
	}
	for i := range out {
		out[i] = &Quantities{}
	}
	for _, of := range []struct {
		amount *money.Amount
		into   func(*Quantities) *money.Amount
	}{
		{&held.GPUHours, func(q *Quantities) *money.Amount { return &q.GPUHours }},
		{&held.UsedGPUHours, func(q *Quantities) *money.Amount { return &q.UsedGPUHours }},
		{&held.ActiveGPUHours, func(q *Quantities) *money.Amount { return &q.ActiveGPUHours }},
		{per(max(0, int64(hour.To-hour.From)), 3600), func(q *Quantities) *money.Amount { return &q.ReplicaHours }},
		{per(int64(bits.OnesCount64(minutesHeld)), 1), func(q *Quantities) *money.Amount { return &q.HeldMinutes }},
		{per(int64(bits.OnesCount64(minutesHeld&seen)), 1), func(q *Quantities) *money.Amount { return &q.SeenMinutes }},
	} {
		shares, err := divide(of.amount, parts)
		if err != nil {
			return nil, err
		}
		for i, share := range shares {
			*of.into(out[i]) = *share
		}
	}
	return out, nil
}
