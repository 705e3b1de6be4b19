package store

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

const (
	// llmBatch is how many calls are staged at once; llmNames how many
	// dimensions and tag sets are remembered as staged already.
	llmBatch = 5000
	llmNames = 50_000
	// llmLargest bounds what one call says, so that sums of calls fit.
	llmLargest = 1_000_000_000_000
)

// llmStage copies calls through gateways to temporary tables: narrow rows, and
// once what they name.
type llmStage struct {
	tx      pgx.Tx
	named   map[ledger.ID]struct{}
	calls   []llmRow
	about   []llmDimension
	tags    []llmTags
	hours   period.Interval // first and last
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
func (s *Store) PublishLLMCalls(ctx context.Context, _ ledger.ID, calls iter.Seq2[*ledger.LLMCall, error]) (added int64, err error) {
	err = s.inTx(ctx, "publish calls of gateways", func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "llm.create_stage"); err != nil {
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
		if err := s.ensureMonths(ctx, "llm_calls", stage.hours.From, stage.hours.To); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "import.lock", tenant, "llm calls"); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, statement("llm.count_new"), tenant).Scan(&added); err != nil {
			return fmt.Errorf("llm.count_new: %w", err)
		}
		for _, name := range []string{"llm.merge_dimensions", "llm.merge_tags", "llm.merge_calls"} {
			if _, err := exec(ctx, tx, name, tenant); err != nil {
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
		d.texts[i] = cleanText(d.texts[i])
	}
	d.id = ledger.NewID("llm dimension", d.texts[:]...)
	if l.isNew(d.id) {
		l.about = append(l.about, d)
	}
	r := llmRow{LLMCall: *c, dimension: d.id}
	if len(c.Tags) > 0 {
		t := llmTags{tags: cleanMap(c.Tags)}
		r.tagSet = tagSetID(t.tags)
		if t.id = r.tagSet; l.isNew(t.id) {
			l.tags = append(l.tags, t)
		}
	}
	if !l.started {
		l.hours, l.started = period.Interval{From: c.Hour, To: c.Hour}, true
	}
	l.hours = period.Interval{From: min(l.hours.From, c.Hour), To: max(l.hours.To, c.Hour)}
	l.calls = append(l.calls, r)
}

// isNew forgets what it knows when that becomes much; twice staged is merged.
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
			return copySlice(ctx, l.tx, statement("llm.copy_calls"), l.calls, encodeLLMCall)
		},
		func() (int64, error) {
			return copySlice(ctx, l.tx, statement("llm.copy_dimensions"), l.about, encodeLLMDimension)
		},
		func() (int64, error) { return copySlice(ctx, l.tx, statement("llm.copy_tags"), l.tags, encodeLLMTags) },
	} {
		if _, err := stage(); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
	}
	l.calls, l.about, l.tags = l.calls[:0], l.about[:0], l.tags[:0]
	return nil
}

func encodeLLMCall(r *row, c *llmRow) error {
	r.begin(13)
	r.int4(tenant)
	r.at(c.Hour.Floor(period.Hour))
	r.id(c.ID)
	r.id(c.dimension)
	r.ref(c.tagSet)
	r.bool(c.Failed)
	r.bool(c.CacheHit)
	for _, n := range [...]int64{c.PromptTokens, c.CachedTokens, c.CompletionTokens, c.LatencyMS, c.FirstTokenMS} {
		switch {
		case n < 0:
			r.null()
		case n > llmLargest:
			return fmt.Errorf("call %s of %s: %d tokens or milliseconds are no figure of one call", c.ID, c.Hour, n)
		default:
			r.int8(n)
		}
	}
	r.measure(c.SpendUSD)
	return nil
}

func encodeLLMDimension(r *row, d *llmDimension) error {
	r.begin(9)
	r.int4(tenant)
	r.id(d.id)
	for _, text := range d.texts {
		r.text(text)
	}
	return nil
}

func encodeLLMTags(r *row, t *llmTags) error {
	r.begin(3)
	r.int4(tenant)
	r.id(t.id)
	return r.object(t.tags)
}
