package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// drawn is the energy of a device-minute: millijoules over a number of minutes.
type drawn struct{ mJ, over int64 }

// energyKey is the divisor and scale of a piece of energy: minutes that share it × seconds of the minute in which the
// node was there, weight.
type energyKey struct {
	w   frac
	den int64
}

// mostMilliwatts is more than any board draws.
const mostMilliwatts = 3_000_000

// energyBridge is the most minutes over which a counter's rise counts.
const energyBridge = 3

// readEnergy is rule 5.5 for one device.
func (t *truth) readEnergy(nt *nodeTruth, d *world.Device) map[int64]drawn {
	out := map[int64]drawn{}
	n := nt.n
	carried := map[*world.Device]int64{}
	var last, at int64 // the last known value and its minute
	for day := t.World.From; day < t.World.To; day += 86400 {
		_, vectors := fleetsim.DeviceSignals(t.World, d, day, carried)
		var counter []int64
		for _, s := range vectors {
			counter = s.Energy // the same on all slices
		}
		if t.World.Coarse(n, day) { // not reported
			continue
		}
		for m, v := range counter {
			minute := day + int64(m)*60
			tick := minute + n.Phase
			if tick < n.ExpFrom || tick >= n.Until(t.World) || world.In(n.ExpGaps, tick) {
				continue
			}
			if steps := (minute - at) / 60; at != 0 && steps <= energyBridge {
				if rise := v - last; rise >= 0 && rise <= mostMilliwatts*60*steps {
					for k := range steps {
						out[minute-k*60] = drawn{rise, steps}
					}
				}
			}
			last, at = v, minute
		}
	}
	return out
}

// addEnergy gives a row its share of the device's energy in the minute.
func (t *truth) addEnergy(row *usageRow, nt *nodeTruth, d *world.Device, a, seconds int64, w frac) {
	if nt.energy == nil {
		nt.energy = map[*world.Device]map[int64]drawn{}
	}
	if nt.energy[d] == nil {
		nt.energy[d] = t.readEnergy(nt, d)
	}
	minute := a / 60 * 60
	e, known := nt.energy[d][minute]
	if !known {
		return
	}
	appeared, gone := nt.lifeOn(minute)
	present := min(minute+60, gone) - max(minute, appeared)
	row.energy[energyKey{w, e.over * present}] += e.mJ * seconds
}

// kilowattHours is the row's energy, nil if it is unknown.
func (r *usageRow) kilowattHours() *big.Rat {
	if len(r.energy) == 0 {
		return nil
	}
	sum := new(big.Rat)
	for k, v := range r.energy {
		sum.Add(sum, new(big.Rat).Mul(k.w.rat(), big.NewRat(v, k.den)))
	}
	return sum.Quo(sum, big.NewRat(3_600_000_000, 1))
}
