package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"gpuledger/metrics"
	"gpuledger/web/operate"
)

// exportBody is a schedule of exports in a body, as in docs/answer/exports.md.
type exportBody struct {
	Name            string `json:"name" need:"true" doc:"Its identity: the same name again changes the schedule." example:"finance"`
	Dataset         string `json:"dataset" need:"true" doc:"Dataset to export." example:"costs"`
	To              string `json:"to" need:"true" doc:"Folder of a bucket. A folder of the server can only be given on its command line." example:"s3://finance/gpuledger"`
	Every           string `json:"every" need:"true" one:"hourly daily weekly monthly" doc:"How often, in UTC."`
	Format          string `json:"format" one:"csv parquet xlsx" doc:"parquet by default."`
	ForExcel        bool   `json:"for_excel" doc:"CSV only: put an apostrophe before texts that a spreadsheet would run as a formula." example:"false"`
	Months          int    `json:"months" doc:"Newest billing months that each run exports; 3 by default."`
	Keep            int    `json:"keep" doc:"Newest billing months that stay at the target; all by default." example:"24"`
	GroupBy         string `json:"group_by" doc:"Group keys, separated by commas." example:"team"`
	Filter          string `json:"filter" doc:"A condition, as for datasets." example:"cluster = prod"`
	Granularity     string `json:"granularity" doc:"total, hour, day, week or month." example:"day"`
	Sharing         string `json:"sharing" doc:"before or after." example:"before"`
	Basis           string `json:"basis" doc:"effective, billed, list or contracted." example:"effective"`
	Currency        string `json:"currency" doc:"Convert to this currency, such as EUR." example:"EUR"`
	CurrencyMissing string `json:"currency_missing" doc:"refuse or keep." example:"keep"`
	TZ              string `json:"tz" doc:"IANA time zone of buckets." example:"UTC"`
	FocusVersion    string `json:"focus_version" doc:"1.4 or 1.3, for datasets of FOCUS." example:"1.4"`
}

type savedExport struct {
	Name   string `json:"name"`
	Stored bool   `json:"stored" doc:"false: the same schedule was stored before."`
}

type removedExport struct {
	Name    string `json:"name"`
	Removed bool   `json:"removed"`
}

func (a *API) saveExport(r *http.Request, by string) (any, error) {
	b, err := readBody[exportBody](r, true)
	if err != nil {
		return nil, err
	}
	stored, err := a.desk.Ledger.SaveExport(r.Context(), operate.Export{Name: b.Name, Dataset: b.Dataset, To: b.To,
		Every: b.Every, Format: b.Format, ForExcel: b.ForExcel, Months: b.Months, Keep: b.Keep,
		Options: metrics.Options{GroupBy: b.GroupBy, Filter: b.Filter, Granularity: b.Granularity, Sharing: b.Sharing,
			Basis: b.Basis, Currency: b.Currency, CurrencyMissing: b.CurrencyMissing, TZ: b.TZ,
			FocusVersion: b.FocusVersion}}, by)
	return savedExport{b.Name, stored}, err
}

func (a *API) removeExport(r *http.Request, by string) (any, error) {
	name := chi.URLParam(r, "name")
	return removedExport{name, true}, a.desk.Ledger.RemoveExport(r.Context(), name, by)
}
