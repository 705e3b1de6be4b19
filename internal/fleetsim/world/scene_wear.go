package world

// Throttling is a stretch in which the card throttles.
type Throttling struct {
	Span
	permille int64 // of the time
	thermal  bool
}

// Fault is an XID and how long the driver shows it.
type Fault struct {
	Span
	code int64
}

// XidAt is the XID that the driver shows.
func (d *Device) XidAt(t int64) int64 {
	code := int64(0)
	for _, f := range d.Faults {
		if f.Has(t) {
			code = f.code
		}
	}
	return code
}

// ThrottledMillis is how long the card was throttled until t; the counter
// begins with the driver.
func (d *Device) ThrottledMillis(t int64, thermal bool) int64 {
	begin := int64(0)
	for _, r := range d.Resets {
		if r <= t {
			begin = max(begin, r)
		}
	}
	var sum int64
	for _, x := range d.Throttled {
		if from, to := max(x.From, begin), min(x.To, t); x.thermal == thermal && from < to {
			sum += (to - from) * x.permille
		}
	}
	return sum
}

// Reasons for lower clocks, as the driver numbers them.
const (
	reasonIdle     = 0x1
	ReasonPowerCap = 0x4
	ReasonThermal  = 0x20
)

// ReasonsAt is the bit set of the instant: of each hundred minutes of a stretch the first show a reason. Throttling for
// mere moments never shows one.
func (d *Device) ReasonsAt(t int64) int64 {
	reasons := int64(0)
	for _, x := range d.Throttled {
		if x.permille >= 100 && x.Has(t) && t/60%100*10 < x.permille {
			if x.thermal {
				reasons |= ReasonThermal
			} else {
				reasons |= ReasonPowerCap
			}
		}
	}
	if reasons == 0 && !d.used(t, t+1) {
		return reasonIdle
	}
	return reasons
}

// wear lets some cards run hot, hit their power limit or report an XID. A third of the stretches stay just below the
// limit.
func (b *builder) wear() {
	for _, n := range b.Nodes {
		for _, d := range n.Devices {
			r := NewRNG(b.Config.Seed, 61, uint64(n.Idx), uint64(d.Index))
			if r.Chance(12) {
				x := Throttling{permille: r.Between(140, 600), thermal: r.Chance(40)}
				switch length := r.Between(4*3600+600, 9*3600); {
				case r.Chance(20):
					x.permille = r.Between(40, 85)
					x.Span = b.moment(r, length)
				case r.Chance(20):
					x.Span = b.moment(r, 100*60)
				default:
					x.Span = b.moment(r, length)
				}
				d.Throttled = append(d.Throttled, x)
			}
			if r.Chance(5) {
				d.Faults = append(d.Faults, Fault{
					b.moment(r, r.Between(40*60, 5*3600)), Pick(r, []int64{13, 31, 43, 48, 63, 79, 94}),
				})
			}
		}
	}
}

// moment is a stretch of a given length somewhere in the data.
func (b *builder) moment(r *RNG, length int64) Span {
	from := b.from + r.Between(1800, b.To-b.from-length-1800)
	return Span{from, from + length}
}
