package api

import (
	"encoding/json"
	"io"
	"net/http"

	"gpuledger/metrics"
)

// budgetRow is a budget in a body, as in docs/connect/budgets.md.
type budgetRow struct {
	Name     string `json:"name"`
	Key      string `json:"key"`
	Value    string `json:"value"`
	Period   string `json:"period" one:"month quarter year life"`
	Start    string `json:"start"`
	Amount   string `json:"amount"`
	Unit     string `json:"unit" one:"money gpu_hours tokens"`
	Currency string `json:"currency"`
	Parent   string `json:"parent"`
	Reason   string `json:"reason"`
}

// annotationRow is an annotation in a body, as in docs/connect/annotations.md.
type annotationRow struct {
	At     string `json:"at"`
	Until  string `json:"until"`
	Kind   string `json:"kind" one:"deploy price close interruptions budget note"`
	Key    string `json:"key"`
	Value  string `json:"value"`
	Text   string `json:"text"`
	Source string `json:"source"`
	Link   string `json:"link"`
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
