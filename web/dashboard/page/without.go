package page

import (
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// WithoutData says that the period lies outside all stored time, or in days to which
// only fees are posted. It is empty when there is data.
func (p *Context) WithoutData() string {
	shown := p.Shown()
	switch {
	case shown.Empty() || p.Extent.Empty():
		return ""
	case !shown.Overlaps(p.Extent.Stored):
		return "There is no data for " + format.Days(shown) + ". The ledger covers " + format.Days(p.Extent.Stored) + "."
	case shown.From >= p.Extent.Data:
		return "Telemetry and billed usage end on " + format.Stamp(p.Extent.Data) + "; only fees are posted after that."
	}
	return ""
}

// AllStored leads to all stored time.
func (p *Context) AllStored() views.Link {
	return views.Link{Text: "Show all recorded time", Href: p.Scope.With("from", "", "to", "")}
}
