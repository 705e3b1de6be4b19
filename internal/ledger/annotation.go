package ledger

import "gpuledger/internal/period"

// AnnotationKind is what happened.
type AnnotationKind string

// Kinds of annotations.
const (
	AnnotationDeploy        AnnotationKind = "deploy"
	AnnotationPrice         AnnotationKind = "price"
	AnnotationClose         AnnotationKind = "close"
	AnnotationInterruptions AnnotationKind = "interruptions"
	AnnotationBudget        AnnotationKind = "budget"
	AnnotationNote          AnnotationKind = "note"
)

// AnnotationKinds lists them.
var AnnotationKinds = []AnnotationKind{
	AnnotationDeploy, AnnotationPrice, AnnotationClose, AnnotationInterruptions, AnnotationBudget, AnnotationNote,
}

// AnnotationsOfLedger is the source of events of the ledger itself. No imported row may have it.
const AnnotationsOfLedger = "ledger"

// Annotation is an event to be drawn on a time axis.
type Annotation struct {
	At     period.Second
	Until  period.Second // exclusive; 0: it happened at one instant
	Kind   AnnotationKind
	Key    string // a group key; empty or "all": the whole fleet
	Value  string // of Key
	Text   string
	Source string
	Link   string // http or https
}

// ID identifies an annotation by its content.
func (a *Annotation) ID() ID {
	return NewID("annotation", a.At.String(), a.Until.String(), string(a.Kind), a.Key, a.Value, a.Text, a.Source, a.Link)
}

// Overlaps reports whether an annotation lies in a window, at least in part. A bound of 0 is open.
func (a *Annotation) Overlaps(w period.Interval) bool {
	return (w.To == 0 || a.At < w.To) && (a.At >= w.From || a.Until > w.From)
}
