package views

import "gpuledger/metrics"

// ReferenceView is /docs/metrics: every definition, or those that were asked
// for.
type ReferenceView struct {
	Shell
	Sentence, Sub string
	Text          string // what is searched for
	Chapters      []metrics.Section
	Contents      []Link // all chapters; none while searching
	None          string
	All           Link // back to everything; empty when all is shown
}
