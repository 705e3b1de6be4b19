package allocation

import (
	"gpuledger/allocation/cause"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// silence is how many minutes without a report count as silence; late or rare scrapes do not (rule 2.9).
const silence = 10

// readSources finds when placements were observed, and when the node was silent while others of its cluster reported
// (rules 2.6 and 2.9).
func (d *day) readSources() {
	d.heard, d.jobs = d.memory.Bits(d.grid), d.memory.Bits(d.grid)
	own := d.memory.Bits(d.grid)
	seen := d.node.Seen
	for _, s := range d.in.Sources {
		switch {
		case s.Source == ledger.SourceKubernetes && seen.By(ledger.SeenListed):
			d.source.AddHour(s.Hour, s.Minutes)
			d.heard.AddHour(s.Hour, s.Minutes)
		case s.Source == ledger.SourceExporter && seen.By(ledger.SeenSampled):
			d.heard.AddHour(s.Hour, s.Minutes)
		case s.Source == ledger.SourceSlurm && seen.By(ledger.SeenNamed):
			d.jobs.AddHour(s.Hour, s.Minutes)
		}
	}
	d.source.Add(d.jobs)
	for _, s := range d.in.NodeStates {
		if s.State == ledger.Listed {
			own.AddHour(s.Hour, s.Minutes)
		}
	}
	for i := range d.in.Samples {
		for _, v := range d.in.Samples[i].Vectors {
			own.AddHour(d.in.Samples[i].Hour, v.Known)
		}
	}
	own.Bridge(silence)
	d.heard.Bridge(silence)
	silent := d.memory.Bits(d.grid)
	silent.Add(d.heard)
	silent.Remove(own)
	d.down.Add(silent)
}

// outside are seconds in which the node was billed but did not exist.
type outside struct {
	period.Interval // where they are drawn; empty if the clock has no room
	seconds         int64
	cause           ledger.Cause
}

// addBilledOnly adds the seconds billed beyond those observed, in each slot (rule 8.1), and draws them next to the
// node's life.
func (d *day) addBilledOnly(bills []bill) {
	var list []outside
	for h := range bills {
		surplus := bills[h].billed - bills[h].observed
		if surplus <= 0 {
			continue
		}
		list = d.outsideLife(list[:0], bills[h].hour, surplus)
		for slot := range d.node.GPUs {
			for i := range list {
				d.emitBilledOnly(slot, h, &list[i])
			}
		}
	}
}

// outsideLife places surplus seconds of an hour on the clock: before the node appeared, closest first, then after it
// was gone. For seconds that have no room there the cause is unknown.
func (d *day) outsideLife(list []outside, hour period.Interval, surplus int64) []outside {
	life := d.life
	before := hour.Intersect(period.Interval{From: hour.From, To: life.From})
	after := hour.Intersect(period.Interval{From: life.To, To: hour.To})
	before.From = max(before.From, before.To-period.Second(surplus))
	if life.Empty() {
		before, after = period.Interval{}, hour
	}
	for _, room := range []period.Interval{before, after} {
		if room.Empty() || surplus == 0 {
			continue
		}
		room.To = min(room.To, room.From+period.Second(surplus))
		surplus -= room.Seconds()
		list = d.appendOutside(list, room)
	}
	if surplus > 0 {
		list = append(list, outside{seconds: surplus, cause: cause.Outside{}.Cause()})
	}
	return list
}

// appendOutside cuts a stretch outside the node's life where its cause changes.
func (d *day) appendOutside(list []outside, room period.Interval) []outside {
	for from := room.From; from < room.To; {
		to := min(room.To, from.Floor(period.Minute)+period.Minute)
		c := d.outsideCause(from)
		if n := len(list); n > 0 && list[n-1].cause == c && list[n-1].To == from {
			list[n-1].To = to
			list[n-1].seconds += int64(to - from)
		} else {
			list = append(list, outside{period.Interval{From: from, To: to}, int64(to - from), c})
		}
		from = to
	}
	return list
}

// outsideCause is the cause of a second outside the node's life. A minute in which the node appeared is treated like
// the minute before: the node's own report says nothing about it.
func (d *day) outsideCause(at period.Second) ledger.Cause {
	life := d.life
	m := d.grid.Index(at)
	if at < life.From && at.Floor(period.Minute) == life.From.Floor(period.Minute) {
		m--
	}
	return cause.Outside{
		Ended:     !d.node.Life.Empty() && at >= d.node.Life.To && d.node.Seen.By(ledger.SeenEnd),
		Witness:   d.heard.Has(m),
		Accounted: d.jobs.Has(m),
	}.Cause()
}
