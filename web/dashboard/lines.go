package dashboard

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

const (
	mostLines    = 100 // bill lines at once; the API has all
	mostServices = 20
	fewServices  = 7  // while nothing is narrowed
	mostRanges   = 4  // of an aggregate, before "and N more"
	mostDetail   = 44 // letters of what a line says of itself; hovering shows all
)

// chargeRow is one bill line, or an aggregate of several.
type chargeRow struct {
	ID, Delivery, File, Provider, Payer, Account, Resource, Service, Category, Class, Month, Currency string
	Role, Kind, Type, Usage, Text, Instance, Pricing, Ranges, Unit                                    string
	Line, Lines                                                                                       int64
	From, To                                                                                          period.Second
	Billed, Effective, List, Contracted, Amount                                                       *money.Amount
}

// terms is the filter that a choice stands for, empty for none.
func (k picked) terms(provider, currency string) string {
	return both(equal("provider", provider), equal("currency", currency), equal("billing_account", k.Payer), equal("account", k.Account),
		equal("service_name", k.Service), equal("charge_category", k.Category))
}

func (s scope) lineFilter() string {
	var text string
	if s.Text != "" {
		like := quote("%" + likeEscaper.Replace(s.Text) + "%")
		text = "(resource_id like " + like + " or usage_type like " + like + " or description like " + like + ")"
	}
	return both(s.pick.terms(s.Provider, s.Currency), equal("billing_period", s.pick.Month), equal("delivery_id", s.pick.Delivery), equal("charge_id", s.pick.Charge), text)
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// readLines reads one page of bill lines and one line more, which says that
// there is another page.
func readLines(ctx context.Context, reader Reader, s scope, order string) ([]chargeRow, error) {
	q, err := metrics.Parse("charges", metrics.Options{Basis: s.Basis, Filter: s.lineFilter(), Order: order, Limit: strconv.Itoa(mostLines + 1)})
	if err != nil {
		return nil, err
	}
	q.Offset = (s.Page - 1) * mostLines
	var out []chargeRow
	err = eachOf(ctx, reader, q, func(r record) error {
		out = append(out, chargeRow{
			ID: r.text("charge_id"), Delivery: r.text("delivery_id"), File: r.text("source_file"), Line: r.count("line"), Provider: r.text("provider"),
			Payer: r.text("billing_account"), Account: r.text("account"), Resource: r.text("resource_id"), Service: r.text("service_name"),
			Category: r.text("charge_category"), Class: r.text("charge_class"), Month: r.text("billing_period"), Currency: r.text("currency"),
			From: r.second("charge_period_start"), To: r.second("charge_period_end"), Role: r.text("role"), Kind: r.text("kind"), Type: r.text("line_item_type"),
			Usage: r.text("usage_type"), Text: r.text("description"), Instance: r.text("instance_type"), Pricing: r.text("pricing"),
			Amount: r.amount("usage_amount"), Unit: r.text("usage_unit"), Lines: max(r.count("lines"), 1), Ranges: r.text("line_ranges"),
			Billed: r.amount("billed_cost"), Effective: r.amount("effective_cost"), List: r.amount("list_cost"), Contracted: r.amount("contracted_cost"),
		})
		return nil
	})
	return out, err
}

// lines lists what bills say, line by line.
func (d *Dashboard) lines(w http.ResponseWriter, r *http.Request) {
	s, err := readScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	order := s.Order
	if order == "" {
		order = "-billed_cost"
	}
	if _, err := metrics.Parse("charges", metrics.Options{Basis: s.Basis, Filter: s.lineFilter(), Order: order}); err != nil {
		d.refused(w, r, err)
		return
	}
	if _, err := metrics.Parse("costs", metrics.Options{BillingPeriod: s.pick.Month}); err != nil {
		d.refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), panelTimeout)
	defer cancel()
	var rows []chargeRow
	var services []serviceRow
	var rowsErr, servicesErr error
	v := views.Lines{Shell: d.shell(r, s, "charges", "Bill lines"), Text: s.Text, Errors: map[string]views.PanelError{}}
	p := &pageContext{scope: s}
	parallel(
		func() { rows, rowsErr = readLines(ctx, d.reader, s, order) },
		func() { services, servicesErr = readServices(ctx, d.reader, s) },
		func() {
			if extent, err := d.reader.Extent(ctx); err == nil {
				p.extent = extent
			}
		},
	)
	v.Services.Title, v.Lines.Title = "By service", "Lines"
	if rowsErr != nil {
		v.Errors["lines"] = d.panelError(s, rowsErr, "The lines")
	}
	if servicesErr != nil {
		v.Errors["services"] = d.panelError(s, servicesErr, "The sums by service")
	}
	p.linesView(&v, rows, services, order)
	d.render(w, r, http.StatusOK, views.LinesPage(v))
}

