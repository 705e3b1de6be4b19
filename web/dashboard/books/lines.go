package books

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

const (
	mostRanges = 4  // of an aggregate, before "and N more"
	mostDetail = 44 // letters of a line's description; hovering shows all
)

// linesPage lists bill lines.
var linesPage = figures.Page{
	Path: "/charges", Title: "Bill lines", Group: page.RailBooks, Of: "Lines", Dataset: "charges", Every: true,
	Order: "-billed_cost", Where: "billed_cost > 100 and region = us-east-1",
	Search: &figures.Search{Columns: []string{"resource_id", "usage_type", "description"},
		Label: "Find lines by resource, usage type or description", Hint: "Resource, usage, text"},
	Picks: []figures.Pick{
		{Key: "provider", Spent: true}, {Key: "account", Spent: true}, {Key: "billing_period", Spent: true},
		{Key: "charge_category", Values: []string{"Usage", "Purchase", "Tax", "Credit", "Adjustment"}},
		{Key: "billing_account"}, {Key: "service_name"}, {Key: "currency"},
		{Key: "delivery_id", Param: "delivery"}, {Key: "charge_id", Param: "charge"},
	},
	Columns: []figures.Column{
		{Name: "source_file", Text: "Line", Class: "long", Cell: lineCell},
		{Name: "service_name", Text: "What", Cell: whatCell},
		{Name: "resource_id", Text: "Resource", Class: "max-only", Cell: resourceCell},
		{Name: "charge_period_start", Text: "When", Class: "wide-only nowrap", Cell: usedCell},
		{Name: "kind", Text: "Kind", Class: "xl-only", Cell: kindCell},
		{Name: "list_cost", Text: "List", Class: "huge-only", Cell: billed("list")},
		{Name: "effective_cost", Text: "Effective", Class: "wide-only", Cell: billed("effective")},
		{Name: "billed_cost", Text: "Billed", Cell: billed("billed")},
	},
	Say:  sayLines,
	None: "Bill lines appear when a bill is imported.",
	Notes: []string{"Lines are as delivered, from current deliveries only.",
		"An aggregate combines lines outside the GPU fleet; it keeps their file, line ranges and sums."},
	More: []figures.Panel{{
		Title: "By service", Note: "posted cost of these lines", Dataset: "costs", By: "service_name,provider",
		Order: "currency,-billed_cost", Limit: 60,
		Filter: "billing_period is not null and state != provisional", Narrowed: true, All: "All services",
		Columns: []figures.Column{
			{Name: "effective_cost", Text: "Effective", Class: "wide-only"}, {Name: "billed_cost", Text: "Billed"}},
		Row: func(p *page.Context, r page.Record) string {
			if !r.Value("service_name").Valid {
				return ""
			}
			return p.Scope.With("service_name", r.Text("service_name"), "provider", r.Text("provider"))
		},
	}},
}

// sayLines names the bills that the lines belong to.
func sayLines(p *page.Context, _ *figures.Reading) (sentence, sub string) {
	s := p.Scope
	sentence = "Every line of every bill."
	sub = "Each is shown as its provider delivered it, with its file and line number."
	if s.Narrows("charges") {
		sentence = "Bill lines that match the filter."
	}
	of := []string{s.Pick.Service, "", "", page.MonthName(s.BillingPeriod), ""}
	if s.Provider != "" {
		of[1] = page.ProviderName(s.Provider)
	}
	if s.Pick.Account+s.Pick.Payer != "" {
		of[2] = "account " + cmp.Or(s.Pick.Account, s.Pick.Payer)
	}
	if s.Pick.Delivery != "" {
		of[4] = "delivery " + page.Short(s.Pick.Delivery)
	}
	if of = slices.DeleteFunc(of, func(x string) bool { return x == "" }); len(of) > 0 {
		sentence = "Bill lines of " + strings.Join(of, ", ") + "."
	}
	return sentence, sub
}

