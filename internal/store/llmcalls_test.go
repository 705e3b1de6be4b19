package store

import (
	"errors"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

func llmCall(n string, hour float64) ledger.LLMCall {
	spend := money.MustParse("0.00125")
	return ledger.LLMCall{ID: ledger.NewID("llm call", "litellm", n), Source: "litellm", Hour: at(1, hour), Provider: "openai", Model: "gpt-4o", ModelGroup: "chat", Team: "ml",
		KeyAlias: "prod", User: "h1", Tags: map[string]string{"env": "prod"}, PromptTokens: 100, CachedTokens: 10, CompletionTokens: 20, SpendUSD: &spend, LatencyMS: 900, FirstTokenMS: -1}
}

func eachCall(calls ...ledger.LLMCall) iter.Seq2[*ledger.LLMCall, error] {
	return func(yield func(*ledger.LLMCall, error) bool) {
		for i := range calls {
			if !yield(&calls[i], nil) {
				return
			}
		}
	}
}

func publishCalls(t *testing.T, s *Store, calls ...ledger.LLMCall) int64 {
	t.Helper()
	added, err := s.PublishLLMCalls(t.Context(), ledger.NewID("import", "llm"), eachCall(calls...))
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func dumpCalls(t *testing.T, s *Store) string {
	t.Helper()
	all := ""
	for _, table := range []string{"llm_calls", "llm_dimensions", "llm_tags"} {
		all += table + "\n" + dump(t, s, "select t::text from "+table+" t where tenant_id = 1 order by 1") + "\n"
	}
	return all
}

func TestCallsCountOnce(t *testing.T) {
	s := newStore(t)
	a, b := llmCall("a", 3), llmCall("b", 40*24)
	b.Tags, b.User, b.SpendUSD, b.PromptTokens, b.Team = nil, "", nil, -1, "x\x00"
	if n := publishCalls(t, s, a, b, a); n != 2 {
		t.Errorf("%d new calls, want 2", n)
	}
	before := dumpCalls(t, s)
	if n := publishCalls(t, s, b, a); n != 0 {
		t.Errorf("%d new calls of the same", n)
	}
	if n := publishCalls(t, s); n != 0 {
		t.Errorf("%d new calls of none", n)
	}
	if diff := cmp.Diff(before, dumpCalls(t, s)); diff != "" {
		t.Error("the same calls again change rows:\n", diff)
	}
	if got := dump(t, s, "select concat_ws(' ', count(*), sum(gateway_list_spend), sum(prompt_tokens), count(tag_set)) from llm_calls where tenant_id = 1"); got != "2 0.00125 100 1" {
		t.Errorf("stored are %q", got)
	}
	huge := llmCall("huge", 3)
	huge.PromptTokens = 1 << 62
	if _, err := s.PublishLLMCalls(t.Context(), ledger.ID{}, eachCall(a, huge)); err == nil || before != dumpCalls(t, s) {
		t.Errorf("more tokens than there can be: %v", err)
	}
	cut := errors.New("cut off")
	_, err := s.PublishLLMCalls(t.Context(), ledger.ID{}, func(yield func(*ledger.LLMCall, error) bool) {
		c := llmCall("c", 3)
		_ = yield(&c, nil) && yield(nil, cut)
	})
	if !errors.Is(err, cut) || before != dumpCalls(t, s) {
		t.Errorf("a file that is cut off leaves calls: %v", err)
	}
}

// Versions of a call merge to the same in any order, more than a batch too.
func TestCallsMergeInAnyOrder(t *testing.T) {
	var all []ledger.LLMCall
	for i := range 3 * llmBatch {
		c := llmCall(string(rune('a'+i%7)), float64(i%2))
		c.Team, c.PromptTokens, c.Failed, c.Tags = []string{"", "a", "b"}[i%3], int64(i%50)-1, i%4 == 0, map[string]string{"n": string(rune('a' + i%5)), "": "x"}
		if i%3 > 0 {
			c.SpendUSD = nil
		}
		all = append(all, c)
	}
	var want string
	for round := range 3 {
		s := newStore(t)
		rand.New(rand.NewPCG(uint64(round), 1)).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		cut := round * 100
		publishCalls(t, s, all[:cut]...)
		publishCalls(t, s, all[cut:]...)
		if got := dumpCalls(t, s); round == 0 {
			want = got
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal("another order gives other rows:\n", diff)
		}
	}
}
