package dashboard

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/operate"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// figuresPage is a page that is drawn from a dataset's definition: what it
// asks, which columns it shows and in which words. Names, units, formulas,
// targets and caveats come from the columns.
type figuresPage struct {
	Path, Title string // "/inference", "Inference"
	Group       string // heading in the rail
	Of          string // what the rows are where they have no groupings; empty: the title
	Dataset     string
	Filter      string // terms that always hold
	Rows        string // terms of the rows alone, where the whole has others
	By          string // keys that rows are grouped by; empty: the dataset's own rows
	Groupings   []grouping
	Order       string
	Facts       []column // of the whole: the line on top
	Course      *course  // over time
	Columns     []column
	// Causes splits a row's cost for its strip; nil: no strip.
	Causes func(record) map[ledger.Cause]money.Amount
	// Reads are columns that Causes, Say and Row read beside those that are shown.
	Reads []string
	// Say is the page's sentence, from the whole and its rows.
	Say   func(p *pageContext, f *figuresReading) (sentence, sub string)
	None  string       // what brings rows, or that all is well
	First string       // what brings the first row, where None says that all is well
	Links []views.Link // of the table, before its CSV
	Notes []string
	// More are panels below the table.
	More []figuresPanel
	// Row is the address of a row's own page, empty for none.
	Row func(p *pageContext, r record) string
	// Apart are rows of the same money: there is no row of all.
	Apart bool
	// Decide has a decision at the end of each of the dataset's own rows.
	Decide bool
}

// grouping is a choice of what rows are of.
type grouping struct{ Text, Keys string }

// column shows a column of the dataset under a shorter name.
type column struct {
	Name, Text string
	Class      string // widths at which it is shown: "wide-only"
	Alone      bool   // rows overlap in it: the row of all has none
	Sub        string // column printed below it
	// Why finds the costs that explain a figure, or what spot saved where Saved
	// says so; nil: nothing does.
	Why   whyFilter
	Saved bool
}

// course draws a column per day for the largest groups.
type course struct {
	Title, Note string
	Column      string
	Per         string // key of its lines, where it is not that of the page
}

// figuresPanel is a further table of its own dataset.
type figuresPanel struct {
	Title, Note string
	Dataset     string
	Filter      string
	By          string
	Step        string // granularity, of datasets that are cut in time
	Order       string
	Columns     []column
	None        string
	Notes       []string
	// Layouts draws the rows above their table.
	Layouts bool
	Limit   int
	Row     func(p *pageContext, r record) string
}

// mostFigures is how many rows a page of figures lists at once; the API has all.
const mostFigures = 100

// rowsThemselves is the grouping that is none.
const rowsThemselves = "rows"

// by is what the rows of the page are grouped by.
func (f *figuresPage) by(s scope) string {
	switch s.Group {
	case "":
		return f.By
	case rowsThemselves:
		return ""
	}
	return s.Group
}

// order is the active order: the asked one, else the page's own where the rows
// have its column.
func (f *figuresPage) order(s scope, q metrics.Query) string {
	if s.Order != "" {
		return s.Order
	}
	for _, order := range []string{f.Order, "-" + s.Basis + "_cost"} {
		name := strings.TrimPrefix(order, "-")
		if name != "" && slices.ContainsFunc(q.Columns(), func(c metrics.Column) bool { return c.Name == name }) {
			return order
		}
	}
	return ""
}

// figures answers a page of figures.
func (d *Dashboard) figures(f *figuresPage) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { d.figuresPage(w, r, f, http.StatusOK, decisions{}) }
}

