package allocation

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gpuledger/allocation/split"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// hostClaim is one workload's claim on the host in one hour, in units × seconds.
type hostClaim struct {
	workload int
	amount   uint64
}

// hostByRequests gives workloads the host by the CPU and memory that they request while they hold; the rest has no
// holder (rule 8.22). If they request more than there is, the host is split in proportion to the requests.
func (d *day) hostByRequests(hour int, b *bill) error {
	over, whole := bits.Mul64(uint64(d.host.units), uint64(b.seconds()))
	if over != 0 || whole > math.MaxInt64 {
		return split.ErrTooFine
	}
	claims, asked := d.hostClaims(b.hour)
	if asked > whole {
		amounts := make([]uint64, len(claims))
		for i := range claims {
			amounts[i] = claims[i].amount
		}
		shares, err := money.SplitUint(money.FromUnits(int64(whole)), amounts)
		if err != nil {
			return err
		}
		for i := range claims {
			units, _ := shares[i].Units() // a part of whole
			claims[i].amount = uint64(units)
		}
		asked = whole
	}
	for _, c := range claims {
		if err := d.hostOf(hour, b.hour, c); err != nil {
			return err
		}
	}
	d.addHostRow(hour, none, none, whole-asked, methodHostRest)
	return nil
}

// hostClaims lists the workloads' requests of the host in an hour, and their sum, capped to 64 bits.
func (d *day) hostClaims(hour period.Interval) (claims []hostClaim, asked uint64) {
	for w := range d.workloads {
		pod := &d.workloads[w]
		seconds := pod.Hold.Intersect(hour).Seconds()
		if seconds == 0 {
			continue
		}
		milliCPU := min(max(pod.Requests[ledger.ResourceCPU], 0), maxMilliCPU)
		mebibytes := (min(max(pod.Requests[ledger.ResourceMemory], 0), maxMebibytes<<20) + 1<<20 - 1) >> 20
		units := min(hostUnits(d.host.split, milliCPU, mebibytes), d.host.units) // a claim is at most the machine
		if units == 0 {
			continue
		}
		c := hostClaim{w, uint64(units) * uint64(seconds)}
		claims = append(claims, c)
		sum, carry := bits.Add64(asked, c.amount, 0)
		if asked = sum; carry != 0 {
			asked = math.MaxUint64
		}
	}
	return claims, asked
}

// hostOf gives a workload its claim, divided by time among the attempts that it served in the hour.
func (d *day) hostOf(hour int, during period.Interval, c hostClaim) error {
	type served struct {
		attempt int
		time    split.Sum
	}
	var list []served
	segments := d.segments[c.workload]
	for i := range d.servings[c.workload] {
		line := &d.servings[c.workload][i]
		seconds := line.Intersect(during).Seconds()
		if seconds == 0 {
			continue
		}
		for _, p := range line.parts {
			attempt := segments[p.segment].attempt
			at := slices.IndexFunc(list, func(s served) bool { return s.attempt == attempt })
			if at < 0 {
				at = len(list)
				list = append(list, served{attempt: attempt})
			}
			list[at].time.Add(p.share, uint64(seconds))
		}
	}
	if len(list) == 1 {
		d.addHostRow(hour, c.workload, list[0].attempt, c.amount, methodHostRequest)
		return nil
	}
	slices.SortFunc(list, func(a, b served) int { return cmp.Compare(a.attempt, b.attempt) })
	times := make([]*split.Sum, len(list))
	for i := range list {
		times[i] = &list[i].time
	}
	amounts, err := split.NewWeights(times).Split(money.FromUnits(int64(c.amount)))
	if err != nil {
		return fmt.Errorf("%s: %w", title(&d.workloads[c.workload]), err)
	}
	for i := range list {
		units, _ := amounts[i].Units() // a part of the claim
		d.addHostRow(hour, c.workload, list[i].attempt, uint64(units), methodHostRequest)
	}
	return nil
}

// addHostRow adds a row for the machine; it has no slot.
func (d *day) addHostRow(hour, workload, attempt int, amount uint64, how method) {
	if amount == 0 {
		return
	}
	r := d.findAgain(&rowKey{hour: int32(hour), slot: none, slice: ledger.WholeDevice, workload: int32(workload),
		attempt: int32(attempt),
		cause:   hostOrder, activity: unknownOrder})
	r.quality, r.method = r.quality.Worse(ledger.Measured), how
	r.weight.Add(d.host.unit, amount)
}
