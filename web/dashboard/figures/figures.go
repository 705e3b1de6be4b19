package figures

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// mostFigures is the number of rows per page; the API has all rows.
const mostFigures = 100

// answer reads a page of figures, lays it out and writes it; now holds a decision of the same request.
func (d *room) answer(w http.ResponseWriter, r *http.Request, f *Page, status int, now decisions) {
	s, err := page.ReadFiltered(r, f.Dataset, f.by)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	now.open, now.token = d.Desk.Offers(r.Context(), access.Advise)
	now.open, now.id = f.Decide && now.open, cmp.Or(now.id, s.Decide)
	one := cmp.Or(now.done, now.id, s.Row) // the row to send to scripts
	if now.done != "" {
		now.id = ""
	}
	s.Decide, s.Row = "", ""
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	if s.Complete {
		extent, err := d.Reader.Extent(ctx)
		if err != nil {
			d.Broken(w, r, s, strings.TrimPrefix(f.Path, "/"), err)
			return
		}
		s = s.Shown(extent)
	}
	f, err = f.at(ctx, d.Reader, s)
	if err != nil {
		d.Broken(w, r, s, strings.TrimPrefix(f.Path, "/"), err)
		return
	}
	q, err := metrics.Parse(f.Dataset, s.For(f.Dataset, metrics.Options{Filter: f.terms(s), GroupBy: f.by(s)}))
	if err == nil {
		_, err = metrics.Parse(f.Dataset,
			s.For(f.Dataset, metrics.Options{Filter: f.terms(s), GroupBy: f.by(s), Order: f.order(s, q)}))
	}
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	p := &page.Context{Scope: s}
	v := views.Figures{Shell: d.Shell(r, s, strings.TrimPrefix(f.Path, "/"), f.Title), Title: f.Title,
		Errors: map[string]views.PanelError{}}
	reading := d.readFigures(ctx, p, f, f.order(s, q))
	reading.decisions = now
	if reading.err != nil {
		e := d.PanelError(s, reading.err, f.Title)
		v.Error, v.Sentence = &e, f.Title+" could not be read."
	} else {
		v.Earlier, v.Later = p.Neighbours()
		figuresView(p, &v, f, reading)
	}
	if len(reading.Rows) > 0 || f.beside != nil {
		d.addPanels(ctx, p, &v, f, reading)
	}
	if f.beside != nil {
		f.beside(ctx, s, reading, &v)
	}
	if names := reading.unasked(); len(names) > 0 {
		d.Log.ErrorContext(r.Context(), "a page reads columns that it did not ask for", "page", f.Path, "columns", names)
	}
	if reading.courseErr != nil {
		v.Errors["course"] = d.PanelError(s, reading.courseErr, f.Course.Title)
	}
	if one != "" && now.open && scripted(r) {
		d.Render(w, r, status, views.DecidedRowOf(decidedRow(now, &v, one)))
		return
	}
	d.Render(w, r, status, views.FiguresPage(v))
}

// example is an example of a condition on a dataset.
func example(d *metrics.Dataset) string {
	var terms []string
	if page.Takes(d, "team") {
		terms = append(terms, "team = nlp")
	}
	if i := slices.IndexFunc(d.Columns, func(c metrics.Column) bool { return c.Unit == "currency" }); i >= 0 {
		terms = append(terms, d.Columns[i].Name+" > 100")
	}
	if terms == nil {
		terms = []string{d.Columns[0].Name + " is not null"}
	}
	return strings.Join(terms, " and ")
}

