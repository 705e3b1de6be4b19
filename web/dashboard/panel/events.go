package panel

import (
	"context"
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

// event is something that happened.
type event struct {
	at         period.Second
	text, link string
}

// mostEvents is how many events a period shows.
const mostEvents = 40

// Kinds of annotations: all of them on charts, and those that may be the cause of a difference.
var (
	eventKinds = ledger.AnnotationKinds
	causeKinds = []ledger.AnnotationKind{
		ledger.AnnotationDeploy, ledger.AnnotationPrice, ledger.AnnotationInterruptions, ledger.AnnotationNote,
	}
)

// readEvents reads what happened in a page's period: to everything, and to what the page is narrowed to. The same text
// twice on a day is one event.
func readEvents(
	ctx context.Context, reader page.Reader, s page.Scope, kinds []ledger.AnnotationKind,
) (list []event, err error) {
	o := metrics.Options{Filter: "kind in (", Limit: strconv.Itoa(mostEvents)}
	for i, k := range kinds {
		if i > 0 {
			o.Filter += ", "
		}
		o.Filter += string(k)
	}
	o.Filter += ")"
	if s.Span.From != 0 {
		o.From = page.Address(s.Span.From)
	}
	if s.Span.To != 0 {
		o.To = page.Address(s.Span.To)
	}
	about := s.Chosen()
	type once struct {
		day  period.Second
		text string
	}
	seen := map[once]bool{}
	err = page.Each(ctx, reader, "annotations", o, nil, func(r page.Record) error {
		e := event{at: r.Second("at"), text: r.Text("text"), link: r.Text("link")}
		key := once{e.at.Floor(period.Day), e.text}
		if concerns(about, r.Text("key"), r.Text("value")) && !seen[key] {
			seen[key] = true
			list = append(list, e)
		}
		return nil
	})
	return list, err
}

// concerns reports whether an annotation is about everything or about what a page is narrowed to; a page that is not
// shows all.
func concerns(about map[string]string, key, value string) bool {
	if len(about) == 0 || key == "" || key == ledger.BudgetAll {
		return true
	}
	chosen, narrowed := about[key]
	return narrowed && chosen == value
}

// reasonsOf lists events below a chart.
func reasonsOf(list []event) (out []views.Reason) {
	for _, e := range list {
		r := views.Reason{Text: format.Day(e.at) + ": " + e.text}
		if e.link != "" {
			r.Link = views.Link{Text: "More", Href: e.link}
		}
		out = append(out, r)
	}
	return out
}

// Coincidences are the events of a period that a difference coincides with. That they line up does not make them its
// cause.
func Coincidences(ctx context.Context, reader page.Reader, s page.Scope) ([]views.Reason, error) {
	list, err := readEvents(ctx, reader, s, causeKinds)
	return reasonsOf(list), err
}

// events places what happened on an axis that ends at an instant.
func (d *drawing) events(to period.Second) (out []chart.Event) {
	from := d.steps[0].span.From
	for _, e := range d.happened {
		if to > from {
			out = append(out, chart.Event{
				At: float64(e.at-from) / float64(to-from), Text: format.Day(e.at) + ": " + page.Shorten(e.text, 40),
			})
		}
	}
	return out
}