func (p *pageContext) linesView(v *views.Lines, rows []chargeRow, services []serviceRow, order string) {
	s := p.scope
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r.Currency] = true
	}
	for _, x := range services {
		seen[x.Currency] = true
	}
	p.several = len(seen) > 1
	v.Bar = p.linesBar(services)
	for _, kv := range s.params() {
		if kv[0] != "q" && kv[1] != "" {
			v.Search.Hidden = append(v.Search.Hidden, kv)
		}
	}
	v.Sentence, v.Sub = p.linesSentence(rows, services)
	p.servicesPanel(&v.Services, services)
	more := len(rows) > mostLines
	rows = rows[:min(len(rows), mostLines)]
	if len(rows) == 0 {
		v.Lines.None = "No bill line matches the filter."
		if s.lineFilter() == "" {
			v.Lines.None = "Bill lines appear when a bill is imported."
		} else {
			v.Clear = "/charges"
		}
		return
	}
	from := int64((s.Page - 1) * mostLines)
	v.Shown = "lines " + format.Count(from+1) + " – " + format.Count(from+int64(len(rows)))
	if s.Page > 1 {
		v.Previous = s.with("page", strconv.Itoa(s.Page-1))
	}
	if more {
		v.Next = s.with("page", strconv.Itoa(s.Page+1))
	}
	v.Lines.Note = "as delivered; current deliveries only"
	v.Lines.Links = []views.Link{{Text: "CSV", Href: linesCSV(s, order)}}
	v.Lines.Table = p.linesTable(rows, order)
	v.Lines.Notes = []string{"An aggregate stands for lines outside the GPU fleet: file, line ranges and sums are kept"}
}

// linesSentence says of what the lines are.
func (p *pageContext) linesSentence(rows []chargeRow, services []serviceRow) (sentence, sub string) {
	s := p.scope
	var of []string
	if s.pick.Service != "" {
		of = append(of, s.pick.Service)
	}
	if s.Provider != "" {
		of = append(of, providerName(s.Provider))
	}
	switch {
	case s.pick.Account != "":
		of = append(of, "account "+s.pick.Account)
	case s.pick.Payer != "":
		of = append(of, "account "+s.pick.Payer)
	}
	if s.pick.Month != "" {
		of = append(of, monthName(s.pick.Month))
	}
	if s.pick.Delivery != "" {
		of = append(of, "delivery "+short(s.pick.Delivery))
	}
	sentence = "Every line of every bill."
	if len(of) > 0 {
		sentence = "Bill lines of " + strings.Join(of, ", ") + "."
	}
	if len(rows) > 0 {
		sub = "Each stands as its provider delivered it, with the file and the line where it was read."
		if all := p.together(services); all != "" && len(of) > 0 {
			sub = "Together " + all + ". " + sub
		}
	}
	return sentence, sub
}

// linesBar shows what the lines are narrowed to.
func (p *pageContext) linesBar(services []serviceRow) views.Bar {
	s := p.scope
	b := p.bar(choices{})
	b.Menus, b.Chips = nil, nil
	list := func(value func(serviceRow) string) []string {
		var out []string
		for _, x := range services {
			if t := value(x); t != "" && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
		slices.Sort(out)
		return out
	}
	menu := func(label, key, chosen string, from []string, name func(string) string) {
		if chosen != "" || len(from) < 2 {
			return
		}
		m := views.Menu{Label: label, Value: "all", WideOnly: len(b.Menus) > 1}
		for _, x := range from[:min(len(from), 60)] {
			m.Items = append(m.Items, views.MenuItem{Text: name(x), Href: s.with(key, x)})
		}
		b.Menus = append(b.Menus, m)
	}
	same := func(x string) string { return x }
	menu("Provider", "provider", s.Provider, list(func(x serviceRow) string { return x.Provider }), providerName)
	menu("Account", "account", s.pick.Account, list(func(x serviceRow) string { return x.Account }), same)
	menu("Month", "billing_period", s.pick.Month, list(func(x serviceRow) string { return x.Month }), monthName)
	menu("Currency", "currency", s.Currency, list(func(x serviceRow) string { return x.Currency }), same)
	for _, f := range []struct{ label, key, value string }{
		{"provider is", "provider", providerChip(s.Provider)}, {"billing account is", "billing_account", s.pick.Payer}, {"account is", "account", s.pick.Account},
		{"service is", "service_name", s.pick.Service}, {"month is", "billing_period", s.pick.Month}, {"currency is", "currency", s.Currency},
		{"category is", "charge_category", s.pick.Category}, {"delivery is", "delivery", short(s.pick.Delivery)}, {"line is", "charge", short(s.pick.Charge)}, {"has", "q", s.Text},
	} {
		if f.value != "" {
			b.Chips = append(b.Chips, views.Chip{Label: f.label, Value: f.value, Remove: s.with(f.key, "")})
		}
	}
	return b
}

func providerChip(provider string) string {
	if provider == "" {
		return ""
	}
	return providerName(provider)
}

// lineColumns are the columns of the table; order is the dataset's column.
var lineColumns = []struct {
	text, order, class string
	number             bool
}{
	{"Line", "source_file", "long", false},
	{"What", "service_name", "", false},
	{"Resource", "resource_id", "max-only", false},
	{"When", "charge_period_start", "wide-only nowrap", false},
	{"Kind", "kind", "xl-only", false},
	{"List", "list_cost", "max-only", true},
	{"Effective", "effective_cost", "wide-only", true},
	{"Billed", "billed_cost", "", true},
}

func (p *pageContext) linesTable(rows []chargeRow, sorted string) views.Table {
	t := views.Table{Caption: "Bill lines", Of: "charges", Wide: true}
	for _, c := range lineColumns {
		h := views.SortLink{Text: c.text, Number: c.number, Class: c.class}
		next := c.order
		if c.number {
			next = "-" + c.order
		}
		switch sorted {
		case c.order:
			h.Sort, next = "ascending", "-"+c.order
		case "-" + c.order:
			h.Sort, next = "descending", c.order
		}
		h.Href = p.scope.with("order", next)
		t.Heads = append(t.Heads, h)
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, views.Row{Cells: p.lineCells(r)})
	}
	return t
}

