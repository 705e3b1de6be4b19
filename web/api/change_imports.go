package api

import (
	"io"
	"net/http"
	"slices"
	"strings"

	"gpuledger/ingest"
	"gpuledger/internal/nearest"
	"gpuledger/metrics"
	"gpuledger/web/operate"
)

// largestFile bounds a file that is imported over HTTP.
const largestFile = 32 << 20

// ImportsPath is the address that takes files. It has a separate bound of bodies.
const ImportsPath = root + "/imports"

// pushed are the sources whose files may be sent: those of facts. Prices, budgets and annotations need other rights, and
// auto would take them as well.
var pushed = slices.DeleteFunc(slices.Clone(ingest.Sources), func(source string) bool {
	return slices.Contains([]string{
		ingest.SourceAuto, ingest.SourcePrometheus, ingest.SourcePriceBook, ingest.SourcePublicPrices, ingest.SourceBudgets,
		ingest.SourceAnnotations,
	}, source)
})

var importParameters = []Parameter{
	{Name: "source", In: "query", Required: true, Doc: "Format of the file, as in gpuledger import.",
		Schema: object{"type": "string", "enum": pushed}, Example: "focus"},
	{Name: "name", In: "query", Doc: "Name of the file, for messages and the dataset imports.",
		Schema: object{"type": "string"}, Example: "focus-2026-11.csv"},
	{Name: "cluster", In: "query", Doc: "Cluster of telemetry that does not name one.",
		Schema: object{"type": "string"}, Example: "prod"},
}

var importDocuments = []Content{
	{Type: "application/octet-stream", Schema: object{"type": "string"},
		Example: "experiment,metric,value\ntokenizer-v3,bleu,31.2\n"},
}

// experimentRow is a result of an experiment in a body, as in docs/connect/experiments.md.
type experimentRow struct {
	Experiment string `json:"experiment" need:"true" doc:"Its name, which runs carry as a label."`
	Metric     string `json:"metric" need:"true"`
	Value      string `json:"value" need:"true" doc:"A decimal, without unit." example:"31.2"`
	Run        string `json:"run" doc:"Id or name of the run that it was measured on."`
	Baseline   string `json:"baseline" doc:"The earlier value to compare with." example:"29.8"`
	Threshold  string `json:"threshold" doc:"The value that counts as a success." example:"31"`
	Direction  string `json:"direction" one:"higher lower" doc:"Which values are good."`
	Model      string `json:"model_version" doc:"Version of the measured model." example:"v7"`
	Dataset    string `json:"dataset" doc:"Dataset that the model was trained or measured on." example:"wmt-2026"`
	Size       string `json:"dataset_size" doc:"A decimal, in dataset_unit." example:"4500000"`
	Unit       string `json:"dataset_unit" doc:"Unit of dataset_size." example:"tokens"`
	At         string `json:"at" doc:"When it was measured: RFC 3339." example:"2026-11-02T09:00:00Z"`
}

var priceBookDocuments = []Content{
	{Type: "application/yaml", Schema: object{"type": "string"},
		Example: "rates:\n- {instance_type: p5.48xlarge, price_class: on_demand, region: us-east-1, currency: USD, " +
			"hourly: \"98.32\", valid_from: 2026-11-01, source: our contract}\n"},
	{Type: "application/json", Schema: object{"type": "object"}},
}

func (a *API) importFile(r *http.Request, by string) (any, error) {
	q := r.URL.Query()
	source := q.Get("source")
	if !slices.Contains(pushed, source) {
		return nil, &metrics.OptionError{Option: "source", Value: source,
			Reason: "unknown" + nearest.Suggest(source, pushed) + "; known are " + strings.Join(pushed, ", ")}
	}
	content, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if len(content) == 0 {
		return nil, &metrics.OptionError{Option: "body", Reason: "is empty: send the bytes of the file"}
	}
	return a.desk.Ledger.Import(r.Context(),
		operate.File{Source: source, Name: q.Get("name"), Cluster: q.Get("cluster"), Content: content}, by)
}

func (a *API) saveExperiments(r *http.Request, by string) (any, error) {
	document, err := rowsOf(r)
	if err != nil {
		return nil, err
	}
	return a.desk.Ledger.SaveExperiments(r.Context(), document, by)
}

func (a *API) savePriceBook(r *http.Request, by string) (any, error) {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return a.desk.Ledger.SavePriceBook(r.Context(), document, by)
}
