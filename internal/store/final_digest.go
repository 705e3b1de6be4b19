package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// finalKey names the final rows of one statement on one node-day, or its pairs
// of sharing on one day.
type finalKey struct {
	account, month string
	what           string
	chunkKey
}

func (k finalKey) compare(o finalKey) int {
	return cmp.Or(cmp.Compare(k.account, o.account), cmp.Compare(k.month, o.month), cmp.Compare(k.what, o.what),
		bytes.Compare(k.node[:], o.node[:]), cmp.Compare(k.day, o.day))
}

// Final rows are digested as they are stored, apart from what may still move:
// the delivery that brought a line last, and the state, which says final.
var finalTables = []struct{ statement, what string }{
	{"final.copy_usage", "rows"}, {"final.copy_parts", "rows"}, {"final.copy_postings", "rows"}, {"final.copy_shares", "shares"},
}

// finalDigests reads the final rows of the hours, of one period of an account or,
// for an empty account, of all.
func finalDigests(ctx context.Context, tx pgx.Tx, account, month string, hours period.Interval) (map[finalKey]*digest, error) {
	got := map[finalKey]*digest{}
	accountText, monthText := "null::text", "null::text"
	if account != "" {
		accountText, monthText = quoteText(account), quoteText(month)
	}
	for _, t := range finalTables {
		sql := strings.NewReplacer(":tenant", strconv.Itoa(tenant), ":from", literal(hours.From), ":to", literal(hours.To),
			":account", accountText, ":period", monthText).Replace(statement(t.statement))
		r := &tupleReader{tuple: func(fields []byte) error {
			k, rest, err := finalKeyOf(fields)
			if err != nil {
				return err
			}
			k.what = t.what
			d := got[k]
			if d == nil {
				d = &digest{}
				got[k] = d
			}
			d.add(rest)
			return nil
		}}
		if _, err := tx.Conn().PgConn().CopyTo(ctx, r, sql); err != nil {
			return nil, fmt.Errorf("%s: %w", t.statement, err)
		}
		if !r.ended {
			return nil, fmt.Errorf("%s: the stream ended early", t.statement)
		}
	}
	return got, nil
}

// quoteText is text as an SQL literal: COPY takes no parameters.
func quoteText(s string) string {
	return "U&'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(s) + "'"
}

// finalKeyOf takes account, period, node and hour from the front of a tuple; the
// digest is over what follows the account and the period.
func finalKeyOf(fields []byte) (k finalKey, rest []byte, err error) {
	next := func() ([]byte, bool, error) {
		if len(fields) < 4 {
			return nil, false, errTuple
		}
		size := int(int32(binary.BigEndian.Uint32(fields)))
		fields = fields[4:]
		if size < 0 {
			return nil, false, nil
		}
		if len(fields) < size {
			return nil, false, errTuple
		}
		v := fields[:size]
		fields = fields[size:]
		return v, true, nil
	}
	for i, to := range []*string{&k.account, &k.month} {
		v, _, err := next()
		if err != nil {
			return k, nil, err
		}
		*to = string(v)
		if i == 1 {
			rest = fields
		}
	}
	node, known, err := next()
	if err != nil {
		return k, nil, err
	}
	if known {
		copy(k.node[:], node)
	}
	hour, known, err := next()
	if err != nil {
		return k, nil, err
	}
	if known {
		at, err := parseSecond(hour)
		if err != nil {
			return k, nil, err
		}
		k.day = at.Floor(period.Day)
	}
	return k, rest, nil
}

// finalChunks are the columns of statement_chunks.
type finalChunks struct {
	what    []string
	nodes   []ledger.ID
	days    []period.Second
	digests [][]byte
	rows    []int64
}

// sortFinal puts digests into their order, and digests them together.
func sortFinal(got map[finalKey]*digest) (finalChunks, [sha256.Size]byte) {
	var c finalChunks
	h := sha256.New()
	for _, k := range slices.SortedFunc(maps.Keys(got), finalKey.compare) {
		d := got[k]
		value := d.value()
		c.what, c.nodes, c.days = append(c.what, k.what), append(c.nodes, k.node), append(c.days, k.day)
		c.digests, c.rows = append(c.digests, value), append(c.rows, int64(d.rows))
		_, _ = fmt.Fprintf(h, "%s %s %d %x\n", k.what, k.node, k.day, value)
	}
	var sum [sha256.Size]byte
	copy(sum[:], h.Sum(nil))
	return c, sum
}

// refreshChunks digests anew what is not final of the given node-days, which lie
// in the hours.
func refreshChunks(ctx context.Context, tx pgx.Tx, keys map[chunkKey]bool, hours period.Interval) error {
	got, err := chunkDigests(ctx, tx, hours)
	if err != nil {
		return err
	}
	var nodes []ledger.ID
	var days []period.Second
	var digests [][]byte
	for k := range keys {
		d := got[k]
		if d == nil {
			d = &digest{}
		}
		nodes, days, digests = append(nodes, k.node), append(days, k.day), append(digests, d.value())
	}
	_, err = exec(ctx, tx, "close.refresh_chunks", tenant, nodes, days, digests)
	return err
}
