package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/nearest"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// ownLabels is the text of @own_labels: the labels of a run r that the query names.
func (c Compiler) ownLabels() string {
	var b strings.Builder
	for _, k := range c.Q.Carried() {
		if k.On == metrics.OnLabel {
			fmt.Fprintf(&b, ", r.labels ->> %s as %s", c.value(ledger.FoldKey(k.Arg), "text"), ident(k.Name))
		}
	}
	return b.String()
}

// mostKeys is how many keys a note names.
const mostKeys = 20

// notCarried names the query's labels and tags that no row has, with the nearest existing keys. An empty answer alone
// would not show a misspelt key.
func notCarried(ctx context.Context, tx pgx.Tx, q metrics.Query) (notes []string, err error) {
	for _, k := range q.Carried() {
		name, arg := "report.label_carried", ledger.FoldKey(k.Arg)
		if k.On == metrics.OnTag {
			name, arg = "report.tag_carried", k.Arg
		}
		if k.On == metrics.OnLabel && slices.Contains(metrics.OwnerKeys, k.Arg) {
			continue
		}
		carried, err := pg.Value[bool](ctx, tx, name, pg.Tenant, arg)
		if err != nil {
			return nil, err
		}
		if carried {
			continue
		}
		keys, err := pg.Values[string](ctx, tx, name+"_keys", pg.Tenant)
		if err != nil {
			return nil, err
		}
		notes = append(notes, fmt.Sprintf("no rows carry %s; %s", k.Name, closest(k.Arg, keys)))
	}
	return notes, nil
}

// closest names the keys most similar to key.
func closest(key string, keys []string) string {
	if len(keys) == 0 {
		return "there are no such keys at all"
	}
	near := nearest.Names(key, keys)
	return "the nearest existing keys: " + strings.Join(near[:min(len(near), mostKeys)], ", ")
}
