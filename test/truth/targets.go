package truth

import (
	"cmp"
	"math/big"
	"slices"
)

// Target is rule 23.2: one day of a target.
type Target struct {
	Day                             int64
	Target, Subject, Unit, Currency string
	Numerator, Denominator          *big.Rat
	Value, Before, Change           *big.Rat // nil: the divisor is zero
	Status                          string
	Since                           int64
	Steps                           int64
}

type targetKey struct {
	day                             int64
	target, subject, unit, currency string
}

// targetDays adds up each day.
type targetDays struct {
	sums map[targetKey]*Target
}

func newTargetDays() *targetDays { return &targetDays{map[targetKey]*Target{}} }

func (d *targetDays) add(k targetKey, numerator, denominator *big.Rat, steps int64) {
	t := d.sums[k]
	if t == nil {
		t = &Target{
			Day: k.day, Target: k.target, Subject: k.subject, Unit: k.unit,
			Currency: k.currency, Numerator: new(big.Rat), Denominator: new(big.Rat),
		}
		d.sums[k] = t
	}
	t.Numerator.Add(t.Numerator, numerator)
	t.Denominator.Add(t.Denominator, denominator)
	t.Steps += steps
}

// of adds the days of a cluster.
func (d *targetDays) of(t *truth, served []Inference) {
	kinds := map[string]string{}
	for i := range t.out.Runs {
		kinds[t.out.Runs[i].ID] = t.out.Runs[i].Kind
	}
	spot := map[string]bool{}
	for _, n := range t.World.Nodes {
		spot[n.InstanceID] = t.PriceClass(n) == "spot"
	}
	zero := new(big.Rat)
	for i := range t.out.Usage {
		u := &t.out.Usage[i]
		day := u.Hour / 86400 * 86400
		if u.Activity != "unknown" && u.GPUHours.Sign() > 0 {
			d.add(targetKey{day: day, target: "utilisation"}, u.ActiveGPUHours, u.GPUHours, 1)
		}
		idle := zero
		switch u.Cause {
		case "held_idle", "free", "stranded", "unavailable":
			idle = u.CapacityGPUHours
		}
		if u.Cause != "unobserved" || u.GPUHours.Sign() > 0 { // held, or observed
			d.add(targetKey{day: day, target: "idle_share"}, idle, u.CapacityGPUHours, 1)
		}
		if k := kinds[u.RunID]; k == "training" || k == "fine_tuning" {
			adopted := zero
			if spot[u.Instance] {
				adopted = u.GPUHours
			}
			d.add(targetKey{day: day, target: "spot_adoption"}, adopted, u.GPUHours, 1)
		}
	}
	d.units(served)
}

// units are the models' cost and token counts on a day, or their requests if no tokens are counted.
func (d *targetDays) units(served []Inference) {
	type dayModel struct {
		day             int64
		model, currency string
	}
	type service struct {
		dayModel
		cluster, ns, name string
	}
	type sum struct {
		cost, units *big.Rat
		steps       int64
	}
	tokens, requests := map[dayModel]*sum{}, map[dayModel]*sum{}
	counts := map[service][2]bool{}
	at := func(s *Inference) service {
		return service{dayModel{s.Day, s.Model, ""}, s.Cluster, s.Namespace, s.Service}
	}
	for i := range served {
		s := &served[i]
		c := counts[at(s)]
		counts[at(s)] = [2]bool{c[0] || s.PromptTokens != nil, c[1] || s.Requests != nil}
	}
	for i := range served {
		s := &served[i]
		k := dayModel{s.Day, s.Model, s.Currency}
		for n, to := range []map[dayModel]*sum{tokens, requests} {
			if to[k] == nil {
				to[k] = &sum{cost: new(big.Rat), units: new(big.Rat)}
			}
			if counts[at(s)][n] {
				to[k].cost.Add(to[k].cost, s.Effective)
				to[k].steps += s.Rows
			}
		}
		if s.PromptTokens != nil {
			tokens[k].units.Add(tokens[k].units, big.NewRat(*s.PromptTokens+*s.GeneratedTokens, 1_000_000))
		}
		if s.Requests != nil {
			requests[k].units.Add(requests[k].units, big.NewRat(*s.Requests, 1000))
		}
	}
	for k := range requests {
		if k.currency == "" {
			continue
		}
		if s := tokens[k]; s.units.Sign() > 0 {
			d.add(targetKey{k.day, "unit_cost", k.model, "1M tokens", k.currency}, s.cost, s.units, s.steps)
		} else if s := requests[k]; s.units.Sign() > 0 {
			d.add(targetKey{k.day, "unit_cost", k.model, "1k requests", k.currency}, s.cost, s.units, s.steps)
		}
	}
}

// judged compares each day with its target and with the four weeks before.
func (d *targetDays) judged() []Target {
	var out []Target
	for _, t := range d.sums {
		if t.Denominator.Sign() > 0 {
			out = append(out, *t)
		}
	}
	slices.SortFunc(out, func(a, b Target) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Unit, b.Unit),
			cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Day, b.Day))
	})
	for i := range out {
		t := &out[i]
		t.Value = new(big.Rat).Quo(t.Numerator, t.Denominator)
		cost, units := new(big.Rat), new(big.Rat)
		begin := i
		for begin > 0 && out[begin-1].Target == t.Target && out[begin-1].Subject == t.Subject &&
			out[begin-1].Unit == t.Unit && out[begin-1].Currency == t.Currency {
			begin--
			if o := &out[begin]; o.Day >= t.Day-28*86400 {
				cost.Add(cost, o.Numerator)
				units.Add(units, o.Denominator)
			}
		}
		if units.Sign() > 0 {
			t.Before = cost.Quo(cost, units)
			if t.Before.Sign() != 0 {
				t.Change = new(big.Rat).Quo(t.Value, t.Before)
				t.Change.Sub(t.Change, big.NewRat(1, 1))
			}
		}
		t.Status, t.Since = t.judge(), t.Day
		if begin < i && out[i-1].Status == t.Status {
			t.Since = out[i-1].Since
		}
	}
	return out
}

func (t *Target) judge() string {
	percent := func(v *big.Rat, n int64) int { return v.Cmp(big.NewRat(n, 100)) }
	switch t.Target {
	case "utilisation":
		switch {
		case percent(t.Value, 40) < 0:
			return "act"
		case percent(t.Value, 60) < 0 || percent(t.Value, 85) > 0:
			return "watch"
		}
	case "idle_share":
		switch {
		case percent(t.Value, 20) > 0:
			return "act"
		case percent(t.Value, 10) > 0:
			return "watch"
		}
	case "spot_adoption":
		switch {
		case percent(t.Value, 30) < 0:
			return "act"
		case percent(t.Value, 50) < 0:
			return "watch"
		}
	case "unit_cost":
		switch {
		case t.Change == nil:
			return "unknown"
		case percent(t.Change, 20) > 0:
			return "act"
		}
	}
	return "good"
}
