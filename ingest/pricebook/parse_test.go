package pricebook

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

const good = `# prices
rates:
  - instance_type: p5.48xlarge
    region: us-east-1
    price_class: on_demand
    currency: USD
    hourly: "55.04"
    valid_from: 2026-01-01
    valid_to: 2026-07-01
    source: list
  - {instance_type: p5.48xlarge, region: us-east-1, price_class: on_demand, currency: USD, hourly: 49.5, valid_from: "2026-07-01T00:00:00Z"}
  - {instance_type: rack-a, price_class: owned, currency: EUR, hourly: "0.000000000001"}
`

func TestParse(t *testing.T) {
	book, tally, err := Parse(strings.NewReader(good), "book.yaml")
	if err != nil || tally.Refusals() != 0 || book.Entries != 3 || len(book.Rates) != 3 || len(book.Slots()) != 0 {
		t.Fatalf("%v %+v %+v", err, book, tally)
	}
	rates := book.Rates
	a, c := rates[0], rates[2]
	if a.Hourly.String() != "55.04" || a.Valid.To != rates[1].Valid.From || a.Source != "list" ||
		rates[1].Source != "book.yaml" ||
		c.Region != "" || c.Valid != always || c.PriceClass != ledger.Owned || c.Hourly.String() != "0.000000000001" {
		t.Errorf("%+v", rates)
	}
	if a.ID == rates[1].ID || a.ID.IsZero() {
		t.Error("ids must differ")
	}
}

func TestRefusalsNameTheLine(t *testing.T) {
	base := "{instance_type: a, price_class: spot, currency: USD, hourly: '1'"
	for name, c := range map[string]struct{ text, want string }{
		"unknown key":     {"rates:\n- instance_type: a\n  colour: red\n", "3 colour unknown key"},
		"unknown top key": {"rates: []\nprices: []\n", "2 prices unknown key"},
		"missing":         {"rates:\n\n- {instance_type: a, price_class: spot, currency: USD}\n", "3 hourly missing value"},
		"text":            {"rates:\n- " + strings.Replace(base, "'1'", "cheap", 1) + "}\n", "2 hourly not a number"},
		"infinity":        {"rates:\n- " + strings.Replace(base, "'1'", ".inf", 1) + "}\n", "2 hourly not a number"},
		"negative":        {"rates:\n- " + strings.Replace(base, "'1'", "-1", 1) + "}\n", "2 hourly negative"},
		"class": {
			"rates:\n- " + strings.Replace(base, "spot", "cheap", 1) + "}\n", "2 price_class unknown price class",
		},
		"currency": {"rates:\n- " + strings.Replace(base, "USD", "dollars", 1) + "}\n", "2 currency unknown unit"},
		"date":     {"rates:\n- " + base + ", valid_from: soon}\n", "2 valid_from not a date"},
		"never": {
			"rates:\n- " + base + ", valid_from: 2026-02-01, valid_to: 2026-01-01}\n", "2 valid_to end before start",
		},
		"overlap":       {"rates:\n- " + base + "}\n- " + base + ", valid_from: 2026-02-01}\n", "3  overlapping entries"},
		"identical":     {"rates:\n- " + base + "}\n- " + base + "}\n", "3  overlapping entries"},
		"repeated key":  {"rates:\n- {hourly: '1', hourly: '2'}\n", "2 hourly repeated key"},
		"broken":        {"rates:\n- a: [\n", "2  broken yaml"},
		"empty":         {"", "0 rates missing value"},
		"list":          {"- a\n", "1 rates missing value"},
		"two documents": {"rates: []\n---\nrates: []\n", "2  broken yaml"},
	} {
		book, tally, err := Parse(strings.NewReader(c.text), "book.yaml")
		if err != nil || len(book.Rates) != 0 || len(tally.First) == 0 {
			t.Errorf("%s: %v %+v, %+v", name, err, book, tally)
			continue
		}
		x := tally.First[0]
		got := fmt.Sprintf("%d %s %s", x.Line, x.Column, x.Reason)
		if name != "broken" && name != "two documents" && name != "repeated key" && got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if !strings.HasSuffix(got, strings.SplitN(c.want, " ", 2)[1]) && name != "repeated key" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
