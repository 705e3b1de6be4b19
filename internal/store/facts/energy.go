package facts

import (
	"context"
	"fmt"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

const (
	// energyGap is how many minutes apart two counter values may be for their
	// difference to count (docs/rules.md, 5.5).
	energyGap = 3
	// energyParts is the least common multiple of 1..energyGap. A rise spread evenly over up to energyGap minutes is
	// whole in these parts of a millijoule.
	energyParts = 6
	// energyLimit is the highest plausible rise, in millijoules per minute.
	energyLimit = 3_000_000 * int64(period.Minute)
)

// NodeEnergy returns the measured energy of a node by hour over all its devices (docs/rules.md, 5.5), in joules rounded
// half up. Hours without measurements are missing from the map.
func (s *Facts) NodeEnergy(
	ctx context.Context, cluster, name string, within period.Interval,
) (map[period.Second]ledger.MeasuredEnergy, error) {
	sums := map[period.Second]energySum{}
	var device string
	var last counterAt
	// Differences to a value just before the interval count.
	from, to := (within.From - energyGap*period.Minute).Floor(period.Hour), within.To
	type row struct {
		Device  string
		Hour    period.Second
		Vectors pg.PgxBytes
	}
	err := pg.Each(ctx, s.Pool, "energy.samples", func(r row) error {
		vectors, err := minutes.Decode[ledger.Signal](r.Vectors)
		if err != nil {
			return fmt.Errorf("samples of device %s at %s: %w", r.Device, r.Hour, err)
		}
		if r.Device != device {
			device, last = r.Device, counterAt{}
		}
		if v, ok := vectors[ledger.SignalEnergy]; ok {
			last = addEnergy(sums, within, r.Hour, &v, last)
		}
		return nil
	}, pg.Tenant, cluster, name, from, to)
	if err != nil {
		return nil, fmt.Errorf("energy of node %s: %w", name, err)
	}
	known := make(map[period.Second]ledger.MeasuredEnergy, len(sums))
	for hour, sum := range sums {
		known[hour] = ledger.MeasuredEnergy{
			Joules: (sum.parts + 500*energyParts) / (1000 * energyParts), DeviceSeconds: sum.minutes * period.Minute,
		}
	}
	return known, nil
}

// energySum is an hour's known energy in parts of a millijoule, and its known device-minutes.
type energySum struct{ parts, minutes int64 }

// counterAt is a counter's value in a minute; minute 0 means no value.
type counterAt struct {
	minute period.Second
	value  int64
}

// addEnergy adds the rises of one hour of a counter, each spread over the minutes since the previous value, and returns
// the last value.
func addEnergy(
	sums map[period.Second]energySum, within period.Interval, hour period.Second, v *ledger.Minutes, last counterAt,
) counterAt {
	for m := range 60 {
		if v.Known>>m&1 == 0 {
			continue
		}
		now := counterAt{hour + period.Second(m)*period.Minute, v.Value[m]}
		if last.minute == now.minute {
			continue // two rows of one device and hour
		}
		gap, rise := int64(now.minute-last.minute)/int64(period.Minute), now.value-last.value
		if last.minute != 0 && gap <= energyGap && last.value >= 0 && rise >= 0 && rise <= energyLimit*gap {
			for at := last.minute + period.Minute; at <= now.minute; at += period.Minute {
				if within.Contains(at) {
					sum := sums[at.Floor(period.Hour)]
					sums[at.Floor(period.Hour)] = energySum{sum.parts + rise*energyParts/gap, sum.minutes + 1}
				}
			}
		}
		last = now
	}
	return last
}
