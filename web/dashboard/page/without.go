package page

import (
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// WithoutData says that the period is outside the stored time, or has only posted fees. It
// is empty if there is data.
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

// AllStored links to all stored time.
func (p *Context) AllStored() views.Link {
	return views.Link{Text: "Show all recorded time", Href: p.Scope.With("from", "", "to", "")}
}
