package main

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/config"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
	"gpuledger/web/operate"
)

// takingDesk is a desk of a store that imports files, and counts how often facts arrived.
func takingDesk(t *testing.T, arrived *int) (deskLedger, *store.Store) {
	t.Helper()
	s := storetest.SmallLedger(t)
	a := &app{ctx: t.Context()}
	return deskLedger{Store: s, take: a.fileTaker(s, &config.Config{}, func() { *arrived++ })}, s
}

func TestAFileOfARequestIsImported(t *testing.T) {
	arrived := 0
	l, s := takingDesk(t, &arrived)
	file := operate.File{Source: "experiments", Name: "../../etc/results.csv", Content: []byte(
		"experiment,metric,value\ntokenizer,bleu,31.2\ntokenizer,loss,much\n")}
	for range 2 { // again, harmless
		got, err := l.Import(t.Context(), file, "ada")
		if err != nil || got.RowsRead != 2 || got.Accepted != 1 || got.Rejected != 1 || len(got.Rejections) != 1 ||
			!strings.Contains(got.Rejections[0], "results.csv line 3, column value") || len(got.Imports) != 1 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	rows := storetest.Table(t, s, "imports", metrics.Options{Filter: "source = experiments"})
	if len(rows) != 2 || rows[0]["uri"] != "http-body://results.csv" || arrived != 2 {
		t.Errorf("%v, arrived %d times", rows, arrived)
	}
	_, err := l.Import(t.Context(), operate.File{Source: "focus", Content: []byte("a,b\n1,2\n")}, "ada")
	if refused, ok := errors.AsType[*operate.RefusedError](err); !ok || !strings.Contains(refused.Error(), "body") {
		t.Errorf("a bill that is none: %v", err)
	}
}

// Results of a request are stored all or none, and once.
func TestResultsOfARequest(t *testing.T) {
	arrived := 0
	l, s := takingDesk(t, &arrived)
	const good = `{"experiment":"tokenizer","metric":"bleu","value":"31.2","at":"2026-11-02T09:00:00Z"}`
	for _, document := range []string{good, "[" + good + "]"} {
		if got, err := l.SaveExperiments(t.Context(), []byte(document), "ada"); err != nil || got.Accepted != 1 {
			t.Errorf("%s: %+v, %v", document, got, err)
		}
	}
	for document, field := range map[string]string{
		"[" + good + `,{"experiment":"new","metric":"bleu","value":"much"}]`: "value",
		`{"experiment":"new","metric":"bleu"}`:                               "value",
		`{"experiment":"new","metric":"bleu","value":1,"treshold":2}`:        "treshold",
		`[]`: "body", `7`: "body",
	} {
		_, err := l.SaveExperiments(t.Context(), []byte(document), "ada")
		if wrong, ok := errors.AsType[*metrics.OptionError](err); !ok || wrong.Option != field &&
			!strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v, want a fault of %s", document, err, field)
		}
	}
	if rows := storetest.Table(t, s, "experiments", metrics.Options{Filter: "metric = bleu"}); len(rows) != 1 {
		t.Errorf("%d experiments", len(rows))
	}
}

func TestAPriceBookOfARequest(t *testing.T) {
	arrived := 0
	l, s := takingDesk(t, &arrived)
	const book = "rates:\n- {instance_type: p5.48xlarge, price_class: on_demand, region: us-east-1, currency: USD, " +
		"hourly: \"98.32\", valid_from: 2026-11-01, source: our contract}\n"
	if got, err := l.SavePriceBook(t.Context(), []byte(book), "ada"); err != nil || got.Accepted != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	rows := storetest.Table(t, s, "rates", metrics.Options{Filter: "instance_type = p5.48xlarge"})
	if len(rows) != 1 || rows[0]["price"] != "98.32" {
		t.Errorf("%v", rows)
	}
	_, err := l.SavePriceBook(t.Context(), []byte("rates:\n- {instance_type: p5.48xlarge}\n"), "ada")
	if refused, ok := errors.AsType[*operate.RefusedError](err); !ok || !strings.Contains(refused.Error(), "line 2") {
		t.Errorf("a book without a price: %v", err)
	}
}
