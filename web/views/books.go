package views

// Reconciliation compares bills with postings.
type Reconciliation struct {
	Shell
	Sentence, Sub string
	Table         Table
	Note          string
	None          string
	Notes         []string
	Error         *PanelError
}

// MetricsDoc is the documentation of datasets, from their definitions.
type MetricsDoc struct {
	Shell
	Datasets []DatasetDoc
}

// DatasetDoc describes one dataset.
type DatasetDoc struct {
	Name, Doc string
	Table     Table
}

// Message is a page that says one thing: not found, failed.
type Message struct {
	Shell
	Sentence, Sub string
	Error         *PanelError
	Link          Link
}