// figuresView lays a reading out.
func figuresView(p *page.Context, v *views.Figures, f *Page, r *Reading) {
	named := page.Named(r.currencies)
	if len(named) > 0 {
		p.Currency = format.Currency(cmp.Or(p.Scope.Currency, named[0]))
	}
	choices := page.Choices{Teams: r.teams, Currencies: named, Where: cmp.Or(f.Where, example(r.dataset))}
	choices.Dataset, choices.Timeless = f.Dataset, !f.windowed()
	if f.Only != nil { // it narrows the rows by provider
		choices.Takes = []string{"provider"}
	}
	if f.Every {
		choices.Currencies, p.Several = nil, len(named) > 1 && p.Scope.Currency == ""
	}
	v.Bar = p.Bar(choices)
	if f.Every && len(r.currencies) > 1 {
		v.Bar.Menus = append(v.Bar.Menus, p.CurrencyMenu(r.currencies, p.Several))
	}
	showPicks(p, f, r, &v.Bar)
	if f.Search != nil {
		v.Search = &views.Search{Action: f.Path, Label: f.Search.Label, Hint: f.Search.Hint, Text: p.Scope.Text,
			Hidden: p.Scope.Others("q")}
	}
	v.Bar.Menus = slices.DeleteFunc(v.Bar.Menus, func(m views.Menu) bool {
		return m.Label == "Cost" && !r.based()
	})
	if len(f.Groupings) > 0 {
		v.Bar.Menus = append(v.Bar.Menus, groupMenu(p, f))
	}
	if key, value, ok := p.Scope.NarrowedTo(); ok {
		v.Bar.Chips = append(v.Bar.Chips, views.Chip{Label: strings.ReplaceAll(key, "_", " ") + " is", Value: value,
			Remove: p.Scope.With("within", "", "group", "")})
	}
	v.Sentence, v.Sub = f.Title+".", r.dataset.Doc
	if len(r.Rows) == 0 {
		emptyFigures(p, v, f)
		return
	}
	if f.Say != nil {
		v.Sentence, v.Sub = f.Say(p, r)
	}
	if nothing := p.WithoutData(); nothing != "" && f.windowed() {
		v.Sentence, v.Sub = nothing, ""
	}
	v.Facts = figureFacts(p, f, r)
	var ties []string
	if r.ties != nil {
		ties = f.Tied(p, r)
	}
	if len(f.Facts) > 0 {
		v.Ties, ties = ties, nil
	}
	v.AsTable = p.Scope.AsTable
	if f.Course != nil && r.course != nil {
		v.Course = drawCourse(p, f, r)
	}
	v.Table = views.TablePanel{Title: f.heading(p.Scope), Note: shownRows(p, r), Table: figuresTable(p, f, r)}
	asked := f.question(p.Scope, metrics.Options{GroupBy: f.by(p.Scope), Filter: f.terms(p.Scope), Order: r.order})
	v.Table.Name, v.Table.Asked = f.Dataset, page.Asked(asked)
	v.Table.Links = append(slices.Clone(f.Links), csv(asked))
	v.Table.Notes = append(ties, figureNotes(p, f, r)...)
	if p.Scope.Page > 1 {
		v.Previous = p.Scope.With("page", strconv.Itoa(p.Scope.Page-1))
	}
	if r.further {
		v.Next = p.Scope.With("page", strconv.Itoa(p.Scope.Page+1))
	}
}

// addPanels adds the further panels that were read and that the reader may see.
func (d *room) addPanels(ctx context.Context, p *page.Context, v *views.Figures, f *Page, r *Reading) {
	for i, err := range r.moreErr {
		m := &f.More[i]
		if who := access.From(ctx); who != nil && !who.May(access.RightTo(m.Dataset)) {
			continue
		}
		if err != nil {
			v.Errors[m.Title] = d.PanelError(p.Scope, err, m.Title)
			v.More = append(v.More, views.TablePanel{Title: m.Title})
		} else {
			v.More = append(v.More, morePanel(p, m, r.more[i], r.moreWhole[i]))
		}
	}
}

// emptyFigures explains an empty page, and links to a way out.
func emptyFigures(p *page.Context, v *views.Figures, f *Page) {
	v.Sub = ""
	v.Sentence, v.None = "Nothing to show.", f.None
	if f.windowed() {
		v.Sentence = "Nothing to show for " + format.Days(p.Shown()) + "."
	}
	var filter []string
	for _, t := range [][2]string{{"team", p.Scope.Team}, {"cluster", p.Scope.Cluster},
		{"", strings.ReplaceAll(p.Scope.Within, ":", " ")}, {"currency", p.Scope.Currency}, {"the text", p.Scope.Text},
		{"where", p.Scope.Filter}} {
		if strings.TrimSpace(t[1]) != "" {
			filter = append(filter, strings.TrimSpace(t[0]+" "+t[1]))
		}
	}
	for _, pick := range f.Picks {
		if value := p.Scope.Value(pick.param()); value != "" && pick.Key != "currency" {
			filter = append(filter, strings.ToLower(keyWord(pick.Key))+" "+pickWord(pick.Key, value))
		}
	}
	switch {
	case p.Extent.Empty() && f.windowed():
		v.Sentence, v.None = "Nothing is in the ledger yet.", cmp.Or(f.First, f.None)
		v.Way = views.Link{Text: "What to import first", Href: "/"}
	case p.WithoutData() != "" && f.windowed():
		v.None, v.Way = p.WithoutData(), p.AllStored()
	case p.Scope.Page > 1:
		v.None = "Page " + format.Count(int64(p.Scope.Page)) + " does not exist."
		v.Way = views.Link{Text: "Go to the first page", Href: p.Scope.With("page", "")}
	case len(filter) > 0:
		v.None = "Nothing matches " + page.Listed(filter) + "."
		v.Way = views.Link{Text: "Clear the filter",
			Href: p.Scope.Carried(f.Path, "team", "", "cluster", "", "currency", "", "provider", "", "filter", "")}
	}
}

