package metrics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// annotationTexts are the columns of an annotation.
func annotationTexts() []Column {
	kinds := make([]string, len(ledger.AnnotationKinds))
	for i, k := range ledger.AnnotationKinds {
		kinds[i] = string(k)
	}
	return []Column{
		attr("at", Time, "When it happened, or began."),
		attr("until", Time, "End, exclusive; NULL if it happened at one instant."),
		attr("kind", Text, "What happened.").values(kinds...),
		attr("key", Text, "Group key that it is about; NULL or all: the whole fleet."),
		attr("value", Text, "Value of the key."),
		attr("text", Text, "Description."),
		attr("source", Text, "System or team that reported it; ledger: the ledger itself."),
		attr("link", Text, "Address with more about it: http or https."),
	}
}

const annotationTables = "annotations"

var storedAnnotations = Dataset{
	Name:     "stored_annotations",
	Lead:     []string{"at", "kind", "text", "key", "value", "until", "source", "stored_by", "annotation_id"},
	InPart:   true,
	Logged:   true,
	Windowed: true,
	Doc:      "Annotations that were imported or written by REST, with who stored each and when.",
	Columns: sourced(annotationTables, slices.Concat(
		[]Column{attr("annotation_id", ID, "Annotation, by its content.")},
		annotationTexts(),
		[]Column{
			attr("stored_at", Time, "When it was stored."),
			attr("stored_by", Text, "Who stored it: a user, or import."),
		},
	)...),
	RowKey: []string{"annotation_id"},
	Order:  []Order{{Column: "at"}},
}

var annotations = Dataset{
	Name:     "annotations",
	Lead:     []string{"at", "kind", "text", "key", "value", "until", "source"},
	InPart:   true,
	Logged:   true,
	Windowed: true,
	Doc: "Events for time axes: deploys, notes and others from people and pipelines; closes, steps of budgets and " +
		"interruption storms from the ledger itself; changed prices from price books.",
	Columns: sourced("annotations, statements, budgets, costs, inference, policies, interruptions, rates", annotationTexts()...),
	RowKey:  []string{"at", "kind", "key", "value", "text", "source", "until", "link"},
	Order:   []Order{{Column: "at"}},
	Derived: annotationRows,
}

// feeds are the origins of events. Those of the ledger have one kind each.
var feeds = []struct {
	known map[string]string // values that all of its annotations have
	read  func(ctx context.Context, w period.Interval, from Source) ([]ledger.Annotation, error)
}{
	{nil, storedEvents},
	{ofLedger(ledger.AnnotationClose), closes},
	{ofLedger(ledger.AnnotationBudget), stepsOfBudgets},
	{ofLedger(ledger.AnnotationInterruptions), storms},
	{map[string]string{"kind": string(ledger.AnnotationPrice), "source": AnnotationsOfPrices}, priceChanges},
}

func ofLedger(kind ledger.AnnotationKind) map[string]string {
	return map[string]string{"kind": string(kind), "source": ledger.AnnotationsOfLedger}
}

// annotationRows reads the feeds whose events the filter may keep. A feed from a dataset that refuses scoped users is
// left out for them.
func annotationRows(ctx context.Context, q Query, from Source) ([][]Value, error) {
	var rows [][]Value
	for _, f := range feeds {
		if may, _ := decided(q.Filter, f.known); !may {
			continue
		}
		list, err := f.read(ctx, q.Window, from)
		if scoped := (*access.ScopeError)(nil); errors.As(err, &scoped) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, a := range list {
			if a.Overlaps(q.Window) {
				rows = append(rows, annotationRow(a))
			}
		}
	}
	return rows, nil
}

func annotationRow(a ledger.Annotation) []Value {
	text := func(s string) Value { return Value{Valid: s != "", Text: s} }
	at := func(s period.Second) Value { return Value{Valid: s != 0, Time: s.Time()} }
	return []Value{
		at(a.At), at(a.Until), text(string(a.Kind)), text(a.Key), text(a.Value), text(a.Text), text(a.Source), text(a.Link),
	}
}

