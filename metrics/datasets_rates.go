package metrics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

var rates = Dataset{
	Name:   "rates",
	Lead:   []string{"instance_type", "region", "price_class", "price", "currency", "valid_from", "valid_to", "source"},
	InPart: true,
	Doc:    "Prices of price books: one row per machine type, region, price class, currency and time that it is valid for.",
	Columns: sourced("rates", []Column{
		attr("rate_id", ID, "Rate; postings name it as their method's source."),
		attr("instance_type", Text, "Machine type."),
		attr("region", Text, "Region; NULL: all regions."),
		attr("price_class", Text, "How the machine is bought."),
		{Name: "price", Kind: Ratio, Unit: "currency per hour", Doc: "Price of one machine for one hour.", Formula: Field("price")},
		attr("currency", Text, "Currency of the price."),
		attr("valid_from", Time, "From when it is valid; NULL: always was."),
		attr("valid_to", Time, "Until when, exclusive; NULL: no end."),
		attr("source", Text, "File or name of the price book."),
	}...),
	RowKey: []string{"rate_id"},
	Order: []Order{{Column: "instance_type"}, {Column: "region"}, {Column: "price_class"}, {Column: "currency"},
		{Column: "valid_from"}},
}

// AnnotationsOfPrices is the source of price changes in price books.
const AnnotationsOfPrices = "price book"

// priceChanges are the rates of price books that replace another price of the same machine type, region, price class
// and currency, each at its start. The first price of a machine type changes nothing.
func priceChanges(ctx context.Context, _ period.Interval, from Source) ([]ledger.Annotation, error) {
	a, err := ReadAnswer(ctx, from, allOf(&rates, period.Interval{}))
	if err != nil {
		return nil, err
	}
	var list []ledger.Annotation
	slices.SortStableFunc(a.Rows, func(x, y []Value) int { // a price without a start comes first
		return cmp.Compare(a.second(x, "valid_from"), a.second(y, "valid_from"))
	})
	before := map[string]string{} // the price so far, by machine type, region, class and currency
	for _, row := range a.Rows {
		text := func(column string) string { return row[a.At(column)].Text }
		what := []string{text("instance_type"), text("region"), text("price_class"), text("currency")}
		of := strings.Join(what, "\x00")
		old, known := before[of]
		now := text("price")
		before[of] = now
		at := a.second(row, "valid_from")
		if !known || old == now || at == 0 {
			continue
		}
		where := ""
		if what[1] != "" {
			where = " in " + what[1]
		}
		list = append(list, ledger.Annotation{At: at, Kind: ledger.AnnotationPrice, Key: "instance_type", Value: what[0],
			Text: fmt.Sprintf("%s%s, %s: %s → %s %s an hour", what[0], where, strings.ReplaceAll(what[2], "_", " "), old, now,
				what[3]),
			Source: AnnotationsOfPrices})
	}
	return list, nil
}