// windowed reports whether any table of the page covers a period.
func (f *Page) windowed() bool {
	d, err := metrics.LookupDataset(f.Dataset)
	return err != nil || d.Windowed || slices.ContainsFunc(f.More, func(m Panel) bool {
		d, err := metrics.LookupDataset(m.Dataset)
		return err == nil && d.Windowed
	})
}

// heading names the rows: "Services", "Teams".
func (f *Page) heading(s page.Scope) string {
	for _, g := range f.Groupings {
		if g.Keys == cmp.Or(f.by(s), RowsThemselves) {
			return g.Text
		}
	}
	return cmp.Or(f.Of, f.Title)
}

// elsewhereIn names the currencies that the page does not show, and rows without a price.
func elsewhereIn(p *page.Context, r *Reading) string {
	var others []string
	unpriced := false
	for _, c := range r.currencies {
		switch c {
		case string(p.Currency):
		case "":
			unpriced = p.Currency != ""
		default:
			others = append(others, c)
		}
	}
	switch {
	case len(others) > 0 && unpriced:
		return "Not included: " + page.Listed(others) + ", and rows without a price."
	case len(others) > 0:
		return "Not included: " + page.Listed(others) + "."
	case unpriced:
		return "Rows without a price are not included."
	}
	return ""
}

// groupMenu offers the groupings of the rows.
func groupMenu(p *page.Context, f *Page) views.Menu {
	m := views.Menu{Label: "Rows", Value: f.heading(p.Scope), WideOnly: true}
	now := cmp.Or(f.by(p.Scope), RowsThemselves)
	for _, g := range f.Groupings {
		keys := g.Keys
		if keys == cmp.Or(f.By, RowsThemselves) {
			keys = ""
		}
		m.Items = append(m.Items,
			views.MenuItem{Text: g.Text, Href: p.Scope.With("group", keys, "order", "", "page", ""), Current: g.Keys == now})
	}
	return m
}

func shownRows(p *page.Context, r *Reading) string {
	from := (p.Scope.Page - 1) * mostFigures
	if p.Scope.Page == 1 && !r.further {
		return format.Count(int64(len(r.Rows)))
	}
	return format.Count(int64(from+1)) + " – " + format.Count(int64(from+len(r.Rows)))
}

// based reports whether figures use one basis of cost. Sums of the ledger do; lists of
// delivered lines show all bases.
func (r *Reading) based() bool { return r.dataset.HasMoney() && r.dataset.Regroups() }

// basisNote names the basis of the figures: columns called cost are effective, and columns
// that follow the chosen basis are listed.
func basisNote(f *Page, r *Reading, basis string) string {
	if basis == effective {
		return page.BasisNames[basis][0] + " cost"
	}
	var follow []string
	for _, c := range slices.Concat(f.Facts, f.Columns) {
		if d, ok := r.columns[c.Name]; ok && (d.Formula.Reads(metrics.Basis) || c.Name == basis+"_cost") &&
			!slices.Contains(follow, c.Text) {
			follow = append(follow, c.Text)
		}
	}
	if len(follow) == 0 {
		return "Effective cost, the only basis of these figures"
	}
	return page.BasisNames[basis][0] + " cost in " + page.Listed(follow) + "; all other costs are effective"
}

// figureNotes are the foot notes of the table: basis, and why figures are n/a.
func figureNotes(p *page.Context, f *Page, r *Reading) []string {
	var notes []string
	if r.based() {
		coins := string(p.Currency)
		if p.Several {
			coins = strings.Join(page.Named(r.currencies), ", ")
		}
		sharing := "before sharing"
		if r.dataset.Pairs {
			sharing = "after sharing"
		}
		notes = append(notes, basisNote(f, r, p.Scope.Basis)+", "+sharing+", "+coins)
		if p.Several {
			notes = append(notes, "Currencies are never added; each has its own total.")
		} else if others := elsewhereIn(p, r); others != "" {
			notes = append(notes, others)
		}
	}
	if r.estimates != "" {
		notes = append(notes, r.estimates)
	}
	for _, left := range leftOut(p.Scope, r.dataset) {
		notes = append(notes, "The "+left+" filter does not apply here; these figures cover all "+left+"s.")
	}
	if p.Scope.OnFigures() {
		notes = append(notes, "The filter selects rows by their figures; the totals above the table cover all rows.")
	}
	return append(append(notes, f.Notes...), leftOutColumns(f.Columns, r.Rows, r.keys, r.columns)...)
}
