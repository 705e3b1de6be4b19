package verify

import (
	"bytes"
	"context"
	"fmt"
	"math/big"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/closing"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/explain"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// nameChanged names the changed rows of a node-day whose digest is wrong: postings that differ from the share of
// their part, usage rows whose capacity differs from their weight. It is empty if the changed column does not follow
// from stored data (a method, a span).
func nameChanged(ctx context.Context, tx pgx.Tx, node ledger.ID, day period.Second) ([]string, error) {
	found, err := offenders(ctx, tx, "verify.named_whole", pg.Tenant, node, day)
	if err != nil || node.IsZero() {
		return found, err
	}
	hours := make([]explain.NodeHour, 0, 24)
	for h := day; h < day+period.Day; h += period.Hour {
		hours = append(hours, explain.NodeHour{Node: node, Hour: h})
	}
	whole, err := explain.WholeHours(ctx, tx, hours)
	if err != nil {
		return nil, err
	}
	place := map[explain.NodeHour]*derivedHour{}
	for i, at := range hours {
		if place[at], err = derivedOf(&whole[i]); err != nil {
			return nil, err
		}
	}
	keys, times := explain.SplitHours(hours)
	type posting struct {
		explain.NodeHour
		PostingID, PartID, UsageID ledger.ID
		ledger.Costs
	}
	err = pg.Each(ctx, tx, "verify.named_postings", func(p posting) error {
		is := fmt.Sprintf("posting_id=%s hour=%s part_id=%s usage_id=%s", p.PostingID, p.Hour, p.PartID, p.UsageID)
		for i, name := range ledger.Metrics {
			cost := p.Get(name)
			want, known := place[p.NodeHour].shares[shareKey{p.PartID, p.UsageID, i}]
			switch {
			case cost == nil && !known:
			case cost == nil || !known:
				found = append(found, fmt.Sprintf("%s: %s is known for either the posting or its part, but not for both", is, name))
			case cost.Cmp(want) != 0:
				found = append(found, fmt.Sprintf("%s %s=%s, by weight it should be %s", is, name, cost, want))
			}
		}
		return nil
	}, pg.Tenant, keys, times)
	if err != nil {
		return nil, err
	}
	type usage struct {
		explain.NodeHour
		UsageID  ledger.ID
		Capacity money.Amount
	}
	err = pg.Each(ctx, tx, "verify.named_usage", func(u usage) error {
		if want, ok := place[u.NodeHour].capacity[u.UsageID]; ok && want.Cmp(u.Capacity) != 0 {
			found = append(found, fmt.Sprintf("usage_id=%s hour=%s capacity_gpu_hours=%s, by weight it should be %s", u.UsageID,
				u.Hour,
				u.Capacity, want))
		}
		return nil
	}, pg.Tenant, keys, times)
	return few(found), err
}

// shareKey is one metric of one posting.
type shareKey struct {
	part, usage ledger.ID
	metric      int
}

// derivedHour has the shares and capacities that follow from the weights of a node-hour.
type derivedHour struct {
	shares   map[shareKey]money.Amount
	capacity map[ledger.ID]money.Amount
}

func derivedOf(n *metrics.NodeHour) (*derivedHour, error) {
	d := &derivedHour{shares: map[shareKey]money.Amount{}, capacity: map[ledger.ID]money.Amount{}}
	if len(n.Rows) == 0 {
		return d, nil
	}
	weights, total := make([]*big.Int, len(n.Rows)), new(big.Int)
	usage := make([]ledger.ID, len(n.Rows))
	for i := range n.Rows {
		var ok bool
		if weights[i], ok = new(big.Int).SetString(n.Rows[i].Weight, 10); !ok {
			return nil, fmt.Errorf("usage row %s weighs %s", n.Rows[i].UsageID, n.Rows[i].Weight)
		}
		total.Add(total, weights[i])
		id, err := ledger.ParseID(n.Rows[i].UsageID)
		if err != nil {
			return nil, err
		}
		usage[i] = id
	}
	if total.Sign() == 0 {
		return d, nil
	}
	denominator, ok := new(big.Int).SetString(n.Denominator, 10)
	if !ok {
		return nil, fmt.Errorf("denominator of node %s is %q, not a whole number", n.Node, n.Denominator)
	}
	// Σ weights ÷ denominator seconds are a whole number: 2.5e9/9 units of 1e-12 GPU-hours each, rounded half up.
	units := new(big.Int).Mul(total, big.NewInt(2_500_000_000))
	units.Mul(units, big.NewInt(2)).Div(units.Add(units, new(big.Int).Mul(denominator, big.NewInt(9))),
		new(big.Int).Mul(denominator, big.NewInt(18)))
	capacity, err := money.Parse(new(big.Rat).SetFrac(units, big.NewInt(money.UnitsPerOne)).FloatString(12))
	if err != nil {
		return nil, err
	}
	shares, err := money.Split(capacity, weights)
	if err != nil {
		return nil, err
	}
	for i := range shares {
		d.capacity[usage[i]] = shares[i]
	}
	for p := range n.Parts {
		part, err := ledger.ParseID(n.Parts[p].PartID)
		if err != nil {
			return nil, err
		}
		for m, name := range ledger.Metrics {
			text := n.Parts[p].Amount.Get(name)
			if text == nil {
				continue
			}
			amount, err := money.Parse(*text)
			if err != nil {
				return nil, err
			}
			shares, err := money.Split(amount, weights)
			if err != nil {
				return nil, err
			}
			for i := range shares {
				d.shares[shareKey{part, usage[i], m}] = shares[i]
			}
		}
	}
	return d, nil
}

// changedLine names the first line of a statement that differs from its document.
func changedLine(ctx context.Context, tx pgx.Tx, k book.StatementKey, head closing.Head) (string, error) {
	packed, err := document(ctx, tx, k)
	if err != nil {
		return "", err
	}
	text, err := book.Unpack(packed)
	if err != nil {
		return "", nil // checkStatements reports it separately
	}
	var now bytes.Buffer
	if _, err := closing.Write(&now, head,
		book.Lines(ctx, tx, "statement.lines", pg.Tenant, k.BillingAccount, string(k.BillingPeriod), k.Version)); err != nil {
		return "", err
	}
	was, is := bytes.Split(text, []byte("\n")), bytes.Split(now.Bytes(), []byte("\n"))
	for i := range min(len(was), len(is)) {
		if !bytes.Equal(was[i], is[i]) {
			return fmt.Sprintf("; line %d of the document was %q and is %q", i+1, was[i], is[i]), nil
		}
	}
	return "", nil
}
