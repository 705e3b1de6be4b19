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
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

// WriteWhole writes the explanation of a subject as JSON with all postings of its figure, however many. Those of a
// report are streamed, in no particular order.
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

// writeWhole streams the list first, then its sums.
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
	err := eachRow(ctx, e.tx, text, args, func(p behindPosting) error {
		if p.Unbilled {
			b.Unbilled++
			return nil
		}
		t.add(&p.behindAmounts)
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
		before = ","
		return enc.Encode(p.row())
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
		Listed *struct{} `json:"listed,omitempty"` // written first, by writeWhole
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

// behindAmounts are the columns of a posting that are added up.
type behindAmounts struct {
	ID       ledger.ID
	Currency string
	ledger.Costs
	State, Quality string
	Unbilled       bool
}

const amountColumns = "x_id as id, coalesce(x_currency, '') as currency, x_effective as effective_cost, x_billed " +
	"as billed_cost, " +
	"x_list as list_cost, x_contracted as contracted_cost, x_state as state, coalesce(x_quality, '') as quality, " +
	"x_unbilled as unbilled"

type behindPosting struct {
	behindAmounts
	metrics.BehindRow
}

const behindColumns = amountColumns +
	", x_id as posting_id, x_hour as hour, x_node as node, x_cause as cause, x_kind as kind, " +
	"x_team as team, x_run as run_id"

func (p *behindPosting) row() metrics.BehindRow {
	p.Amount = figure(&p.Costs, p.Currency, p.State, p.Quality)
	return p.BehindRow
}

// tally adds postings up.
type tally struct {
	sums   map[string]*figureSum // by currency
	digest *big.Int
	count  int64
}

func newTally() *tally { return &tally{sums: map[string]*figureSum{}, digest: new(big.Int)} }

func (t *tally) add(p *behindAmounts) {
	t.count++
	line := []string{p.ID.String(), p.Currency}
	for _, m := range ledger.Metrics {
		line = append(line, pg.OrEmpty(amountText(p.Get(m))))
	}
	sum := sha256.Sum256([]byte(strings.Join(line, ",")))
	t.digest.Add(t.digest, new(big.Int).SetBytes(sum[:]))
	if p.Currency == "" {
		return
	}
	if t.sums[p.Currency] == nil {
		t.sums[p.Currency] = &figureSum{}
	}
	t.sums[p.Currency].add(&p.Costs, p.State, p.Quality)
}

// text is the digest: modulo 2^256, in hex.
func (t *tally) text() string {
	var bytes [32]byte
	modulus := new(big.Int).Lsh(big.NewInt(1), 256)
	return hex.EncodeToString(new(big.Int).Mod(t.digest, modulus).FillBytes(bytes[:]))
}
