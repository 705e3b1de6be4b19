package books

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
	"gpuledger/web/dashboard/page"
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
func terms(k page.Picked, provider, currency string) string {
	return page.Both(page.Equal("provider", provider), page.Equal("currency", currency), page.Equal("billing_account", k.Payer), page.Equal("account", k.Account),
		page.Equal("service_name", k.Service), page.Equal("charge_category", k.Category))
}

func chargeFilter(s page.Scope) string {
	var text string
	if s.Text != "" {
		like := page.Quote("%" + page.LikeEscaper.Replace(s.Text) + "%")
		text = "(resource_id like " + like + " or usage_type like " + like + " or description like " + like + ")"
	}
	return page.Both(terms(s.Pick, s.Provider, s.Currency), page.Equal("billing_period", s.Pick.Month), page.Equal("delivery_id", s.Pick.Delivery), page.Equal("charge_id", s.Pick.Charge), text, s.Wanted())
}

// readLines reads one page of bill lines and one line more, which says that
// there is another page.
func readLines(ctx context.Context, reader page.Reader, s page.Scope, order string) ([]chargeRow, error) {
	q, err := metrics.Parse("charges", metrics.Options{Basis: s.Basis, Filter: chargeFilter(s), Order: order, Limit: strconv.Itoa(mostLines + 1)})
	if err != nil {
		return nil, err
	}
	q.Offset = (s.Page - 1) * mostLines
	var out []chargeRow
	err = page.EachOf(ctx, reader, q, func(r page.Record) error {
		out = append(out, chargeRow{
			ID: r.Text("charge_id"), Delivery: r.Text("delivery_id"), File: r.Text("source_file"), Line: r.Count("line"), Provider: r.Text("provider"),
			Payer: r.Text("billing_account"), Account: r.Text("account"), Resource: r.Text("resource_id"), Service: r.Text("service_name"),
			Category: r.Text("charge_category"), Class: r.Text("charge_class"), Month: r.Text("billing_period"), Currency: r.Text("currency"),
			From: r.Second("charge_period_start"), To: r.Second("charge_period_end"), Role: r.Text("role"), Kind: r.Text("kind"), Type: r.Text("line_item_type"),
			Usage: r.Text("usage_type"), Text: r.Text("description"), Instance: r.Text("instance_type"), Pricing: r.Text("pricing"),
			Amount: r.Amount("usage_amount"), Unit: r.Text("usage_unit"), Lines: max(r.Count("lines"), 1), Ranges: r.Text("line_ranges"),
			Billed: r.Amount("billed_cost"), Effective: r.Amount("effective_cost"), List: r.Amount("list_cost"), Contracted: r.Amount("contracted_cost"),
		})
		return nil
	})
	return out, err
}

// lines lists what bills say, line by line.
func (d *room) lines(w http.ResponseWriter, r *http.Request) {
	s, _, err := page.ReadFiltered(r, "charges", page.Rows)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	order := s.Order
	if order == "" {
		order = "-billed_cost"
	}
	if _, err := metrics.Parse("charges", metrics.Options{Basis: s.Basis, Filter: chargeFilter(s), Order: order}); err != nil {
		d.Refused(w, r, err)
		return
	}
	if _, err := metrics.Parse("costs", metrics.Options{BillingPeriod: s.Pick.Month}); err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	var rows []chargeRow
	var services []serviceRow
	var rowsErr, servicesErr error
	v := views.Lines{Shell: d.Shell(r, s, "charges", "Bill lines"), Text: s.Text, Errors: map[string]views.PanelError{}}
	p := &page.Context{Scope: s}
	page.Parallel(
		func() { rows, rowsErr = readLines(ctx, d.Reader, s, order) },
		func() { services, servicesErr = readServices(ctx, d.Reader, s) },
		func() {
			if extent, err := d.Reader.Extent(ctx); err == nil {
				p.Extent = extent
			}
		},
	)
	v.Services.Title, v.Lines.Title = "By service", "Lines"
	if rowsErr != nil {
		v.Errors["lines"] = d.PanelError(s, rowsErr, "The lines")
	}
	if servicesErr != nil {
		v.Errors["services"] = d.PanelError(s, servicesErr, "The sums by service")
	}
	linesView(p, &v, rows, services, order)
	d.Render(w, r, http.StatusOK, views.LinesPage(v))
}

func linesView(p *page.Context, v *views.Lines, rows []chargeRow, services []serviceRow, order string) {
	s := p.Scope
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r.Currency] = true
	}
	for _, x := range services {
		seen[x.Currency] = true
	}
	p.Several = len(seen) > 1
	v.Bar = linesBar(p, services)
	for _, kv := range s.Params() {
		if kv[0] != "q" && kv[1] != "" {
			v.Search.Hidden = append(v.Search.Hidden, kv)
		}
	}
	v.Sentence, v.Sub = linesSentence(p, rows, services)
	servicesPanel(p, &v.Services, services)
	more := len(rows) > mostLines
	rows = rows[:min(len(rows), mostLines)]
	if len(rows) == 0 {
		v.Lines.None = "No bill line matches the filter."
		if chargeFilter(s) == "" {
			v.Lines.None = "Bill lines appear when a bill is imported."
		} else {
			v.Clear = "/charges"
		}
		return
	}
	from := int64((s.Page - 1) * mostLines)
	v.Shown = "lines " + format.Count(from+1) + " – " + format.Count(from+int64(len(rows)))
	if s.Page > 1 {
		v.Previous = s.With("page", strconv.Itoa(s.Page-1))
	}
	if more {
		v.Next = s.With("page", strconv.Itoa(s.Page+1))
	}
	v.Lines.Note = "as delivered; current deliveries only"
	v.Lines.Links = []views.Link{{Text: "CSV", Href: linesCSV(s, order)}}
	v.Lines.Table = linesTable(p, rows, order)
	v.Lines.Notes = []string{"An aggregate stands for lines outside the GPU fleet: file, line ranges and sums are kept"}
}

