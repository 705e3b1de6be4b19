package waste

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Picks is the machine labels by which a pod picks its machine.
type Picks struct {
	Keys []string // as kube-state-metrics writes them
	All  bool     // node affinity is included; false: only its node selector is known
}

// plainKeys are labels that only show that a machine has GPUs, not which. Any other label may distinguish models, so a
// pod that picks by it has no finding.
var plainKeys = []string{"kubernetes_io_os", "kubernetes_io_arch", "topology_kubernetes_io_zone",
	"topology_kubernetes_io_region",
	"failure_domain_beta_kubernetes_io_zone", "failure_domain_beta_kubernetes_io_region",
	"nvidia_com_gpu_present", "nvidia_com_gpu_count",
	"nvidia_com_gpu_deploy_driver", "nvidia_com_gpu_deploy_device_plugin",
	"nvidia_com_mig_capable", "karpenter_sh_capacity_type",
	"eks_amazonaws_com_capacityType", "cloud_google_com_gke_spot",
	"cloud_google_com_gke_provisioning", "kubernetes_azure_com_scalesetpriority",
	"kubernetes_io_role", "node_role_kubernetes_io_worker", "node_role_kubernetes_io_gpu"}

// AnyModel reports whether it is known that the pod may get any GPU model of its
// cluster.
func (p *Picks) AnyModel() bool {
	return p != nil && !slices.ContainsFunc(p.Keys, func(key string) bool {
		return !slices.Contains(plainKeys, strings.TrimPrefix(key, "beta_"))
	})
}

// quality is how sure it is that no other label picks.
func (p *Picks) quality() ledger.Quality {
	if p.All {
		return ledger.Measured
	}
	return ledger.Estimated
}

// poolHour is an hour of a cluster.
type poolHour struct {
	cluster string
	hour    period.Second
}

// price is the known hours and cost of a model's GPUs.
type price struct{ hours, cost money.Amount }

// rate is the cost of a GPU-hour; nil: unknown, or free.
func (p price) rate() *big.Rat {
	if p.hours.Sign() <= 0 || p.cost.Sign() <= 0 {
		return nil
	}
	return new(big.Rat).Quo(p.cost.Rat(), p.hours.Rat())
}

// prices are by currency and GPU model.
type prices map[string]map[string]price

// unpicked is the time on a card in an hour of a pod that may get any model.
type unpicked struct {
	poolHour
	model string
	owner Key
	mark  Mark
}

// models gathers the cost of GPU-hours of the machine's model, and the holders that did not pick it. A MIG slice is
// requested by its size: a model without that size is not an alternative.
func (n *nodeDay) models() {
	if n.Node.GPUModel == "" || !n.Node.Appeared {
		return
	}
	for i := range n.Rows {
		r := &n.Rows[i]
		for currency, c := range r.Cost {
			n.day.price(poolHour{n.Node.Cluster, r.Hour}, currency, n.Node.GPUModel, r.Capacity, c.Amount)
		}
	}
	held := map[heldKey]*Mark{}
	for i := range n.Spans {
		s := &n.Spans[i]
		h := n.day.Holders[s.Holder]
		if h == nil || s.Slice != ledger.WholeDevice || !h.Picks.AnyModel() {
			continue
		}
		byHour(s.From, s.To, func(from, to period.Second) {
			k := heldKey{from.Floor(period.Hour), holdKey{s.Holder, sliceKey{s.Slot, s.Slice}}}
			m := held[k]
			if m == nil {
				m = &Mark{
					Kind: NoProductSelector, From: from, Where: n.of(h).on(n.devices[s.Slot], s.Slice), Quality: h.Picks.quality(),
				}
				held[k] = m
			}
			m.From, m.To, m.Seconds = min(m.From, from), max(m.To, to), m.Seconds+int64(to-from)
		})
	}
	for _, k := range slices.SortedFunc(maps.Keys(held), compareHeld) {
		held[k].Share = n.shares[k]
		n.day.unpicked = append(n.day.unpicked, unpicked{
			poolHour{n.Node.Cluster, k.hour}, n.Node.GPUModel, Key{OfWorkload, n.day.Holders[k.holder].Workload()}, *held[k],
		})
	}
}

func (d *Day) price(at poolHour, currency, model string, hours, cost money.Amount) {
	if d.prices == nil {
		d.prices = map[poolHour]prices{}
	}
	if d.prices[at] == nil {
		d.prices[at] = prices{}
	}
	of := d.prices[at][currency]
	if of == nil {
		of = map[string]price{}
		d.prices[at][currency] = of
	}
	p := of[model]
	of[model] = price{p.hours.Add(hours), p.cost.Add(cost)}
}

// markUnpicked marks held time of a dearer model than the cheapest of the cluster in the hour, with the extra cost of
// its GPU-hours.
func (d *Day) markUnpicked() {
	for i := range d.unpicked {
		u := &d.unpicked[i]
		dearer, numbers := u.beyond(d.prices[u.poolHour])
		if len(dearer) == 0 {
			continue
		}
		u.mark.Share.Cost, u.mark.Numbers = dearer, numbers
		d.trace(u.owner.Scope, u.owner.Subject).mark(u.mark)
	}
}

// beyond is the extra cost of the held GPU-hours over the cheapest model, and how much dearer they are at most, in ppm,
// rounded up.
func (u *unpicked) beyond(of prices) (Money, []Number) {
	out, most, models := Money{}, int64(0), int64(0)
	for currency, cost := range u.mark.Share.Cost {
		mine := of[currency][u.model].rate()
		if mine == nil {
			continue
		}
		cheapest, known := mine, int64(0)
		for _, p := range of[currency] {
			if r := p.rate(); r != nil {
				known++
				if r.Cmp(cheapest) < 0 {
					cheapest = r
				}
			}
		}
		extra := new(big.Rat).Sub(mine, cheapest)
		if extra.Sign() == 0 {
			continue
		}
		out[currency] = Cost{u.mark.Share.GPUHours.MulRat(extra), cost.State}
		extra.Quo(extra, cheapest).Mul(extra, big.NewRat(million, 1))
		up := new(big.Int).Add(extra.Num(), new(big.Int).Sub(extra.Denom(), big.NewInt(1)))
		if up.Quo(up, extra.Denom()); up.IsInt64() {
			most = max(most, up.Int64())
		}
		models = max(models, known)
	}
	return out, []Number{{"models", "GPU models", models}, {"dearer", "ppm", cmp.Or(most, 1)}}
}

const million = 1_000_000
