package world

// upgrades rolls dcgm-exporter 4.9 out over most machines that have an older
// one, within an hour of some day: the old pod goes, a minute or two later the
// new one shows the same devices under other names and in other units.
func (b *builder) upgrades() {
	r := b.r
	start := b.from + r.Between(30, 24*int64(b.Config.Days)*60-150)*60
	for _, n := range b.Nodes {
		at := start + r.Between(0, 3000)
		if n.Modern || !n.Joined || n.exporterPod == nil || !r.Chance(70) || at < n.ExpFrom+1800 ||
			at > n.Until(b.World)-1800 {
			continue
		}
		old := n.exporterPod
		p := &Pod{NS: old.NS, Name: "nvidia-dcgm-exporter-" + r.Word(5), Node: n, OwnerKind: old.OwnerKind,
			OwnerName: old.OwnerName,
			RootKind:  old.RootKind, RootName: old.RootName, Container: old.Container,
			Created: at - 21, Scheduled: at - 20, Started: at - 6,
			End: old.End, Exit: old.Exit, Removed: old.Removed}
		b.add(p)
		b.finish(old, at-23, exitDeleted, "")
		n.UpgradeAt, n.newExporter = at, p
		n.ExpGaps = append(n.ExpGaps, Span{at - r.Between(25, 60), at + r.Between(10, 70)})
	}
}

// driverReloads reloads the driver on cards while they are free: their energy counters begin at 0 again.
func (b *builder) driverReloads() {
	r := b.r
	for _, n := range b.Nodes {
		for _, d := range n.Devices {
			if !r.Chance(20) || !n.Joined {
				continue
			}
			for range 20 {
				at := b.from + r.Between(0, (b.To-b.from)/60-1)*60
				if at > n.ExpFrom && at < n.Until(b.World) && !d.used(at-120, at+180) {
					d.Resets = append(d.Resets, at)
					break
				}
			}
		}
	}
}

// used reports whether a pod is on the card during [from, to).
func (d *Device) used(from, to int64) bool {
	for _, list := range d.Occ {
		for _, o := range list {
			if o.From < to && o.To > from {
				return true
			}
		}
	}
	return false
}
