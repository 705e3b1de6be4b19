package views

import "gpuledger/metrics"

// ReferenceView is /docs/metrics: every definition, or those that the search or the
// parameter of select.
type ReferenceView struct {
	Shell
	Sentence, Sub string
	Text          string // search text
	Chapters      []metrics.Section
	Contents      []Link // all chapters; none while searching
	None          string
	All           Link // back to all definitions; empty if all are shown
}