// figuresPage answers it after a decision, or none.
func (d *Dashboard) figuresPage(w http.ResponseWriter, r *http.Request, f *figuresPage, status int, now decisions) {
	s, err := readScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	now.open, now.id = f.Decide && d.desk.Operators.Any(operate.MayAdvise), cmp.Or(now.id, s.Decide)
	one := cmp.Or(now.done, now.id, s.Row) // the row that scripts ask for
	if now.done != "" {
		now.id = ""
	}
	s.Decide, s.Row = "", ""
	q, err := metrics.Parse(f.Dataset, s.figures(f.Dataset, metrics.Options{Filter: both(f.Filter, f.Rows), GroupBy: f.by(s)}))
	if err == nil {
		_, err = metrics.Parse(f.Dataset, s.figures(f.Dataset, metrics.Options{Filter: both(f.Filter, f.Rows), GroupBy: f.by(s), Order: f.order(s, q)}))
	}
	if err != nil {
		d.refused(w, r, err)
		return
	}
	p := &pageContext{scope: s}
	v := views.Figures{Shell: d.shell(r, s, strings.TrimPrefix(f.Path, "/"), f.Title), Title: f.Title, Errors: map[string]views.PanelError{}}
	reading := d.readFigures(r.Context(), p, f, f.order(s, q))
	reading.decisions = now
	if reading.err != nil {
		e := d.panelError(s, reading.err, f.Title)
		v.Error, v.Sentence = &e, f.Title+" could not be read."
		d.render(w, r, http.StatusOK, views.FiguresPage(v))
		return
	}
	v.Earlier, v.Later = p.neighbours()
	p.figuresView(&v, f, reading)
	if names := reading.unasked(); len(names) > 0 {
		d.log.ErrorContext(r.Context(), "a page reads columns that it did not ask for", "page", f.Path, "columns", names)
	}
	if reading.courseErr != nil {
		v.Errors["course"] = d.panelError(s, reading.courseErr, f.Course.Title)
	}
	for i, err := range reading.moreErr {
		if err != nil {
			v.Errors[f.More[i].Title] = d.panelError(s, err, f.More[i].Title)
		}
	}
	if one != "" && now.open && scripted(r) {
		d.render(w, r, status, views.DecidedRowOf(decidedRow(now, &v, one)))
		return
	}
	d.render(w, r, status, views.FiguresPage(v))
}

// figuresView lays a reading out.
func (p *pageContext) figuresView(v *views.Figures, f *figuresPage, r *figuresReading) {
	if list := named(r.currencies); len(list) > 0 {
		p.currency = format.Currency(cmp.Or(p.scope.Currency, list[0]))
	}
	v.Bar = p.bar(choices{teams: r.teams, currencies: named(r.currencies)})
	v.Bar.Menus = slices.DeleteFunc(v.Bar.Menus, func(m views.Menu) bool { return m.Label == "Cost" && !r.dataset.HasMoney() })
	if len(f.Groupings) > 0 {
		v.Bar.Menus = append(v.Bar.Menus, p.groupMenu(f))
	}
	if key, value, ok := p.scope.within1(); ok {
		v.Bar.Chips = append(v.Bar.Chips, views.Chip{Label: strings.ReplaceAll(key, "_", " ") + " is", Value: value, Remove: p.scope.with("within", "", "group", "")})
	}
	v.Sentence, v.Sub = f.Title+".", r.dataset.Doc
	if len(r.rows) == 0 {
		p.emptyFigures(v, f)
		return
	}
	if f.Say != nil {
		v.Sentence, v.Sub = f.Say(p, r)
	}
	v.Facts = p.figureFacts(f, r)
	v.AsTable = p.scope.AsTable
	if f.Course != nil && r.course != nil {
		v.Course = p.drawCourse(f, r)
	}
	v.Table = views.TablePanel{Title: f.heading(p.scope), Note: p.shownRows(r), Table: p.figuresTable(f, r)}
	v.Table.Links = append(slices.Clone(f.Links), views.Link{Text: "CSV", Href: p.scope.figuresAPI(f, metrics.Options{GroupBy: f.by(p.scope), Filter: both(f.Filter, f.Rows), Order: r.order})})
	v.Table.Notes = p.figureNotes(f, r)
	if p.scope.Page > 1 {
		v.Previous = p.scope.with("page", strconv.Itoa(p.scope.Page-1))
	}
	if r.further {
		v.Next = p.scope.with("page", strconv.Itoa(p.scope.Page+1))
	}
	for i := range f.More {
		if r.moreErr[i] == nil {
			v.More = append(v.More, p.morePanel(&f.More[i], r.more[i]))
		} else {
			v.More = append(v.More, views.TablePanel{Title: f.More[i].Title})
		}
	}
}

