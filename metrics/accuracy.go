package metrics

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Estimates are how good earlier estimates of provisional cost were, one per provider and currency (docs/figures.md,
// 28.6).
type Estimates []Accuracy

// Accuracy is how good the estimates of one provider in one currency were, over its newest billed days.
type Accuracy struct {
	Provider, Currency string
	Days               int
	Error              money.Amount // Σ error
	Off                money.Amount // Σ |error of a day|
	Final              money.Amount // Σ final
}

const (
	measuredDays = 30 // billed days that count
	measuredBack = 92 // days before the newest billed one in which they are looked for
)

// Bias is the error as a share of the final cost: above 0, estimates were too high. Nil if no cost came.
func (a Accuracy) Bias() *big.Rat { return a.ofFinal(a.Error) }

// MeanError is the part of the final cost by which estimates of a day were off, in either direction. Nil if no cost
// came.
func (a Accuracy) MeanError() *big.Rat { return a.ofFinal(a.Off) }

func (a Accuracy) ofFinal(part money.Amount) *big.Rat {
	if a.Final.Sign() <= 0 {
		return nil
	}
	return new(big.Rat).Quo(part.Rat(), a.Final.Rat())
}

// ReadEstimates reads how good estimates were, within the reader's scope.
func ReadEstimates(ctx context.Context, from Querier) (Estimates, error) {
	newest, err := readAccuracy(ctx, from, Options{Order: "-day", Limit: "1"}, "day")
	if err != nil || len(newest.Rows) == 0 {
		return nil, err
	}
	since := period.FromTime(newest.Rows[0][newest.At("day")].Time) - measuredBack*period.Day
	rows, err := readAccuracy(ctx, from, Options{From: since.String()}, "day", "provider", "currency", "error", "final")
	if err != nil {
		return nil, err
	}
	return estimatesOf(rows), nil
}

func readAccuracy(ctx context.Context, from Querier, o Options, columns ...string) (*Answer, error) {
	q, err := Parse(provisionalAccuracy.Name, o)
	if err != nil {
		return nil, err
	}
	q.Only = columns
	a, err := ReadAnswer(ctx, from, q)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", provisionalAccuracy.Name, err)
	}
	return a, nil
}

// estimatesOf adds up the teams of each day, then the newest days of each provider and currency.
func estimatesOf(rows *Answer) (out Estimates) {
	type of struct{ provider, currency string }
	type sums struct{ err, final money.Amount }
	days := map[of]map[time.Time]sums{}
	for _, row := range rows.Rows {
		k := of{row[rows.At("provider")].Text, row[rows.At("currency")].Text}
		if days[k] == nil {
			days[k] = map[time.Time]sums{}
		}
		day := row[rows.At("day")].Time
		sum := days[k][day]
		sum.err = sum.err.Add(money.MustParse(row[rows.At("error")].Text))
		sum.final = sum.final.Add(money.MustParse(row[rows.At("final")].Text))
		days[k][day] = sum
	}
	for k, sum := range days {
		list := slices.SortedFunc(maps.Keys(sum), func(a, b time.Time) int { return b.Compare(a) })
		list = list[:min(len(list), measuredDays)]
		a := Accuracy{Provider: k.provider, Currency: k.currency, Days: len(list)}
		for _, day := range list {
			a.Error, a.Final = a.Error.Add(sum[day].err), a.Final.Add(sum[day].final)
			off := sum[day].err
			if off.Sign() < 0 {
				off = off.Neg()
			}
			a.Off = a.Off.Add(off)
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b Accuracy) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Currency, b.Currency))
	})
	return out
}

// Off is by how much a day's estimates in a currency were off, over all providers: "3.4 %". It is empty if no bill came
// yet.
func (e Estimates) Off(currency string) string {
	var all Accuracy
	for _, a := range e {
		if a.Currency == currency {
			all.Off, all.Final = all.Off.Add(a.Off), all.Final.Add(a.Final)
		}
	}
	share := all.MeanError()
	if share == nil {
		return ""
	}
	return percent1(share)
}

// Sentence states how good earlier estimates were.
func (e Estimates) Sentence() string {
	var said []string
	for _, a := range e {
		bias, days := a.Bias(), "billed day"
		if a.Days > 1 {
			days = fmt.Sprintf("%d billed days", a.Days)
		}
		if bias == nil {
			said = append(said, fmt.Sprintf("Bills have no cost for the estimates of %s in %s over the last %s.",
				ProviderName(a.Provider), a.Currency, days))
			continue
		}
		was := "as high as the bill"
		if size := percent1(bias); size != "0.0 %" {
			was = size + " too high"
			if bias.Sign() < 0 {
				was = size + " too low"
			}
		}
		said = append(said, fmt.Sprintf("Estimates of %s in %s were %s over the last %s; a day was %s off.",
			ProviderName(a.Provider), a.Currency, was, days, percent1(a.MeanError())))
	}
	if len(said) == 0 {
		return "No bill has replaced an estimate yet, so the error of estimates is unknown."
	}
	return strings.Join(said, " ")
}

// percent1 is the size of a share in percent with one digit.
func percent1(share *big.Rat) string {
	size := new(big.Rat).Abs(share)
	return size.Mul(size, big.NewRat(100, 1)).FloatString(1) + " %"
}
