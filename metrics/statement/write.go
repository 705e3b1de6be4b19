package statement

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"gpuledger/internal/export"
	"gpuledger/internal/money"
	"gpuledger/metrics"
)

// Format is a form in which a statement is written.
type Format string

// Formats.
const (
	JSON Format = "json"
	CSV  Format = "csv"
	PDF  Format = "pdf" // written by web/paper
)

// Formats lists the formats.
var Formats = []Format{JSON, CSV, PDF}

// ParseFormat reads the option format; "" is JSON.
func ParseFormat(text string) (Format, error) {
	if text == "" {
		return JSON, nil
	}
	if f := Format(text); slices.Contains(Formats, f) {
		return f, nil
	}
	return "", &metrics.OptionError{Option: "format", Value: text, Reason: "is not a format of statements"}
}

// ContentType is the media type of the format.
func (f Format) ContentType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8"
	case PDF:
		return "application/pdf"
	}
	return "application/json"
}

// WriteJSON writes the statement as JSON.
func (s *Statement) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(s)
}

// csvHead are the columns of the CSV.
var csvHead = []string{"section", "currency", "effective_cost", "project", "cause", "service_month", "gpu_hours",
	"owner", "billing_period", "sharing", "state"}

// WriteCSV writes one row per line, and one with section total per currency. For a spreadsheet, no text is one that it
// would run as a formula.
func (s *Statement) WriteCSV(w io.Writer, forExcel bool) error {
	said := func(text string) string { return text }
	if forExcel {
		said = export.Neutralise
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	head, covers := csvHead, strings.Join(s.Covers, "; ")
	if covers != "" { // a whole statement keeps the bytes that it had when it was closed
		head = append(slices.Clone(head), "covers_only")
	}
	row := func(section, currency string, cost *money.Amount, project, cause, month string, hours *money.Amount) {
		cells := []string{section, currency, digits(cost), said(project), said(cause), month,
			digits(hours), said(s.Owner), string(s.BillingPeriod), s.Sharing, string(s.State)}
		if covers != "" {
			cells = append(cells, said(covers))
		}
		_ = out.Write(cells) // Error has it
	}
	_ = out.Write(head)
	for i := range s.Statements {
		c := &s.Statements[i]
		for _, l := range c.Lines {
			project := ""
			if l.Project != nil {
				project = *l.Project
			}
			row(string(l.Section), c.Currency, l.EffectiveCost, project, string(l.Cause), string(l.Month), l.GPUHours)
		}
		row("total", c.Currency, &c.Total, "", "", "", nil)
	}
	out.Flush()
	return out.Error()
}

// digits are an amount's digits, none if it is unknown.
func digits(a *money.Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}