// emptyFigures says why there are no rows, and the way out.
func (p *pageContext) emptyFigures(v *views.Figures, f *figuresPage) {
	v.Sub = ""
	v.Sentence, v.None = "Nothing to show for "+format.Days(p.shown())+".", f.None
	var filter []string
	for _, t := range [][2]string{{"team", p.scope.Team}, {"cluster", p.scope.Cluster}, {"", strings.ReplaceAll(p.scope.Within, ":", " ")}, {"currency", p.scope.Currency}} {
		if strings.TrimSpace(t[1]) != "" {
			filter = append(filter, strings.TrimSpace(t[0]+" "+t[1]))
		}
	}
	switch {
	case p.extent.Empty():
		v.Sentence, v.None = "Nothing is in the ledger yet.", cmp.Or(f.First, f.None)
		v.Way = views.Link{Text: "What to import first", Href: "/"}
	case p.scope.Page > 1:
		v.None = "There is no page " + format.Count(int64(p.scope.Page)) + "."
		v.Way = views.Link{Text: "To the first page", Href: p.scope.with("page", "")}
	case len(filter) > 0:
		v.None = "Nothing matches " + listed(filter) + "."
		v.Way = views.Link{Text: "Clear the filter", Href: p.scope.with("team", "", "cluster", "", "within", "", "currency", "", "group", "")}
	}
}

// heading is what the rows are: "Services", "By team".
func (f *figuresPage) heading(s scope) string {
	for _, g := range f.Groupings {
		if g.Keys == cmp.Or(f.by(s), rowsThemselves) {
			return g.Text
		}
	}
	return cmp.Or(f.Of, f.Title)
}

// elsewhereIn says what other currencies hold, and what has no price.
func (p *pageContext) elsewhereIn(r *figuresReading) string {
	var others []string
	unpriced := false
	for _, c := range r.currencies {
		switch c {
		case string(p.currency):
		case "":
			unpriced = p.currency != ""
		default:
			others = append(others, c)
		}
	}
	switch {
	case len(others) > 0 && unpriced:
		return "Not added: " + listed(others) + ", and what has no price"
	case len(others) > 0:
		return "Not added: " + listed(others)
	case unpriced:
		return "Not in it: what has no price"
	}
	return ""
}

// groupMenu offers what rows can be of.
func (p *pageContext) groupMenu(f *figuresPage) views.Menu {
	m := views.Menu{Label: "Rows", Value: f.heading(p.scope)}
	now := cmp.Or(f.by(p.scope), rowsThemselves)
	for _, g := range f.Groupings {
		keys := g.Keys
		if keys == cmp.Or(f.By, rowsThemselves) {
			keys = ""
		}
		m.Items = append(m.Items, views.MenuItem{Text: g.Text, Href: p.scope.with("group", keys, "order", "", "page", ""), Current: g.Keys == now})
	}
	return m
}

func (p *pageContext) shownRows(r *figuresReading) string {
	from := (p.scope.Page - 1) * mostFigures
	if p.scope.Page == 1 && !r.further {
		return format.Count(int64(len(r.rows)))
	}
	return format.Count(int64(from+1)) + " – " + format.Count(int64(from+len(r.rows)))
}

// figureNotes are the foot of the table: basis, and why figures are n/a.
func (p *pageContext) figureNotes(f *figuresPage, r *figuresReading) []string {
	var notes []string
	if r.dataset.HasMoney() {
		notes = append(notes, basisNames[p.scope.Basis][0]+" cost, before sharing, "+string(p.currency))
		if others := p.elsewhereIn(r); others != "" {
			notes = append(notes, others)
		}
	}
	for _, left := range p.scope.leftOut(r.dataset) {
		notes = append(notes, left+" is no filter of these figures: they are of all")
	}
	return append(append(notes, f.Notes...), leftOutColumns(f.Columns, r.rows, r.keys)...)
}