// linesSentence says of what the lines are.
func linesSentence(p *page.Context, rows []chargeRow, services []serviceRow) (sentence, sub string) {
	s := p.Scope
	var of []string
	if s.Pick.Service != "" {
		of = append(of, s.Pick.Service)
	}
	if s.Provider != "" {
		of = append(of, page.ProviderName(s.Provider))
	}
	switch {
	case s.Pick.Account != "":
		of = append(of, "account "+s.Pick.Account)
	case s.Pick.Payer != "":
		of = append(of, "account "+s.Pick.Payer)
	}
	if s.Pick.Month != "" {
		of = append(of, page.MonthName(s.Pick.Month))
	}
	if s.Pick.Delivery != "" {
		of = append(of, "delivery "+page.Short(s.Pick.Delivery))
	}
	sentence = "Every line of every bill."
	if s.Filter != "" {
		sentence = "Bill lines that the filter finds."
	}
	if len(of) > 0 {
		sentence = "Bill lines of " + strings.Join(of, ", ") + "."
	}
	if len(rows) > 0 {
		sub = "Each stands as its provider delivered it, with the file and the line where it was read."
		if all := together(p, services); all != "" && len(of) > 0 {
			sub = "Together " + all + ". " + sub
		}
	}
	return sentence, sub
}

// linesBar shows what the lines are narrowed to.
func linesBar(p *page.Context, services []serviceRow) views.Bar {
	s := p.Scope
	b := p.Bar(page.Choices{Where: "billed_cost > 100 and region = us-east-1"})
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
			m.Items = append(m.Items, views.MenuItem{Text: name(x), Href: s.With(key, x)})
		}
		b.Menus = append(b.Menus, m)
	}
	same := func(x string) string { return x }
	menu("Provider", "provider", s.Provider, list(func(x serviceRow) string { return x.Provider }), page.ProviderName)
	menu("Account", "account", s.Pick.Account, list(func(x serviceRow) string { return x.Account }), same)
	menu("Month", "billing_period", s.Pick.Month, list(func(x serviceRow) string { return x.Month }), page.MonthName)
	menu("Currency", "currency", s.Currency, list(func(x serviceRow) string { return x.Currency }), same)
	for _, f := range []struct{ label, key, value string }{
		{"provider is", "provider", providerChip(s.Provider)}, {"billing account is", "billing_account", s.Pick.Payer}, {"account is", "account", s.Pick.Account},
		{"service is", "service_name", s.Pick.Service}, {"month is", "billing_period", s.Pick.Month}, {"currency is", "currency", s.Currency},
		{"category is", "charge_category", s.Pick.Category}, {"delivery is", "delivery", page.Short(s.Pick.Delivery)}, {"line is", "charge", page.Short(s.Pick.Charge)}, {"has", "q", s.Text}, {"where", "filter", page.Clip(s.Filter)},
	} {
		if f.value != "" {
			b.Chips = append(b.Chips, views.Chip{Label: f.label, Value: f.value, Remove: s.With(f.key, "")})
		}
	}
	return b
}

func providerChip(provider string) string {
	if provider == "" {
		return ""
	}
	return page.ProviderName(provider)
}

var (
	lineHeads = views.Heads(
		"Line: charges.line long", "What: charges.service_name", "Resource: charges.resource_id max-only",
		"When: charges.charge_period_start wide-only nowrap", "Kind: charges.charge_category xl-only",
		"#List: charges.list_cost max-only", "#Effective: charges.effective_cost wide-only",
		"#Billed: charges.billed_cost",
	)
	lineOrders = []string{"source_file", "service_name", "resource_id", "charge_period_start", "kind", "list_cost",
		"effective_cost", "billed_cost"}
)

func linesTable(p *page.Context, rows []chargeRow, sorted string) views.Table {
	t := views.Table{Caption: "Bill lines", Heads: slices.Clone(lineHeads), Wide: true}
	for i, order := range lineOrders {
		p.Scope.SortBy(&t.Heads[i], order, sorted, t.Heads[i].Number)
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, views.Row{Cells: lineCells(p, r)})
	}
	return t
}

func lineCells(p *page.Context, r chargeRow) []views.Cell {
	c := p.Printed(r.Currency)
	money := func(a *money.Amount, metric string) views.Cell {
		cell := views.Cell{Figure: page.Figure(c, a, c.Full, metric+" cost")}
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
		resource = views.Cell{Figure: views.Figure{Text: page.Middle(resourceName(r.Resource), 28), Title: r.Resource}, Mono: true, Sub: page.ProviderName(r.Provider) + " " + page.Middle(r.Account, 18)}
	} else {
		resource.Sub = page.ProviderName(r.Provider) + " " + page.Middle(r.Account, 18)
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
	name := page.FileName(r.File)
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
