package book

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// FinalKey identifies the final rows of one statement on one node-day, or its sharing pairs on one day.
type FinalKey struct {
	Account, Month string
	What           string
	ChunkKey
}

func (k FinalKey) compare(o FinalKey) int {
	return cmp.Or(cmp.Compare(k.Account, o.Account), cmp.Compare(k.Month, o.Month), cmp.Compare(k.What, o.What),
		bytes.Compare(k.Node[:], o.Node[:]), cmp.Compare(k.Day, o.Day))
}

// Digests of final rows cover the stored columns except those that may still change: the delivery that last brought a
// line, and the state, which is final.
var finalTables = []struct{ statement, what string }{
	{"final.copy_usage", "rows"}, {"final.copy_parts", "rows"}, {"final.copy_postings", "rows"},
	{"final.copy_shares", "shares"},
}

// FinalDigests reads the final rows in hours, of one period of an account, or of all for an empty account.
func FinalDigests(
	ctx context.Context, tx pgx.Tx, account, month string, hours period.Interval,
) (map[FinalKey]*pg.Digest, error) {
	got := map[FinalKey]*pg.Digest{}
	of := []string{":account", "null::text", ":period", "null::text"}
	if account != "" {
		of[1], of[3] = QuoteText(account), QuoteText(month)
	}
	for _, t := range finalTables {
		err := readTuples(ctx, tx, t.statement, hours, of, func(fields []byte) error {
			k, rest, err := finalKeyOf(fields)
			if err == nil {
				k.What = t.what
				pg.AddTo(got, k, rest)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return got, nil
}

// QuoteText is text as an SQL literal: COPY takes no parameters.
func QuoteText(s string) string {
	return "U&'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(s) + "'"
}

// finalKeyOf reads account, period, node and hour from the front of a tuple. The digest covers the fields after account
// and period.
func finalKeyOf(fields []byte) (k FinalKey, rest []byte, err error) {
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
	for i, to := range []*string{&k.Account, &k.Month} {
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
		copy(k.Node[:], node)
	}
	hour, known, err := next()
	if err != nil {
		return k, nil, err
	}
	if known {
		at, err := pg.ParseSecond(hour)
		if err != nil {
			return k, nil, err
		}
		k.Day = at.Floor(period.Day)
	}
	return k, rest, nil
}

// finalChunks are the columns of statement_chunks.
type finalChunks struct {
	What    []string
	Nodes   []ledger.ID
	Days    []period.Second
	Digests [][]byte
	Rows    []int64
}

// SortFinal sorts digests and computes a digest over all of them.
func SortFinal(got map[FinalKey]*pg.Digest) (finalChunks, [sha256.Size]byte) {
	var c finalChunks
	h := sha256.New()
	for _, k := range slices.SortedFunc(maps.Keys(got), FinalKey.compare) {
		d := got[k]
		value := d.Value()
		c.What, c.Nodes, c.Days = append(c.What, k.What), append(c.Nodes, k.Node), append(c.Days, k.Day)
		c.Digests, c.Rows = append(c.Digests, value), append(c.Rows, int64(d.Rows))
		_, _ = fmt.Fprintf(h, "%s %s %d %x\n", k.What, k.Node, k.Day, value)
	}
	var sum [sha256.Size]byte
	copy(sum[:], h.Sum(nil))
	return c, sum
}

// RefreshChunks recomputes the digests of the rows that are not final of the given node-days, which are in hours.
func RefreshChunks(ctx context.Context, tx pgx.Tx, keys map[ChunkKey]bool, hours period.Interval) error {
	got, err := ChunkDigests(ctx, tx, hours)
	if err != nil {
		return err
	}
	var nodes []ledger.ID
	var days []period.Second
	var digests [][]byte
	for k := range keys {
		d := got[k]
		if d == nil {
			d = &pg.Digest{}
		}
		nodes, days, digests = append(nodes, k.Node), append(days, k.Day), append(digests, d.Value())
	}
	_, err = pg.Exec(ctx, tx, "close.refresh_chunks", pg.Tenant, nodes, days, digests)
	return err
}
