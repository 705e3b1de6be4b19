package views

// Reconciliation compares bills with postings.
type Reconciliation struct {
	Shell
	Sentence, Sub string
	Books         []BookPanel // one per currency
	Links         []Link
	None          string
	Clear         string // link that clears the filter which found nothing
	Notes         []string
	Deliveries    TablePanel
	Restatements  TablePanel
	Error         *PanelError
	// Errors by panel: "deliveries", "restatements".
	Errors map[string]PanelError
}

// BookPanel is the bills of one currency.
type BookPanel struct {
	Title, Note string
	Table       Table
}

// TablePanel is a panel that holds a table, or says why there is none.
type TablePanel struct {
	Name        string // name of the table, if it has a question
	Title, Note string
	Links       []Link
	Asked       Asked // the table's question; may be empty
	Table       Table
	None        string
	Notes       []string
	// Layouts is a chart above the table, with the same data.
	Layouts *LayoutHistory
}

// Data is the page of imports and configured sources.
type Data struct {
	Shell
	Sentence, Sub string
	Running       Running
	Sources       *TablePanel // nil: this server has no configuration
	Journal       TablePanel
	Exports       TablePanel // schedules of exports
	Errors        map[string]PanelError
}

// Running is the panel of running imports; it refreshes itself.
type Running struct {
	Poll    string // address of the refreshed panel
	Trigger string // how often: "every 2s"
	Again   string // this page, for browsers without scripts
	Imports []RunningImport
	None    string
	Said    string // imports that have just ended, for screen readers
	// Journal, when set, replaces the journal too: an import has ended.
	Journal *TablePanel
}

// RunningImport is one import under way.
type RunningImport struct {
	Name, Place string
	Href        string
	Phase       string
	Done, Whole string // for the progress element; empty: unknown
	Facts       []Fact
	Label       string // of the progress element
	Stale       *Tag   // set if the import has not reported for a while
}

// ImportDetail is one import with its rejections.
type ImportDetail struct {
	Shell
	Back          Link
	Sentence, Sub string
	State         Tag
	Facts         []Fact
	Message       string
	Reasons       TablePanel
	Rejections    TablePanel
	Deliveries    TablePanel
	Errors        map[string]PanelError
}

// Message is a page with a single message, such as "not found".
type Message struct {
	Shell
	Sentence, Sub string
	Error         *PanelError
	Link          Link
}
