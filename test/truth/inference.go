package truth

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// Inference is the use and the cost of one model of a service on a UTC day in one currency (docs/figures.md, section
// 16). Counts are nil if they are not counted; they are on the row of the only currency that the services of the
// simulator are billed in.
type Inference struct {
	InferenceKey
	Requests, Failed, Inferences                *int64
	PromptTokens, CachedTokens, GeneratedTokens *int64
	Effective, Idle, Startup, Input, Output     *big.Rat
	GPUHours, ReplicaHours                      *big.Rat
	HeldMinutes, SeenMinutes                    *big.Rat
	Rows                                        int64 // of hours and workloads: steps of rounding
	Latency, TTFT, Queue                        Buckets
}

// InferenceKey names a row.
type InferenceKey struct {
	Day                         int64
	Cluster, Namespace, Service string
	Model, Server, Currency     string
}

// Inferences computes section 16 of docs/figures.md from the log of the servers.
func Inferences(f *fleetsim.Fleet) []Inference {
	var out []Inference
	for _, t := range truths(f) {
		out = append(out, t.inference()...)
	}
	return out
}

// outputWeight is the standard policy's.
const outputWeight = 4

// servedModel is a server's counts for one model in an hour; unknown until the counter rose.
type servedModel struct {
	model, server, version       string
	known, tokens, seconds       bool
	requests, failed, inferences int64
	prompt, cached, generated    int64
	prefillMillis, decodeMillis  int64
	latency, ttft, queue         Buckets
}

func (m *servedModel) add(o *servedModel) {
	m.known, m.tokens, m.seconds = m.known || o.known, m.tokens || o.tokens, m.seconds || o.seconds
	for _, p := range [][2]*int64{{&m.requests, &o.requests}, {&m.failed, &o.failed}, {&m.inferences, &o.inferences},
		{&m.prompt, &o.prompt}, {&m.cached, &o.cached},
		{&m.generated, &o.generated}, {&m.prefillMillis, &o.prefillMillis}, {&m.decodeMillis, &o.decodeMillis}} {
		*p[0] += *p[1]
	}
	for _, p := range [][2]*Buckets{{&m.latency, &o.latency}, {&m.ttft, &o.ttft}, {&m.queue, &o.queue}} {
		p[0].All += p[1].All
		for bound, n := range p[1].Below {
			p[0].put(bound, n)
		}
	}
}

// servedHour is the samples of a pod in an hour.
type servedHour struct {
	models  []*servedModel
	minutes int64 // held, with a scrape
}

// rises are the rises of a pod's servers by hour. A series counts from its second scrape on; a restart begins at zero.
func (t *truth) rises(h *heldPod) map[int64]*servedHour {
	p := h.p
	out := map[int64]*servedHour{}
	if !fleetsim.Serves(p) {
		return out
	}
	s := fleetsim.Served(t.World, p, t.World.To)
	newer := p.Started >= t.World.From+(t.World.End-t.World.From)/2
	for i, now := range s.Req {
		at := s.Life + int64(i)*60
		hour := at / 3600 * 3600
		in := out[hour]
		if in == nil {
			in = &servedHour{}
			if p.Model != "" {
				model, version := t.answering(p)
				in.models = append(in.models, &servedModel{model: model, version: version, server: "vllm"})
			}
			for _, m := range p.TritonModels {
				in.models = append(in.models, &servedModel{model: t.behind(m), server: "triton"})
			}
			out[hour] = in
		}
		if minute := at / 60 * 60; minute >= h.from && minute < h.to {
			in.minutes++
		}
		if i == 0 {
			continue
		}
		before := s.Req[i-1]
		if now < before {
			before = 0
		}
		for j, m := range in.models {
			if m.known = true; m.server == "vllm" {
				m.rose(before, now, newer)
			} else {
				m.refusedOrRan(before, now, fleetsim.TritonParts[len(p.TritonModels)][j])
			}
		}
	}
	return out
}

// rose adds the rise of vLLM's counters between two numbers of requests.
func (m *servedModel) rose(before, now int64, newer bool) {
	percent := func(n int64) int64 { return now*n/100 - before*n/100 }
	m.tokens = true
	m.requests += percent(88) + percent(10)
	m.failed += percent(2)
	m.inferences += percent(88) + percent(10)
	m.prompt += (now - before) * 812
	m.cached += (now - before) * 190
	m.generated += (now - before) * 236
	buckets := func(b *Buckets, pairs ...int64) {
		for i := 0; i < len(pairs); i += 2 {
			b.put(pairs[i], percent(pairs[i+1]))
		}
		b.All += percent(100)
	}
	buckets(&m.latency, 1000, 34, 5000, 81, 10_000, 97)
	buckets(&m.ttft, 100, 22, 500, 93, 2500, 99)
	if newer {
		m.seconds = true
		buckets(&m.queue, 50, 61, 500, 95, 2000, 99)
		m.prefillMillis += (now - before) * 113
		m.decodeMillis += (now - before) * 1983
	}
}

