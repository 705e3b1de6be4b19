package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim/world"
)

// Model is rule 15.7 for one model and currency.
type Model struct {
	Sum
	Life                                  map[string]*big.Rat // training, fine_tuning, evaluation, serving, other
	Answered                              *big.Rat            // cost of services by the answering model
	Runs, Completed, Training             map[string]bool     // ids
	Requests, PromptTokens, GeneratedToks *int64              // nil: not counted
}

// model finds or makes the row of a model.
func (l *livesTruth) model(name, currency string) *Model {
	k := [2]string{name, currency}
	if l.all.Models[k] == nil {
		m := &Model{
			Sum: newSum(), Answered: new(big.Rat), Life: map[string]*big.Rat{},
			Runs: map[string]bool{}, Completed: map[string]bool{}, Training: map[string]bool{},
		}
		for _, life := range []string{"training", "fine_tuning", "evaluation", "serving", "other"} {
			m.Life[life] = new(big.Rat)
		}
		l.all.Models[k] = m
	}
	return l.all.Models[k]
}

// models sums costs whose pod names a model, and those of services' answers by the answering model.
func (l *livesTruth) models(served []Inference) {
	for i := range l.out.Postings {
		p := &l.out.Postings[i]
		h := l.byUID[p.PodUID]
		if h == nil {
			continue
		}
		name := world.FirstLabel(h.p.Labels, "label_model")
		if name != "" {
			l.life(l.model(name, l.currencyOf(p)), h, p)
		}
		if h.p.RootKind != "Deployment" || p.Effective == nil {
			continue
		}
		for _, a := range l.answered[podAt{p.PodUID, p.Hour}] {
			who := a.model
			if !l.known[who] {
				who = name
			}
			if who != "" {
				m := l.model(who, l.currencyOf(p))
				m.Answered.Add(m.Answered, new(big.Rat).Mul(p.Effective, a.share))
				m.Steps++
			}
		}
	}
	service := map[[2]string]string{}
	for _, p := range l.World.Pods {
		if v := world.FirstLabel(p.Labels, "label_model"); v != "" && p.Scheduled < l.World.To {
			service[[2]string{p.NS, p.RootName}] = v
		}
	}
	for i := range served {
		s := &served[i]
		name := s.Model
		if !l.known[name] {
			name = service[[2]string{s.Namespace, s.Service}]
		}
		if name == "" {
			continue
		}
		m := l.model(name, s.Currency)
		for _, p := range []struct {
			to   **int64
			more *int64
		}{{&m.Requests, s.Requests}, {&m.PromptTokens, s.PromptTokens}, {&m.GeneratedToks, s.GeneratedTokens}} {
			if p.more == nil {
				continue
			}
			if *p.to == nil {
				*p.to = new(int64)
			}
			**p.to += *p.more
		}
	}
}

// WholeLife is the cost of its life, with the cost of its answers in place of the services labelled with it; nil:
// unknown.
func (m *Model) WholeLife() *big.Rat {
	if m.Effective == nil && m.Answered.Sign() == 0 {
		return nil
	}
	sum := new(big.Rat).Set(m.Answered)
	for life, cost := range m.Life {
		if life != "serving" {
			sum.Add(sum, cost)
		}
	}
	return sum
}

// life adds a posting to a model's cost.
func (l *livesTruth) life(m *Model, h *heldPod, p *Posting) {
	m.add(p)
	life := "other"
	if r := l.runs[p.RunID]; r != nil {
		m.Runs[r.ID] = true
		if r.Status == "succeeded" {
			m.Completed[r.ID] = true
		}
		switch r.Kind {
		case "training", "fine_tuning":
			m.Training[r.ID] = true
			life = r.Kind
		case "evaluation":
			life = r.Kind
		}
	} else if h.p.RootKind == "Deployment" {
		life = "serving"
	}
	if p.Effective != nil {
		m.Life[life].Add(m.Life[life], p.Effective)
	}
}

// currencyOf is the bill's, for provisional postings their rate's; empty if there is no money.
func (l *livesTruth) currencyOf(p *Posting) string {
	switch {
	case p.Currency != "":
		return p.Currency
	case p.Effective == nil && !p.unbilled():
		return ""
	}
	return l.Site.Currency
}

// unbilled reports whether the posting is for time that the bill leaves out: it has no cost, in the currency that it
// would have had (docs/rules.md 8.14).
func (p *Posting) unbilled() bool {
	return p.Part == "provisional" && p.Effective == nil && p.InstanceType == ""
}
