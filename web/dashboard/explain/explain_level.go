package explain

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var (
	lineHeads = views.Heads("Line: charges.line", "Hours", "Cause: key.cause", "#Postings",
		"#Effective: costs.effective_cost", "#Billed: costs.billed_cost")
	cutHeads = views.Heads("#Effective: costs.effective_cost", "#Billed: costs.billed_cost",
		"Currency: costs.currency")
	billHeads = views.Heads("Bill: charges.line")
)

// skipping is the parameter that skips the rows of earlier pages.
const skipping = "skip"

// addressed reads the subject and the first row to show from an address.
func addressed(path, rawQuery string) (subject string, first int) {
	subject = strings.TrimPrefix(path, "/explain/")
	if v, err := url.ParseQuery(rawQuery); err == nil && v.Has(skipping) {
		if n, err := strconv.Atoi(v.Get(skipping)); err == nil && n > 0 && n < 1<<30 {
			first = n
		}
		v.Del(skipping)
		rawQuery = v.Encode()
	}
	if rawQuery != "" {
		subject += "?" + rawQuery
	}
	return subject, first
}

// levelSections adds a section for each cut of a figure, and one for its bill lines.
func levelSections(subject string, l *metrics.Level, bills bool, add func(views.ExplainedSection)) {
	for i := range l.Cuts {
		add(cutSection(subject, &l.Cuts[i], bills))
	}
	if l.Lines == nil {
		return
	}
	add(linesSection(subject, l.Lines))
	if len(l.Lines.Listed) > 0 {
		t := postingsTable(l.Lines.Listed)
		add(views.ExplainedSection{Title: "Postings", Note: format.Plural(len(t.Rows), "posting", "postings"), Table: &t})
	}
}

func cutSection(subject string, c *metrics.Cut, bills bool) views.ExplainedSection {
	names, heads := make([]string, len(c.By)), make([]views.SortLink, len(c.By))
	for i, key := range c.By {
		names[i] = keyName(key)
		heads[i] = views.KeyHead(names[i], key)
	}
	title := "By " + strings.ToLower(strings.Join(names, ", "))
	t := views.Table{Caption: title, Heads: append(heads, cutHeads...)}
	if bills = bills && slices.Contains(c.By, "billing_period"); bills {
		t.Heads = append(t.Heads, billHeads...)
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		var row views.Row
		for k, key := range c.By {
			row.Cells = append(row.Cells, keyCell(key, r.Keys[k]))
		}
		row.Cells[0].Href = "/explain/" + r.Subject
		currency := format.Currency(r.Amount.Currency)
		row.Cells = append(row.Cells, views.Cell{Figure: costText(currency, r.Amount.Effective)},
			views.Cell{Figure: costText(currency, r.Amount.Billed)}, views.Text(r.Amount.Currency))
		if bills {
			row.Cells = append(row.Cells, billLines(c.By, r))
		}
		t.Rows = append(t.Rows, row)
	}
	s := views.ExplainedSection{Title: title, Note: format.Plural(len(c.Rows), "row", "rows"), Table: &t}
	if c.Agrees != nil {
		s.Text = addsUp(*c.Agrees)
	}
	if c.First > 0 || c.Next > 0 {
		s.Note = span(c.First, len(c.Rows))
	}
	if c.Next > 0 {
		s.More = next(subject, c.Next)
	}
	return s
}

// billLines links a row of a cut to its bill's lines; cost without a bill has no link.
func billLines(by []string, r *metrics.CutRow) views.Cell {
	q := url.Values{"currency": {r.Amount.Currency}}
	for i, key := range by {
		if r.Keys[i] == nil {
			return views.Cell{}
		}
		q.Set(key, *r.Keys[i])
	}
	return views.Cell{Figure: views.Figure{Text: "Whole account"}, Href: "/charges?" + q.Encode()}
}

func addsUp(agrees bool) string {
	if agrees {
		return "The rows add up to the figure, digit by digit."
	}
	return "The rows do NOT add up to the figure: run gpuledger verify."
}

// span names the rows of a page.
func span(first, rows int) string {
	if rows == 0 {
		return "no rows"
	}
	return format.Count(int64(first+1)) + "–" + format.Count(int64(first+rows))
}

func next(subject string, first int) *views.Link {
	join := "?"
	if strings.Contains(subject, "?") {
		join = "&"
	}
	return &views.Link{Text: "Next rows", Href: "/explain/" + subject + join + skipping + "=" + strconv.Itoa(first)}
}

// steps are the lengths of time by which a figure can be cut.
var steps = []metrics.Granularity{metrics.Hour, metrics.Day, metrics.Week, metrics.Month}

// keyName is a group key as a heading.
func keyName(key string) string {
	text := strings.ReplaceAll(key, "_", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

func keyCell(key string, value *string) views.Cell {
	text := optional(value)
	switch {
	case key == "cause":
		return views.Cell{Figure: views.Figure{Text: page.CauseLabel(ledger.Cause(text))}, Cause: text}
	case slices.Contains(steps, metrics.Granularity(key)):
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			break
		}
		if at := period.FromTime(at); at.Floor(period.Day) != at {
			return views.Text(moment(at.Time()))
		}
		return views.Text(at.UTC().Format(time.DateOnly))
	case text == "":
		return views.Cell{Figure: views.Figure{Text: "none", Zero: true}}
	}
	return views.Cell{Figure: views.Figure{Text: text}, Name: true}
}

func linesSection(subject string, l *metrics.LevelLines) views.ExplainedSection {
	t := views.Table{Caption: "Bill lines", Heads: lineHeads}
	for i := range l.Rows {
		t.Rows = append(t.Rows, lineRow(&l.Rows[i]))
	}
	s := views.ExplainedSection{Title: "Bill lines", Text: addsUp(l.Agrees), Table: &t,
		Note: span(l.First, len(l.Rows)) + " of " + format.Count(l.Count) + ", the largest first"}
	if end := l.First + len(l.Rows); int64(end) < l.Count && len(l.Rows) > 0 {
		s.More = next(subject, end)
		s.Text = strings.Replace(s.Text, "The rows", "All "+format.Count(l.Count)+" rows", 1)
	}
	return s
}

func lineRow(l *metrics.LevelLine) views.Row {
	line := views.Text("no bill line")
	line.Figure.Title = "not billed yet, or passed on by sharing"
	if l.File != nil && l.Line != nil {
		place := ":" + strconv.FormatInt(*l.Line, 10)
		line = views.Cell{Figure: views.Figure{Text: page.FileName(*l.File) + place, Title: *l.File + place}, Mono: true}
	}
	line.Href = "/explain/" + l.Subject
	line.Sub = strings.TrimLeft(optional(l.Service)+", "+strings.ReplaceAll(l.Kind, "_", " "), ", ")
	cause := views.Text("several")
	if l.Cause != nil {
		cause = keyCell("cause", l.Cause)
	}
	hours := moment(l.From)
	if l.To.Sub(l.From) > time.Hour {
		hours += " to " + moment(l.To)
	}
	c := format.Currency(l.Amount.Currency)
	return views.Row{Cells: []views.Cell{line, {Figure: views.Figure{Text: hours}, Sub: optional(l.Node)}, cause,
		views.Text(format.Count(l.Postings)),
		{Figure: withCode(costText(c, l.Amount.Effective), &l.Amount)}, {Figure: costText(c, l.Amount.Billed)}}}
}
