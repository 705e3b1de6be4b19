package bill

import (
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// time is --delivered-at, else the manifest's submit time, the run folder's time, the rows'
// time or the load id; else when a store last wrote one of the files, which is only observed. A
// local file's modification time never counts.
func (p *Plan) time(c *candidate, execution string) (at *period.Second, observed bool, run string) {
	folderTime, folderRun, inRun := RunFolder(p.files[c.parts[0].file].sv.File.Path)
	if inRun {
		execution = First(execution, folderRun)
	}
	switch {
	case p.o.DeliveredAt != nil:
		return p.o.DeliveredAt, false, execution
	case c.manifest != nil && c.manifest.SubmitTime != nil:
		return c.manifest.SubmitTime, false, execution
	case inRun:
		return &folderTime, false, execution
	}
	var newest, written period.Second
	if c.manifest != nil {
		written = c.manifest.Modified
	}
	for _, pt := range c.parts {
		sv := p.files[pt.file].sv
		newest, written = max(newest, sv.units[pt.unit].deliveredAt), max(written, sv.File.Modified)
	}
	if newest != 0 {
		return &newest, false, execution
	}
	if at, ok := loadTime(c.unit.Load); ok {
		return &at, false, First(execution, c.unit.Load)
	}
	if written != 0 {
		return &written, true, execution
	}
	return nil, false, execution
}

// places are the files that a candidate was read from, its manifests first.
func (p *Plan) places(c *candidate) []ledger.DeliveryPlace {
	var list []ledger.DeliveryPlace
	if c.manifest != nil {
		list = append(list, c.manifest.Places...)
	}
	for _, pt := range c.parts {
		sv := p.files[pt.file].sv
		list = append(list, ledger.DeliveryPlace{Path: sv.File.Place(), SHA256: sv.SHA256})
	}
	slices.SortStableFunc(list, func(a, b ledger.DeliveryPlace) int { return strings.Compare(a.Path, b.Path) })
	return slices.Compact(list)
}

// loadTime reads a load id of dlt: seconds since 1970 with a fraction.
func loadTime(load string) (period.Second, bool) {
	whole, _, _ := strings.Cut(load, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n <= 0 || n > 1<<34 {
		return 0, false
	}
	return period.Second(n), true
}
