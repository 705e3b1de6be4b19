package bills

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

const (
	// llmBatch is how many calls are staged at once; llmNames how many staged dimensions and tag sets are remembered.
	llmBatch = 5000
	llmNames = 50_000
	// llmLargest bounds the numbers of one call, so that sums of calls fit.
	llmLargest = 1_000_000_000_000
)

// llmStage copies gateway calls to temporary tables: narrow rows, and once each the names they refer to.
type llmStage struct {
	tx      pgx.Tx
	named   map[ledger.ID]struct{}
	calls   []llmRow
	about   []llmDimension
	tags    []llmTags
	months  pg.Months // the months of the calls
	started bool
}

type llmRow struct {
	ledger.LLMCall
	dimension, tagSet ledger.ID
}

type llmDimension struct {
	id    ledger.ID
	texts [7]string
}

type llmTags struct {
	id   ledger.ID
	tags map[string]string
}

// PublishLLMCalls merges calls through LLM gateways in one transaction.
func (s *Bills) PublishLLMCalls(
	ctx context.Context, _ ledger.ID, calls iter.Seq2[*ledger.LLMCall, error],
) (added int64, err error) {
	err = s.InTx(ctx, "publish calls of gateways", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "llm.create_stage"); err != nil {
			return err
		}
		stage := llmStage{tx: tx, named: map[ledger.ID]struct{}{}}
		for c, err := range calls {
			if err != nil {
				return err
			}
			stage.add(c)
			if len(stage.calls) == llmBatch {
				if err := stage.flush(ctx); err != nil {
					return err
				}
			}
		}
		if err := stage.flush(ctx); err != nil || !stage.started {
			return err
		}
		if err := s.EnsureMonths(ctx, "llm_calls", &stage.months); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, "llm calls"); err != nil {
			return err
		}
		if added, err = pg.Value[int64](ctx, tx, "llm.count_new", pg.Tenant); err != nil {
			return err
		}
		for _, name := range []string{"llm.merge_dimensions", "llm.merge_tags", "llm.merge_calls"} {
			if _, err := pg.Exec(ctx, tx, name, pg.Tenant); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

func (l *llmStage) add(c *ledger.LLMCall) {
	d := llmDimension{texts: [7]string{c.Source, c.Provider, c.Model, c.ModelGroup, c.Team, c.KeyAlias, c.User}}
	for i := range d.texts {
		d.texts[i] = pg.CleanText(d.texts[i])
	}
	d.id = ledger.NewID("llm dimension", d.texts[:]...)
	if l.isNew(d.id) {
		l.about = append(l.about, d)
	}
	r := llmRow{LLMCall: *c, dimension: d.id}
	if len(c.Tags) > 0 {
		t := llmTags{tags: pg.CleanMap(c.Tags)}
		r.tagSet = tagSetID(t.tags)
		if t.id = r.tagSet; l.isNew(t.id) {
			l.tags = append(l.tags, t)
		}
	}
	l.months.Add(c.Hour)
	l.started = true
	l.calls = append(l.calls, r)
}

// isNew reports whether an id was not staged before. It forgets ids when there are many; staging one twice is harmless,
// because it is merged.
func (l *llmStage) isNew(id ledger.ID) bool {
	if _, known := l.named[id]; known {
		return false
	}
	if len(l.named) >= llmNames {
		clear(l.named)
	}
	l.named[id] = struct{}{}
	return true
}

func tagSetID(tags map[string]string) ledger.ID {
	keys := make([]string, 0, len(tags))
	for k := range tags {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	parts := make([]string, 0, 2*len(keys))
	for _, k := range keys {
		parts = append(parts, k, tags[k])
	}
	return ledger.NewID("llm tags", parts...)
}

func (l *llmStage) flush(ctx context.Context) error {
	for _, stage := range []func() (int64, error){
		func() (int64, error) {
			return pg.CopySlice(ctx, l.tx, pg.Statement("llm.copy_calls"), l.calls, encodeLLMCall)
		},
		func() (int64, error) {
			return pg.CopySlice(ctx, l.tx, pg.Statement("llm.copy_dimensions"), l.about, encodeLLMDimension)
		},
		func() (int64, error) {
			return pg.CopySlice(ctx, l.tx, pg.Statement("llm.copy_tags"), l.tags, encodeLLMTags)
		},
	} {
		if _, err := stage(); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
	}
	l.calls, l.about, l.tags = l.calls[:0], l.about[:0], l.tags[:0]
	return nil
}

func encodeLLMCall(r *pg.Row, c *llmRow) error {
	r.Begin(13)
	r.Int4(pg.Tenant)
	r.At(c.Hour.Floor(period.Hour))
	r.ID(c.ID)
	r.ID(c.dimension)
	r.Ref(c.tagSet)
	r.Bool(c.Failed)
	r.Bool(c.CacheHit)
	for _, n := range [...]int64{c.PromptTokens, c.CachedTokens, c.CompletionTokens, c.LatencyMS, c.FirstTokenMS} {
		switch {
		case n < 0:
			r.Null()
		case n > llmLargest:
			return fmt.Errorf("call %s of %s: %d is too large for the tokens or milliseconds of one call", c.ID, c.Hour, n)
		default:
			r.Int8(n)
		}
	}
	r.Measure(c.SpendUSD)
	return nil
}

func encodeLLMDimension(r *pg.Row, d *llmDimension) error {
	r.Begin(9)
	r.Int4(pg.Tenant)
	r.ID(d.id)
	for _, text := range d.texts {
		r.Text(text)
	}
	return nil
}

func encodeLLMTags(r *pg.Row, t *llmTags) error {
	r.Begin(3)
	r.Int4(pg.Tenant)
	r.ID(t.id)
	return r.Object(t.tags)
}
