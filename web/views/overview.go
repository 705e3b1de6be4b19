package views

import (
	"github.com/a-h/templ"

	"gpuledger/web/views/chart"
)

// Overview is the start page: where each GPU dollar went.
type Overview struct {
	Shell
	Sentence, Sub string
	Spend         Headline
	Facts         []Fact
	SpendPanel    templ.Component
	Funnel        templ.Component
	Tree          templ.Component
	Change        templ.Component // nil: nothing to compare with
	Attention     Attention
	Books         Books
	Troubles      []Alert // bills that were refused or are late
	Dollar        Dollar
	Teams         Teams
	Classes       Table
	ClassNote     string
	Providers     Table // none with a single provider
	ProviderLinks []Link
	Tiles         []Tile
	Targets       []Tile
	Runs          Table
	RunsTitle     string
	RunsNote      string
	RunsLinks     []Link
	Notes         []string // basis, sharing, quality, policy

	// First lists the missing sources, while one is missing without
	// which most figures would be wrong. Alone shows the figures of the others.
	First *FirstRun
	Alone *Alone
	// Nothing replaces the panels if the filter matches nothing.
	Nothing *Nothing
	// Errors by panel: "daily", "dollar", "teams", "runs", "books".
	Errors map[string]PanelError
	// AsTable shows the tables behind the charts instead.
	AsTable bool
}

// LegendItem names a series, top first.
type LegendItem struct{ Class, Name string }

// Attention lists facts to act on, worst first.
type Attention struct {
	Alerts []Alert
	None   string // lists the checks, if there are no alerts
	All    *Link
}

// Alert is one fact. Tone is "bad", "warn" or empty. Owner says who acts, Due by when; both are always set.
type Alert struct {
	Tone, What, Detail, Href string
	Owner, Due               string
}

// Books is the summary of the reconciliation.
type Books struct {
	Title string
	Note  string
	Href  string
	Rows  []BookRow
	None  string
}

// BookRow is one source and period.
type BookRow struct {
	Name       string
	Account    string
	Source     string // the export, on hover
	Total      Figure
	Difference Figure
	Off        bool // bill and postings differ
	State      Tag
}

// Dollar is the strip with cents, the flow and their twins.
type Dollar struct {
	Title  string // "Where each dollar went"
	Scope  string // "price class → cause → team"
	Strip  Strip
	Flow   chart.FlowDrawing
	Causes Table
	Twin   Table // class, cause, team
	Links  []Link
	Notes  []string
}

// Teams is spend by team over time.
type Teams struct {
	Drawing chart.LineDrawing
	Small   chart.LineDrawing
	Table   Table
	Twin    Table
	Links   []Link
	Unit    string
	Lines   bool // false: a single step, so no lines
}

// Tile is a figure with a sparkline.
type Tile struct {
	Name   string
	Value  Figure
	Change string
	Spark  string
	Note   string
	Tag    *Tag
	Define string // anchor of its definition
	Third  bool   // four in a row instead of six
	Fourth bool   // three in a row
	Goal   *Goal  // nil: no target
}

// Goal is a target, and how the tile's value compares with it.
type Goal struct {
	Text, Title string
	Tag         *Tag // nil: nothing to compare
}

// Alone shows the figures of one source without the others.
type Alone struct {
	Title string
	Tag   Tag
	Head  Headline
	Strip Strip
	Table Table
	Notes []string
}

// Nothing says why there is nothing to show, with a link back.
type Nothing struct {
	What string
	Link Link
}

// FirstRun lists the sources that a ledger needs.
type FirstRun struct {
	Done  string // "1 of 4 done"
	Steps []FirstStep
}

// FirstStep is one source that the ledger waits for.
type FirstStep struct {
	Number  string
	Done    bool
	Name    string
	Source  string
	Detail  string
	Command string
}