func (p *pageContext) lineCells(r chargeRow) []views.Cell {
	c := p.printed(r.Currency)
	money := func(a *money.Amount, metric string) views.Cell {
		cell := views.Cell{Figure: figure(c, a, c.Full, metric+" cost")}
		if r.Role == string(ledger.Book) {
			cell.Why = "/explain/charge/" + r.ID
		}
		return cell
	}
	what := r.Service
	if what == "" {
		what = r.Category
	}
	detail := both2(r.Usage, r.Text)
	if r.Instance != "" && !strings.Contains(detail, r.Instance) {
		detail = both2(r.Instance, detail)
	}
	full := detail
	if r := []rune(detail); len(r) > mostDetail {
		detail = string(r[:mostDetail-1]) + "…"
	}
	resource := views.Cell{Figure: views.Figure{Text: "none", Title: "the line names no resource", Zero: true}}
	if r.Resource != "" {
		resource = views.Cell{Figure: views.Figure{Text: middle(resourceName(r.Resource), 28), Title: r.Resource}, Mono: true, Sub: providerName(r.Provider) + " " + middle(r.Account, 18)}
	} else {
		resource.Sub = providerName(r.Provider) + " " + middle(r.Account, 18)
	}
	tag := views.Tag{Text: strings.ReplaceAll(r.Kind, "_", " "), Title: r.Type}
	if r.Role != "" && r.Role != string(ledger.Book) {
		tag = views.Tag{Text: "evidence", Tone: "est", Title: "another export of the same bill: never posted"}
	}
	return []views.Cell{lineCell(r), {Figure: views.Figure{Text: what, Title: full}, Sub: detail}, resource, views.Text(used(r)), {Tag: &tag},
		money(r.List, "list"), money(r.Effective, "effective"), money(r.Billed, "billed")}
}

// used is when the line's use took place, as short as it can be said.
func used(r chargeRow) string {
	if r.From == 0 {
		return format.NA
	}
	if r.To-r.From == period.Hour {
		return format.Instant(r.From)
	}
	span := period.Interval{From: r.From, To: max(r.To, r.From+1)}
	if span.From.Time().Year() != (span.To - 1).Time().Year() { // a commitment of years
		return format.Days(span)
	}
	return format.ShortDays(span)
}

func both2(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	}
	return a + " · " + b
}

// resourceName is the last part of a path or ARN: what tells machines apart.
func resourceName(id string) string {
	return id[strings.LastIndexAny(id, "/")+1:]
}

// lineCell is where a line was read: "cur2-00003.parquet:18204", or how many
// lines an aggregate stands for, and which.
func lineCell(r chargeRow) views.Cell {
	name := fileName(r.File)
	if r.Lines <= 1 && r.Ranges == "" {
		place := ":" + strconv.FormatInt(r.Line, 10)
		return views.Cell{Figure: views.Figure{Text: name + place, Title: r.File + place}, Mono: true}
	}
	return views.Cell{Figure: views.Figure{Text: format.Plural(int(r.Lines), "line", "lines"), Title: "lines " + ranges(r.Ranges, 60) + " of " + r.File},
		Sub: ranges(r.Ranges, mostRanges) + " of " + name}
}

// ranges prints "15-17 19 35-37" as "15–17, 19, 35–37", cut after most.
func ranges(text string, most int) string {
	list := strings.Fields(strings.ReplaceAll(text, "-", "–"))
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " and " + format.Count(int64(len(list)-most)) + " more"
	}
	return strings.Join(list, ", ")
}