// allOf asks for the rows of a dataset in a window.
func allOf(d *Dataset, w period.Interval, only ...string) Query {
	q := Query{Dataset: d, Window: w, Zone: "UTC", Granularity: d.Step(), Basis: ledger.EffectiveCost, Only: only}
	q.completeOrder()
	return q
}

// storedEvents are the stored annotations.
func storedEvents(ctx context.Context, w period.Interval, from Source) ([]ledger.Annotation, error) {
	a, err := ReadAnswer(ctx, from, allOf(&storedAnnotations, w))
	if err != nil {
		return nil, err
	}
	list := make([]ledger.Annotation, len(a.Rows))
	for i, row := range a.Rows {
		text := func(column string) string { return row[a.At(column)].Text }
		list[i] = ledger.Annotation{At: a.second(row, "at"), Until: a.second(row, "until"),
			Kind: ledger.AnnotationKind(text("kind")), Key: text("key"), Value: text("value"), Text: text("text"),
			Source: text("source"), Link: text("link")}
	}
	return list, nil
}

// closes are the statements of closed periods.
func closes(ctx context.Context, _ period.Interval, from Source) ([]ledger.Annotation, error) {
	a, err := ReadAnswer(ctx, from, allOf(&statements, period.Interval{}))
	if err != nil {
		return nil, err
	}
	list := make([]ledger.Annotation, len(a.Rows))
	for i, row := range a.Rows {
		text := func(column string) string { return row[a.At(column)].Text }
		said := fmt.Sprintf("%s closed %s, statement %d", text("closed_by"), text("billing_period"),
			row[a.At("version")].Int)
		if at := a.second(row, "reopened_at"); at != 0 {
			said += fmt.Sprintf("; reopened on %s by %s", at.Time().Format(time.DateOnly), text("reopened_by"))
		}
		list[i] = ledger.Annotation{At: a.second(row, "closed_at"), Kind: ledger.AnnotationClose, Key: "billing_account",
			Value: text("billing_account"), Text: said, Source: ledger.AnnotationsOfLedger}
	}
	return list, nil
}

// storms are the hours in which more than PilotAlarm spot machines of a cluster were taken away.
func storms(ctx context.Context, w period.Interval, from Source) ([]ledger.Annotation, error) {
	w.From = w.From.Floor(period.Hour)
	if w.To != 0 {
		w.To = (w.To + period.Hour - 1).Floor(period.Hour)
	}
	a, err := ReadAnswer(ctx, from, allOf(&interruptions, w, "at"))
	if err != nil {
		return nil, err
	}
	type hour struct {
		cluster string
		start   period.Second
	}
	taken := map[hour]map[string]bool{} // a machine has a row per attempt and currency
	for _, row := range a.Rows {
		at := a.second(row, "at")
		in := hour{row[a.At("cluster")].Text, at.Floor(period.Hour)}
		if taken[in] == nil {
			taken[in] = map[string]bool{}
		}
		taken[in][row[a.At("node")].Text+" "+at.String()] = true
	}
	var list []ledger.Annotation
	for in, machines := range taken {
		if len(machines) <= PilotAlarm {
			continue
		}
		list = append(list, ledger.Annotation{At: in.start, Until: in.start + period.Hour,
			Kind: ledger.AnnotationInterruptions, Key: "cluster", Value: in.cluster,
			Text: fmt.Sprintf("%d spot machines were taken away", len(machines)), Source: ledger.AnnotationsOfLedger})
	}
	return list, nil
}

// second is an instant of a row, cut to the second; 0: none.
func (a *Answer) second(row []Value, column string) period.Second {
	if v := row[a.At(column)]; v.Valid {
		return period.FromTime(v.Time)
	}
	return 0
}
