package views

import (
	"slices"

	"github.com/a-h/templ"
)

// Shell is the frame of every page.
type Shell struct {
	Title  string // of the document
	Active string // the page: "overview", "runs", "inference"
	Theme  string // "light", "dark" or "system"
	Here   string // path and query of this page, to return to
	Query  string // query string of the filter with "?", kept by navigation; may be empty
	Assets Assets
	Bar    Bar
	Tenant string // whose ledger it is; empty: not said
	Nav    []NavGroup
	Signed *Signed // the signed-in user; nil: none
	Open   bool    // access control is off; the rail says so
	Saves  bool    // the page can be saved under a name
	// Earlier and Later are the addresses of the neighbouring periods, for the keys [ and ];
	// empty if there is none.
	Earlier, Later string
	Pending        string // figures that are still being computed; empty when all are there
	// Content is the page inside its frame, where the frame is sent first; nil: the page is whole. Inside marks the page
	// that goes there.
	Content templ.Component
	Inside  bool
}

// NavGroup is a heading of the rail with its pages.
type NavGroup struct {
	Title  string // empty: none
	Links  []NavLink
	Folded bool // until one of its pages is shown, or the user unfolds it
}

// Unfolded reports whether the pages of a group are visible.
func (g NavGroup) Unfolded() bool {
	return !g.Folded || slices.ContainsFunc(g.Links, func(l NavLink) bool { return l.Current })
}

// NavLink is a page in the rail.
type NavLink struct {
	Text, Href string
	Current    bool
}

// Assets are the addresses of static files.
type Assets struct {
	Stylesheet, Script, HTMX, Icon string
	Fonts                          []string // preloaded
}

// Bar is the filter bar: menus, chips of active filters, and the age and quality of
// the data.
type Bar struct {
	Menus  []Menu
	Chips  []Chip
	Filter *Menu // "+ Filter"
	Find   *Find // instead of the search for runs
	AsOf   string
	Tone   string // "good", "warn" or empty
	Tags   []Tag
}

// bare reports whether the bar has only the search.
func (b Bar) bare() bool {
	return len(b.Menus)+len(b.Chips)+len(b.Tags) == 0 && b.Filter == nil && b.Find == nil && b.AsOf == ""
}

// folds reports whether the bar has menus that narrow screens fold into a sheet.
func (b Bar) folds() bool {
	return b.Filter != nil || slices.ContainsFunc(b.Menus, func(m Menu) bool { return m.WideOnly })
}

// Find is a page's own search; its text goes as q.
type Find struct {
	Action, Label, Placeholder, Text string
	Hidden                           [][2]string
}

// Menu is a <details> list of links.
type Menu struct {
	Label, Value string
	Items        []MenuItem
	Keys         []Link // keys to filter by
	// Form, when set, asks for a period by two dates.
	Form *PeriodForm
	// Condition, when set, asks for a filter in the language of reports.
	Condition *ConditionForm
	// WideOnly menus move into the filter sheet on narrow screens.
	WideOnly bool
}

// MenuItem is a link, or a heading when Href is empty.
type MenuItem struct {
	Text, Note, Href string
	Current          bool
}

// PeriodForm sends from and to by GET, with hidden fields for the rest.
type PeriodForm struct {
	Action, From, To string
	Hidden           [][2]string
}

// ConditionForm sends filter by GET, with hidden fields for the rest.
type ConditionForm struct {
	Action, Text, Example string
	Most                  int // bytes
	Hidden                [][2]string
}

// Chip is a filter with the link that removes it.
type Chip struct {
	Label, Value, Remove string
	Off                  bool // what the page shows does not have its key
}

// Tag is one or two words on a tint: Tone is "", "good", "warn", "bad" or "est".
type Tag struct{ Text, Tone, Title string }

// Figure is a printed value with its exact digits for hover and copying.
type Figure struct {
	Text  string
	Exact string // all digits with unit, for reading
	Copy  string // all digits without unit and separators
	Title string // hover text: exact value, basis, state or the reason of n/a
	Zero  bool
	Tag   *Tag // after the text: est. or assumed
}

// Link is a named address.
type Link struct {
	Text, Href string
	Twin       bool // the table twin of a chart
	Drawer     bool // opens in the explain drawer where scripts run
}

// Fact is a name, a figure and a line below it.
type Fact struct {
	Name   string
	Value  Figure
	Note   string
	Tag    *Tag
	Define string // anchor of its definition
	Why    string // address of the value's explanation
}

// PanelError replaces a panel that failed.
type PanelError struct {
	Tag   string // "timed out", "failed"
	What  string // what happened, one sentence
	Holds string // names the parts that are not affected
	Retry string // empty: a retry does not help
	// Narrow links to a smaller query, which is faster; empty if there is none.
	Narrow Link
	Ref    string
	Part   string // the address of the failed part alone, for scripts; empty: the page is loaded again
}

// LaterPart is a part of a page that has its own address.
type LaterPart struct {
	Name, Title, Href string
	Class             string          // its place in the grid
	Plain             bool            // text rather than a panel
	Shell             *Shell          // set if the part is all content of a page
	Heading           string          // of the page, if the part has it
	Lead              templ.Component // comes first; may be nil
}

// Headline is the main figure of a page. Rule is "final", "provisional" or empty.
type Headline struct {
	Name   string
	Figure Figure
	Rule   string
	Tag    *Tag
	// Effective is the exact effective cost, whatever basis is shown.
	Effective string
	Define    string // anchor of its definition; empty: that of effective cost
	Why       string // address of its explanation
}

// Strip is the cause strip: 100 % of the money in fixed order.
type Strip struct {
	Label    string // for screen readers, instead of the picture
	Segments []Segment
	Size     string // "head", "row" or "dense"
}

// Segment is one cause of a strip.
type Segment struct {
	Cause  string
	Label  string
	Amount string
	Cents  string
	Grow   string // class g1 … g1000
	Bound  bool   // an upper bound: drawn as a hatch without fill
	Named  bool   // in the legend: the first segment of its cause
	Fits   string // class of the widths at which its cents fit below the strip
}

// SortLink is a table head that sorts.
type SortLink struct {
	Text, Href string
	Sort       string // aria-sort: "ascending", "descending" or empty
	Number     bool
	Rate       bool // a price or share: the rows do not add up to the total
	Class      string
	Title      string
	Define     string // anchor of its definition
}