// refusedOrRan adds the rise of Triton's counters for a model with a part of the requests.
func (m *servedModel) refusedOrRan(before, now, part int64) {
	of := func(v, percent int64) int64 { return v * part / 100 * percent / 100 }
	ran := of(now, 99) - of(before, 99)
	m.requests += ran
	m.failed += of(now, 1) - of(before, 1)
	m.inferences += 4 * ran
}

// weightsOf are the weights by which the models share a cost: tokens if all count them, else requests, else equal.
func weightsOf(models []*servedModel) []*big.Rat {
	var tokens, requests int64
	var unseen bool // requests of a model without token counts
	for _, m := range models {
		tokens += m.prompt - m.cached + outputWeight*m.generated
		requests += m.requests
		unseen = unseen || !m.tokens && m.requests > 0
	}
	var out []*big.Rat
	for _, m := range models {
		switch {
		case tokens > 0 && !unseen:
			out = append(out, big.NewRat(m.prompt-m.cached+outputWeight*m.generated, tokens))
		case requests > 0:
			out = append(out, big.NewRat(m.requests, requests))
		default:
			out = append(out, big.NewRat(1, int64(len(models))))
		}
	}
	return out
}

// input is the part of a cost for reading prompts.
func (m *servedModel) input() *big.Rat {
	if m.prefillMillis+m.decodeMillis > 0 {
		return big.NewRat(m.prefillMillis, m.prefillMillis+m.decodeMillis)
	}
	if all := m.prompt - m.cached + outputWeight*m.generated; all > 0 {
		return big.NewRat(m.prompt-m.cached, all)
	}
	return big.NewRat(1, 1+outputWeight)
}

// serviceAt is a service in an hour, or with hour 0 on a day.
type serviceAt struct {
	ns, name  string
	day, hour int64
}

// podHour is a pod's hold in an hour, in one currency.
type podHour struct {
	h        *heldPod
	hour     int64
	gpu      *big.Rat
	cost     map[string]map[string]*big.Rat // by currency and cause
	currency string                         // the currency of the row with the quantities
}

// podAt is a pod in an hour.
type podAt struct {
	uid  string
	hour int64
}

// answer is a model's share of a pod's cost in an hour.
type answer struct {
	model string
	share *big.Rat
}

// inference is section 16 for one cluster.
func (t *truth) inference() []Inference {
	shown := map[string]map[int64]*servedHour{}
	sums := map[serviceAt][]*servedModel{}
	for _, h := range t.held {
		if h.p.RootKind != "Deployment" {
			continue
		}
		hours := t.rises(h)
		shown[h.p.UID] = hours
		for hour, in := range hours {
			day := hour / 86400 * 86400
			for _, k := range []serviceAt{{h.p.NS, h.p.RootName, day, hour}, {h.p.NS, h.p.RootName, day, 0}} {
				for _, m := range in.models {
					sums[k] = summed(sums[k], m)
				}
			}
		}
	}
	rows := map[InferenceKey]*Inference{}
	t.answered = map[podAt][]answer{}
	for _, ph := range t.podHours() {
		p, day := ph.h.p, ph.hour/86400*86400
		own := shown[p.UID][ph.hour]
		models := sums[serviceAt{p.NS, p.RootName, day, ph.hour}]
		switch {
		case own != nil:
			models = own.models
		case len(models) == 0:
			models = sums[serviceAt{p.NS, p.RootName, day, 0}]
		}
		if len(models) == 0 {
			models = []*servedModel{{model: world.FirstLabel(p.Labels, "label_model")}}
		}
		for i, share := range weightsOf(models) {
			at := podAt{p.UID, ph.hour}
			t.answered[at] = append(t.answered[at], answer{models[i].model, share})
			for currency, causes := range ph.cost {
				row := rowOf(rows, t, day, p, models[i], currency)
				row.charge(causes, share, models[i].input())
			}
			row := rowOf(rows, t, day, p, models[i], ph.currency)
			row.hold(ph, share, own)
			if own != nil && models[i].known {
				row.count(models[i])
			}
		}
	}
	out := make([]Inference, 0, len(rows))
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Inference) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), strings.Compare(a.Namespace, b.Namespace),
			strings.Compare(a.Service, b.Service), strings.Compare(a.Model, b.Model), strings.Compare(a.Currency, b.Currency))
	})
	return out
}

// summed adds a model to the sums of its service.
func summed(list []*servedModel, m *servedModel) []*servedModel {
	i := slices.IndexFunc(list, func(have *servedModel) bool {
		return have.model == m.model && have.server == m.server && have.version == m.version
	})
	if i < 0 {
		i = len(list)
		list = append(list, &servedModel{model: m.model, server: m.server, version: m.version})
	}
	list[i].add(m)
	return list
}

