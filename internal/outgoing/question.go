package outgoing

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gpuledger/internal/export"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Formats of exports.
var Formats = []export.Format{export.CSV, export.Parquet, export.XLSX}

// OptionNames are the options of a report that an export may have. The month replaces those about time.
var OptionNames = []string{"group-by", "filter", "granularity", "basis", "sharing", "currency", "currency-missing",
	"tz", "focus-version"}

// Question is what an export contains.
type Question struct {
	Dataset string
	Month   period.Month
	Options metrics.Options // only those of OptionNames
	Format  export.Format
	// ForExcel makes CSV safe to open in a spreadsheet.
	ForExcel bool
}

// By says how a month chooses the rows of a dataset.
type By string

// The ways. A dataset with invoices has their month; one with a time has the calendar month in UTC; others are whole.
const (
	ByInvoice By = "billing_period"
	ByTime    By = "time"
	ByNothing By = "all"
)

// ChosenBy is how a month chooses the rows of a dataset.
func ChosenBy(d *metrics.Dataset) By {
	switch {
	case d.Billed():
		return ByInvoice
	case d.Windowed:
		return ByTime
	}
	return ByNothing
}

// ask is the question as a query, in an order in which rows of one day are consecutive; at is the column of that day,
// or -1.
func (q Question) ask() (query metrics.Query, at int, err error) {
	if !slices.Contains(Formats, q.Format) {
		return query, -1, &metrics.OptionError{Option: "format", Value: string(q.Format),
			Reason: "must be csv, parquet or xlsx" + suggested(q.Format, Formats)}
	}
	if q.ForExcel && q.Format != export.CSV {
		return query, -1, &metrics.OptionError{Option: "for-excel", Reason: "is only for csv; a workbook is safe as it is"}
	}
	within, err := q.Month.Interval()
	if err != nil {
		return query, -1, &metrics.OptionError{Option: "billing-period", Value: string(q.Month),
			Reason: "is not of the form YYYY-MM"}
	}
	d, err := metrics.LookupDataset(q.Dataset)
	if err != nil {
		return query, -1, err
	}
	o := q.Options
	switch ChosenBy(d) {
	case ByInvoice:
		o.BillingPeriod = string(q.Month)
	case ByTime:
		o.From, o.To = within.From.String(), within.To.String()
	}
	if d.Compared {
		o.Against = "previous"
	}
	if query, err = metrics.Parse(q.Dataset, o); err != nil {
		return query, -1, err
	}
	at = dayColumn(query.Columns())
	if at >= 0 {
		o.Order = query.Columns()[at].Name
		query, err = metrics.Parse(q.Dataset, o)
	}
	return query, at, err
}

// dayColumns are the columns whose day a large export is split by, the first that a dataset has.
var dayColumns = []string{"hour", "day", "charge_period_start", "period_start", "started_at", "at"}

// dayColumn is where the column is that an export is split by, or -1.
func dayColumn(cols []metrics.Column) int {
	for _, name := range dayColumns {
		at := slices.IndexFunc(cols, func(c metrics.Column) bool { return c.Name == name && c.Kind == metrics.Time })
		if at >= 0 {
			return at
		}
	}
	return -1
}

// Check refuses a question that the ledger cannot answer.
func (q Question) Check() error {
	_, _, err := q.ask()
	return err
}

// OptionsText writes options as in an address, those without a value left out.
func OptionsText(o metrics.Options) string {
	v := url.Values{}
	for _, known := range metrics.OptionList {
		if text := *known.Get(&o); text != "" {
			v.Set(known.Name, text)
		}
	}
	return v.Encode()
}

// ParseOptions reads options written as in an address.
func ParseOptions(text string) (o metrics.Options, err error) {
	values, err := url.ParseQuery(text)
	if err != nil {
		return o, &metrics.OptionError{Option: "options", Value: text,
			Reason: "is not written as in an address: group-by=team"}
	}
	for name, list := range values {
		value := OptionOf(&o, name)
		if value == nil || len(list) != 1 {
			return o, &metrics.OptionError{Option: "options", Value: name,
				Reason: "must be one of " + strings.Join(OptionNames, ", ") + ", once"}
		}
		*value = list[0]
	}
	return o, nil
}

// OptionOf is the place of the value of an option of OptionNames; nil for others.
func OptionOf(o *metrics.Options, name string) *string {
	i := slices.IndexFunc(metrics.OptionList, func(k metrics.Option) bool { return k.Name == name })
	if i < 0 || !slices.Contains(OptionNames, name) {
		return nil
	}
	return metrics.OptionList[i].Get(o)
}

// identity distinguishes exports: files of one are never mistaken for those of another.
func (q Question) identity() string {
	text := fmt.Sprintf("%s of %s as %s", q.Dataset, q.Month, q.Format)
	if options := OptionsText(q.Options); options != "" {
		text += " with " + options
	}
	if q.ForExcel {
		text += " for Excel"
	}
	return text
}
