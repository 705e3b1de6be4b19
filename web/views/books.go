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
	Title, Note string
	Links       []Link
	Table       Table
	None        string
	Notes       []string
	// Layouts stands above the table, which says the same.
	Layouts *LayoutHistory
}

// Data is the page of imports and configured sources.
type Data struct {
	Shell
	Sentence, Sub string
	Running       Running
	Sources       *TablePanel // nil: this server has no configuration
	Journal       TablePanel
	Errors        map[string]PanelError
}

// Running is what is being imported now; it asks again by itself.
type Running struct {
	Poll    string // address that answers the newest state
	Trigger string // how often: "every 2s"
	Again   string // this page, for browsers without scripts
	Imports []RunningImport
	None    string
	Said    string // what has just ended, read out
	// Journal, when set, replaces the journal too: an import has ended.
	Journal *TablePanel
}

// RunningImport is one import under way.
type RunningImport struct {
	Name, Place string
	Href        string
	Phase       string
	Done, Whole string // for the progress element; empty: not known
	Facts       []Fact
	Label       string // of the progress element
	Stale       *Tag   // nothing was heard of it for a while
}

// ImportDetail is one import with what it refused.
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

// Message is a page that says one thing: not found, failed.
type Message struct {
	Shell
	Sentence, Sub string
	Error         *PanelError
	Link          Link
}
