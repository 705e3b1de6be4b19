package explain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"math/big"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

// WriteWhole writes the explanation of a subject as JSON with all postings of its figure,
// however many: those of a report are written while they are read, in no order.
func (s *Explainer) WriteWhole(ctx context.Context, w io.Writer, text string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if subject, err := metrics.ParseSubject(text); err != nil || subject.Kind != "report" {
		e, err := s.ExplainWith(ctx, text, Options{Listed: -1})
		if err != nil {
			return err
		}
		return enc.Encode(e)
	}
	e, err := s.explainer(ctx, text)
	if err != nil {
		return err
	}
	return s.Read(ctx, "explain all of "+text, func(tx pgx.Tx) error {
		e.tx = tx
		if viewer := access.From(ctx); viewer.Bounded() {
			e.out.Own = &metrics.OwnExplanation{Lines: []metrics.OwnLine{}, Usage: []metrics.OwnUsage{}}
			if err := e.subject.Query.SeenBy(viewer); err != nil {
				return err
			}
		}
		return e.writeWhole(ctx, w, enc)
	})
}

// writeWhole writes a list first, and then what it adds up to.
func (e *explainer) writeWhole(ctx context.Context, w io.Writer, enc *json.Encoder) error {
	q := e.subject.Query
	if err := e.reported(ctx); err != nil {
		return err
	}
	b, t := metrics.Behind{}, newTally()
	if err := e.cells(ctx, q, &b); err != nil {
		return err
	}
	before := `{"behind":{"listed":[`
	text, args := report.Behind(q, behindColumns, "")
	err := eachRow(ctx, e.tx, text, args, func(rows pgx.Rows) error {
		p, err := scanBehind(rows)
		if err != nil {
			return err
		}
		if p.unbilled {
			b.Unbilled++
			return nil
		}
		t.add(p.id, &p.Amount.Currency, p.costs, p.Amount.State, p.Amount.Quality)
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
		before = ","
		return enc.Encode(p.BehindRow)
	})
	if err != nil {
		return err
	}
	if before != "," { // no posting at all
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
	}
	e.tallied(t, &b)
	sums, err := json.Marshal(struct {
		metrics.Behind
		Listed *struct{} `json:"listed,omitempty"` // written before
	}{Behind: b})
	if err != nil {
		return err
	}
	rest, err := json.Marshal(e.out)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "],"+string(sums[1:])+","+string(rest[1:])+"\n")
	return err
}

// behindColumns are what scanBehind reads.
const behindColumns = "x_id, x_hour, x_node, x_cause, x_kind, x_team, x_run, x_currency, " +
	"x_effective, x_billed, x_list, x_contracted, x_state, x_quality, x_unbilled"

// behindPosting is a posting with its amounts as numbers.
type behindPosting struct {
	metrics.BehindRow
	id       ledger.ID
	costs    [4]*money.Amount
	unbilled bool
}

func scanBehind(rows pgx.Rows) (behindPosting, error) {
	var p behindPosting
	var hour period.Second
	var currency, quality *string
	err := rows.Scan(&p.id, &hour, &p.Node, &p.Cause, &p.Kind, &p.Team, &p.RunID, &currency,
		&p.costs[0], &p.costs[1], &p.costs[2], &p.costs[3], &p.Amount.State, &quality, &p.unbilled)
	p.PostingID, p.Hour = p.id.String(), hour.Time()
	p.Amount.Currency, p.Amount.Quality = pg.OrEmpty(currency), pg.OrEmpty(quality)
	setCosts(&p.Amount, p.costs)
	return p, err
}

// tally adds postings up.
type tally struct {
	sums   map[string]*figureSum // by currency
	digest *big.Int
	count  int64
}

func newTally() *tally { return &tally{sums: map[string]*figureSum{}, digest: new(big.Int)} }

func (t *tally) add(id ledger.ID, currency *string, costs [4]*money.Amount, state, quality string) {
	t.count++
	line := []string{id.String(), pg.OrEmpty(currency)}
	for _, c := range costs {
		line = append(line, pg.OrEmpty(amountText(c)))
	}
	sum := sha256.Sum256([]byte(strings.Join(line, ",")))
	t.digest.Add(t.digest, new(big.Int).SetBytes(sum[:]))
	if pg.OrEmpty(currency) == "" {
		return
	}
	if t.sums[*currency] == nil {
		t.sums[*currency] = &figureSum{}
	}
	t.sums[*currency].add(costs, state, quality)
}

// text is the digest: modulo 2^256, in hex.
func (t *tally) text() string {
	var bytes [32]byte
	modulus := new(big.Int).Lsh(big.NewInt(1), 256)
	return hex.EncodeToString(new(big.Int).Mod(t.digest, modulus).FillBytes(bytes[:]))
}
