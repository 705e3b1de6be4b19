package bill

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// An export that keeps all its runs has a folder for each, and a manifest above them that names
// the files of the newest run: the "create new report version" mode of legacy CUR, for example.

// olderRun is the reason for rows that are read but not loaded because a newer run replaced
// theirs.
const olderRun = "in an older run of the export"

// setAside leaves out deliveries that the manifest above their folders does not name, if it
// names another delivery of the same bill. A time that was given, or is in a manifest or
// folder, takes precedence; the store's modification time does not, since copies have new
// times.
func (p *Plan) setAside() {
	newest := map[string][]*delivery{}
	for _, d := range p.deliveries {
		if len(d.above) > 0 {
			newest[d.key] = append(newest[d.key], d)
		}
	}
	p.deliveries = slices.DeleteFunc(p.deliveries, func(d *delivery) bool {
		for _, n := range newest[d.key] {
			manifest := n.newerThan(d)
			if n == d || manifest == "" || d.decidedAfter(n) {
				continue
			}
			for _, pt := range d.parts {
				f := p.files[pt.file]
				f.aside[pt.unit] = olderRun
				p.Aside = append(p.Aside,
					fmt.Sprintf("file of an older run, as %s names a newer one: %s", manifest, f.sv.File.Name))
			}
			return true
		}
		return false
	})
	slices.Sort(p.Aside)
	p.Aside = slices.Compact(p.Aside)
}

// decidedAfter reports whether d is newer than n by a time that is not only observed.
func (d *delivery) decidedAfter(n *delivery) bool {
	return d.DeliveredAt != nil && !d.Observed && (n.DeliveredAt == nil || n.Observed || *d.DeliveredAt > *n.DeliveredAt)
}

// head is a manifest above the folders of the runs from which it chooses.
type head struct{ folder, name string }

// heads are the manifests of a candidate that are above all of its data files.
func (p *Plan) heads(c *candidate) (out []head) {
	if c.manifest == nil {
		return nil
	}
	for i, place := range c.manifest.Places {
		above := head{path.Dir(place.Path), c.manifest.Name}
		if i < len(c.manifest.names) {
			above.name = c.manifest.names[i]
		}
		if !slices.ContainsFunc(c.parts, func(pt part) bool {
			return !below(p.files[pt.file].sv.File.Place(), above.folder)
		}) {
			out = append(out, above)
		}
	}
	return out
}

// below reports whether a file is in a folder below another one.
func below(place, folder string) bool { return strings.HasPrefix(path.Dir(place), folder+"/") }

// newerThan returns the manifest by which n is newer than other: it is above the folders of
// both, and no manifest above those of other names other.
func (n *delivery) newerThan(other *delivery) string {
	for _, h := range n.above {
		if slices.ContainsFunc(other.above, func(o head) bool { return o.folder == h.folder }) ||
			slices.ContainsFunc(other.folders, func(f string) bool {
				return !strings.HasPrefix(f, h.folder+"/") || slices.Contains(n.folders, f)
			}) {
			continue
		}
		return h.name
	}
	return ""
}

// unorderedRuns refuses deliveries of one key without an order between them.
func (p *Plan) unorderedRuns(ds []*delivery) string {
	var folders, names []string
	for _, d := range ds {
		folders, names = append(folders, d.folders...), append(names, d.names...)
	}
	slices.Sort(folders)
	apart := len(slices.Compact(slices.Clone(folders))) == len(folders) && len(folders) == len(ds)
	give := names
	if apart {
		give = folders
	}
	slices.Sort(give)
	return fmt.Sprintf("these are %d deliveries of %s with different rows, and no manifest, folder name or time of an "+
		"object store shows which is newer; "+
		"import them one by one, oldest first, each with --delivered-at and the time when it was written: %s",
		len(ds), cmp.Or(ds[0].Partition, "one bill"), strings.Join(give, ", "))
}