// podHours are the hours in which services held GPU time, with their cost.
func (t *truth) podHours() []*podHour {
	byUID := map[string]*heldPod{}
	for _, h := range t.held {
		if h.p.RootKind == "Deployment" {
			byUID[h.p.UID] = h
		}
	}
	at := map[string]*podHour{}
	var list []*podHour
	of := func(k Key) *podHour {
		h := byUID[k.PodUID]
		if h == nil {
			return nil
		}
		key := k.PodUID + "/" + strconv.FormatInt(k.Hour, 10)
		if at[key] == nil {
			at[key] = &podHour{h: h, hour: k.Hour, gpu: new(big.Rat), cost: map[string]map[string]*big.Rat{}}
			list = append(list, at[key])
		}
		return at[key]
	}
	for i := range t.out.Usage {
		if ph := of(t.out.Usage[i].Key); ph != nil {
			ph.gpu.Add(ph.gpu, t.out.Usage[i].GPUHours)
		}
	}
	for i := range t.out.Postings {
		p := &t.out.Postings[i]
		ph := of(p.Key)
		if ph == nil || p.Effective == nil && !p.unbilled() {
			continue
		}
		currency := cmp.Or(p.Currency, t.Site.Currency)
		if p.GPUHours != nil {
			ph.currency = currency
		}
		if p.Effective == nil {
			continue
		}
		if ph.cost[currency] == nil {
			ph.cost[currency] = map[string]*big.Rat{}
		}
		if ph.cost[currency][p.Cause] == nil {
			ph.cost[currency][p.Cause] = new(big.Rat)
		}
		ph.cost[currency][p.Cause].Add(ph.cost[currency][p.Cause], p.Effective)
	}
	return list
}

func rowOf(
	rows map[InferenceKey]*Inference, t *truth, day int64, p *world.Pod, m *servedModel, currency string,
) *Inference {
	k := InferenceKey{
		Day: day, Cluster: t.Config.Cluster, Namespace: p.NS, Service: p.RootName,
		Model: m.model, Server: m.server, Currency: currency,
	}
	if rows[k] == nil {
		row := Inference{InferenceKey: k}
		for _, v := range []**big.Rat{
			&row.Effective, &row.Idle, &row.Startup, &row.Input, &row.Output,
			&row.GPUHours, &row.ReplicaHours, &row.HeldMinutes, &row.SeenMinutes,
		} {
			*v = new(big.Rat)
		}
		rows[k] = &row
	}
	return rows[k]
}

// charge adds a share of an hour's cost.
func (row *Inference) charge(causes map[string]*big.Rat, share, input *big.Rat) {
	row.Rows++
	for cause, amount := range causes {
		part := new(big.Rat).Mul(amount, share)
		row.Effective.Add(row.Effective, part)
		in := new(big.Rat).Mul(part, input)
		row.Input.Add(row.Input, in)
		row.Output.Add(row.Output, new(big.Rat).Sub(part, in))
		switch cause {
		case "held_idle":
			row.Idle.Add(row.Idle, part)
		case "overhead":
			row.Startup.Add(row.Startup, part)
		}
	}
}

// hold adds a share of a pod's hold in an hour.
func (row *Inference) hold(ph *podHour, share *big.Rat, own *servedHour) {
	plus := func(to *big.Rat, v *big.Rat) { to.Add(to, new(big.Rat).Mul(v, share)) }
	from, to := max(ph.hour, ph.h.from), min(ph.hour+3600, ph.h.to)
	plus(row.GPUHours, ph.gpu)
	plus(row.ReplicaHours, big.NewRat(max(0, to-from), 3600))
	var minutes int64
	for m := ph.hour; m < ph.hour+3600; m += 60 {
		if m >= ph.h.from && m < ph.h.to {
			minutes++
		}
	}
	plus(row.HeldMinutes, big.NewRat(minutes, 1))
	if own != nil {
		plus(row.SeenMinutes, big.NewRat(own.minutes, 1))
	}
}

// count adds a model's counts.
func (row *Inference) count(m *servedModel) {
	plus := func(to **int64, v int64) {
		if *to == nil {
			*to = new(int64)
		}
		**to += v
	}
	plus(&row.Requests, m.requests)
	plus(&row.Failed, m.failed)
	plus(&row.Inferences, m.inferences)
	if m.tokens {
		plus(&row.PromptTokens, m.prompt)
		plus(&row.CachedTokens, m.cached)
		plus(&row.GeneratedTokens, m.generated)
	}
	sum := servedModel{latency: row.Latency, ttft: row.TTFT, queue: row.Queue}
	sum.add(m)
	row.Latency, row.TTFT, row.Queue = sum.latency, sum.ttft, sum.queue
}
