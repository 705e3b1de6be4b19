package waste

import (
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// OtherPod is the hold of a pod without a GPU request.
type OtherPod struct {
	period.Interval
	MilliCPU, Memory int64 // requested: thousandths of a vCPU, bytes; 0: nothing
}

// HourMoney is a machine's cost in an hour.
type HourMoney struct {
	Hour     period.Second
	Currency string
	Cost     Cost
}

// share is the part of the machine that a pod requested: the larger of its shares of vCPUs and memory; nil if unknown.
func (m *MachineFacts) share(p *OtherPod) *big.Rat {
	var largest *big.Rat
	for _, part := range [][2]int64{{p.MilliCPU, m.VCPU * 1000}, {p.Memory, m.Memory}} {
		if part[0] <= 0 || part[1] <= 0 {
			continue
		}
		if s := big.NewRat(part[0], part[1]); largest == nil || s.Cmp(largest) > 0 {
			largest = s
		}
	}
	return largest
}

// others is the share of pods without GPUs in a stretch: for each hour, the machine's cost × their share × the part of
// the machine's hour in which they ran. It is indicative: the holders of the GPUs pay it. unknown counts pods with an
// unknown share; seconds × share in ppm is the mean in held seconds.
func (m *MachineFacts) others(within period.Interval, held int64) (Money, []Number) {
	known, unknown := new(big.Rat), int64(0)
	sums, states := map[string]*big.Rat{}, map[string]ledger.State{}
	for i := range m.Others {
		p := &m.Others[i]
		during := p.Intersect(within).Intersect(m.Life)
		if during.Empty() {
			continue
		}
		share := m.share(p)
		if share == nil {
			unknown++
			continue
		}
		known.Add(known, new(big.Rat).Mul(share, big.NewRat(during.Seconds(), 1)))
		for _, h := range m.Costs {
			hour := period.Interval{From: h.Hour, To: h.Hour + period.Hour}
			there := during.Intersect(hour)
			if there.Empty() {
				continue
			}
			part := new(big.Rat).Mul(share, big.NewRat(there.Seconds(), m.Life.Intersect(hour).Seconds()))
			if sums[h.Currency] == nil {
				sums[h.Currency] = new(big.Rat)
			}
			sums[h.Currency].Add(sums[h.Currency], part.Mul(part, h.Cost.Amount.Rat()))
			states[h.Currency] = leastSettled(states[h.Currency], h.Cost.State)
		}
	}
	var cost Money
	for currency, sum := range sums {
		if cost == nil {
			cost = Money{}
		}
		cost[currency] = Cost{money.FromRat(sum), states[currency]}
	}
	var numbers []Number
	if known.Sign() > 0 && held > 0 {
		mean := known.Mul(known, big.NewRat(1_000_000, held))
		numbers = append(numbers, Number{"share", "ppm", new(big.Int).Quo(mean.Num(), mean.Denom()).Int64()})
	}
	if unknown > 0 {
		numbers = append(numbers, Number{"without_share", "pods", unknown})
	}
	return cost, numbers
}
