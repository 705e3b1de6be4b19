package api

import (
	"encoding/json"
	"io"
	"net/http"

	"gpuledger/metrics"
)

// budgetRow is a budget in a body, as in docs/connect/budgets.md.
type budgetRow struct {
	Name     string `json:"name" need:"true" doc:"Its identity: the same name with another amount is the next version."`
	Key      string `json:"key" need:"true" doc:"A group key, or all." example:"team"`
	Value    string `json:"value" doc:"Value of the key; empty with all." example:"speech"`
	Period   string `json:"period" need:"true" one:"month quarter year life"`
	Start    string `json:"start" doc:"First day of the period." example:"2026-11-01"`
	Amount   string `json:"amount" need:"true" doc:"A decimal above 0." example:"12000"`
	Unit     string `json:"unit" need:"true" one:"money gpu_hours tokens"`
	Currency string `json:"currency" doc:"ISO code, for money."`
	Parent   string `json:"parent" doc:"Name of the budget that this one is a part of."`
	Reason   string `json:"reason" doc:"Why it changes, for the next version of a budget." example:"plan of 2026"`
}

// annotationRow is an annotation in a body, as in docs/connect/annotations.md.
type annotationRow struct {
	At     string `json:"at" need:"true" doc:"RFC 3339, or a day." example:"2026-11-12T09:00:00Z"`
	Until  string `json:"until" doc:"End, exclusive; empty: at one instant." example:"2026-11-12T10:00:00Z"`
	Kind   string `json:"kind" need:"true" one:"deploy price close interruptions budget note"`
	Key    string `json:"key" doc:"A group key; empty: the whole fleet." example:"team"`
	Value  string `json:"value" doc:"Value of the key." example:"speech"`
	Text   string `json:"text" need:"true" example:"asr-large v7 is live"`
	Source string `json:"source" doc:"Program or person that reports it." example:"ci"`
	Link   string `json:"link" doc:"An https address." example:"https://ci.example.com/7"`
}

func (a *API) saveBudgets(r *http.Request, by string) (any, error) {
	document, err := rowsOf(r)
	if err != nil {
		return nil, err
	}
	return a.desk.Ledger.SaveBudgets(r.Context(), document, by)
}

func (a *API) saveAnnotations(r *http.Request, by string) (any, error) {
	document, err := rowsOf(r)
	if err != nil {
		return nil, err
	}
	return a.desk.Ledger.SaveAnnotations(r.Context(), document, by)
}

// rowsOf reads a body of rows. The parsers of files would also take CSV, which the API does not.
func rowsOf(r *http.Request) ([]byte, error) {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if !json.Valid(document) {
		return nil, &metrics.OptionError{Option: "body", Reason: "is not a JSON object, or a list of them"}
	}
	return document, nil
}