// billed prints a cost to the cent and links to its postings.
func billed(basis string) func(*page.Context, page.Record) views.Cell {
	return func(p *page.Context, r page.Record) views.Cell {
		c := p.Printed(r.Text("currency"))
		cell := views.Cell{Figure: page.Figure(c, r.Amount(basis+"_cost"), c.Full, basis+" cost")}
		if r.Text("role") == string(ledger.Book) {
			cell.Why = "/explain/charge/" + r.Text("charge_id")
		}
		return cell
	}
}

func whatCell(_ *page.Context, r page.Record) views.Cell {
	full := both2(r.Text("usage_type"), r.Text("description"))
	if instance := r.Text("instance_type"); !strings.Contains(full, instance) {
		full = both2(instance, full)
	}
	detail := full
	if r := []rune(detail); len(r) > mostDetail {
		detail = string(r[:mostDetail-1]) + "…"
	}
	name := cmp.Or(r.Text("service_name"), r.Text("charge_category"))
	return views.Cell{Figure: views.Figure{Text: name, Title: full}, Sub: detail}
}

// resourceCell shows the last part of a path or ARN, which distinguishes machines.
func resourceCell(_ *page.Context, r page.Record) views.Cell {
	cell := views.Cell{Figure: views.Figure{Text: "none", Title: "the line names no resource", Zero: true}}
	if id := r.Text("resource_id"); id != "" {
		name := page.Middle(id[strings.LastIndexByte(id, '/')+1:], 28)
		cell = views.Cell{Figure: views.Figure{Text: name, Title: id}, Mono: true}
	}
	cell.Sub = page.ProviderName(r.Text("provider")) + " " + page.Middle(r.Text("account"), 18)
	return cell
}

func kindCell(_ *page.Context, r page.Record) views.Cell {
	if role := r.Text("role"); role != "" && role != string(ledger.Book) {
		return views.Cell{Tag: &views.Tag{Text: "evidence", Tone: "est",
			Title: "another export of the same bill: never posted"}}
	}
	return views.Cell{Tag: &views.Tag{Text: strings.ReplaceAll(r.Text("kind"), "_", " "), Title: r.Text("line_item_type")}}
}

// usedCell prints the usage time of a line as briefly as possible.
func usedCell(_ *page.Context, r page.Record) views.Cell {
	from, to := r.Second("charge_period_start"), r.Second("charge_period_end")
	span := period.Interval{From: from, To: max(to, from+1)}
	switch {
	case from == 0:
		return views.Text(format.NA)
	case to-from == period.Hour:
		return views.Text(format.Instant(from))
	case from.Time().Year() != (span.To - 1).Time().Year(): // a commitment of years
		return views.Text(format.Days(span))
	}
	return views.Text(format.ShortDays(span))
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

// lineCell shows the file and line, "cur2-00003.parquet:18204", or the number and ranges
// of the lines that an aggregate combines.
func lineCell(_ *page.Context, r page.Record) views.Cell {
	file, of, n := r.Text("source_file"), r.Text("line_ranges"), max(r.Count("lines"), 1)
	name := page.FileName(file)
	if n == 1 && of == "" {
		place := ":" + strconv.FormatInt(r.Count("line"), 10)
		return views.Cell{Figure: views.Figure{Text: name + place, Title: file + place}, Mono: true}
	}
	word := "lines "
	if n == 1 {
		word = "line "
	}
	return views.Cell{
		Figure: views.Figure{Text: format.Plural(int(n), "line", "lines"), Title: word + ranges(of, 60) + " of " + file},
		Sub:    ranges(of, mostRanges) + " of " + name}
}

// ranges prints "15-17 19 35-37" as "15–17, 19, 35–37", cut after most.
func ranges(text string, most int) string {
	list := strings.Fields(strings.ReplaceAll(text, "-", "–"))
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " and " + format.Count(int64(len(list)-most)) + " more"
	}
	return strings.Join(list, ", ")
}
