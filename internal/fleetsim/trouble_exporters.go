package fleetsim

// upgrades rolls dcgm-exporter 4.9 out over most machines that have an older
// one, within an hour of some day: the old pod goes, a minute or two later the
// new one shows the same devices under other names and in other units.
func (b *builder) upgrades() {
	r := b.r
	start := b.from + r.between(30, 24*int64(b.cfg.Days)*60-150)*60
	for _, n := range b.nodes {
		at := start + r.between(0, 3000)
		if n.modern || !n.joined || n.exporterPod == nil || !r.chance(70) || at < n.expFrom+1800 || at > n.until(b.world)-1800 {
			continue
		}
		old := n.exporterPod
		p := &pod{ns: old.ns, name: "nvidia-dcgm-exporter-" + r.word(5), node: n, ownerKind: old.ownerKind, ownerName: old.ownerName,
			rootKind: old.rootKind, rootName: old.rootName, container: old.container, created: at - 21, scheduled: at - 20, started: at - 6,
			end: old.end, exit: old.exit, removed: old.removed}
		b.add(p)
		b.finish(old, at-23, exitDeleted, "")
		n.upgradeAt, n.newExporter = at, p
		n.expGaps = append(n.expGaps, span{at - r.between(25, 60), at + r.between(10, 70)})
	}
}

// driverReloads loads the driver anew on cards that nobody uses for a while:
// their energy counters begin at 0 again.
func (b *builder) driverReloads() {
	r := b.r
	for _, n := range b.nodes {
		for _, d := range n.devices {
			if !r.chance(20) || !n.joined {
				continue
			}
			for range 20 {
				at := b.from + r.between(0, (b.to-b.from)/60-1)*60
				if at > n.expFrom && at < n.until(b.world) && !d.used(at-120, at+180) {
					d.resets = append(d.resets, at)
					break
				}
			}
		}
	}
}

// used reports whether anybody is on the card during [from, to).
func (d *device) used(from, to int64) bool {
	for _, list := range d.occ {
		for _, o := range list {
			if o.from < to && o.to > from {
				return true
			}
		}
	}
	return false
}
