package export

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"gpuledger/metrics"
)

// postings invents rows of the dataset postings as a ledger has them: owners and machines that repeat, ids that do not,
// costs of 12 decimals.
type postings struct {
	cols   []metrics.Column
	values []metrics.Value
	words  [][]metrics.Value
	left   int
	r      *rand.Rand
	at     time.Time
}

func newPostings(tb testing.TB, rows int) *postings {
	tb.Helper()
	dataset, err := metrics.LookupDataset("postings")
	if err != nil {
		tb.Fatal(err)
	}
	q := metrics.Query{Dataset: dataset}
	p := &postings{cols: q.Columns(), left: rows, r: rand.New(rand.NewPCG(1, 2)), at: time.Unix(1_790_000_000, 0).UTC()}
	p.values, p.words = make([]metrics.Value, len(p.cols)), make([][]metrics.Value, len(p.cols))
	for i, c := range p.cols {
		if c.Kind == metrics.Text {
			for n := range 1 + i*7%60 {
				p.words[i] = append(p.words[i], metrics.Value{Valid: n > 0, Text: fmt.Sprintf("%s-%d", c.Name, n)})
			}
		}
	}
	return p
}

func (p *postings) Columns() []metrics.Column { return p.cols }
func (p *postings) Values() []metrics.Value   { return p.values }
func (p *postings) Err() error                { return nil }
func (p *postings) Close()                    {}

func (p *postings) Next() bool {
	if p.left == 0 {
		return false
	}
	p.left--
	owner := p.r.IntN(40)
	for i, c := range p.cols {
		v := metrics.Value{Valid: true}
		switch c.Kind {
		case metrics.Text:
			v = p.words[i][owner%len(p.words[i])]
		case metrics.ID:
			v = p.id(c.Name, owner)
		case metrics.Time:
			v.Time = p.at.Add(time.Duration(p.left/2000) * time.Hour)
		case metrics.Quantity:
			v.Text = quarters[owner%len(quarters)]
		case metrics.Money, metrics.Ratio:
			v.Text = fmt.Sprintf("%d.%012d", p.r.IntN(9), p.r.Int64N(1_000_000_000_000))
		case metrics.Bool:
			v.Bool = owner%2 == 0
		default:
			v.Int = int64(owner)
		}
		p.values[i] = v
	}
	return true
}

var quarters = []string{"0.25", "1", "0.5", "0.983333333333", "0"}

func (p *postings) id(column string, owner int) metrics.Value {
	switch column {
	case "adjusts", "rate_id":
		return metrics.Null
	case "attempt_id":
		return metrics.Value{Valid: true, Text: fmt.Sprintf("%032x", owner)}
	case "charge_id": // of several holders
		return metrics.Value{Valid: true, Text: fmt.Sprintf("%032x", uint64(p.left/10)*0x9e3779b97f4a7c15)}
	}
	return metrics.Value{Valid: true, Text: fmt.Sprintf("%016x%016x", p.r.Uint64(), p.r.Uint64())}
}

// BenchmarkPostings writes 100,000 postings. Their making is a part of it, and measured as Rows.
func BenchmarkPostings(b *testing.B) {
	const rows = 100_000
	for _, f := range []Format{"rows", Parquet, CSV} {
		b.Run(string(f), func(b *testing.B) {
			for b.Loop() {
				p := newPostings(b, rows)
				if f == "rows" {
					for p.Next() {
					}
					continue
				}
				if n, err := Write(io.Discard, f, p, Options{}); err != nil || n != rows {
					b.Fatal(n, err)
				}
			}
		})
	}
}
