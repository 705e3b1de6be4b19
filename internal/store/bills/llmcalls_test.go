package bills_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/internal/store/bills"
	"gpuledger/test/storetest"
)

func dumpCalls(t *testing.T, s *store.Store) string {
	t.Helper()
	all := ""
	for _, table := range []string{"llm_calls", "llm_dimensions", "llm_tags"} {
		all += table + "\n" + storetest.Dump(t, s, "select t::text from "+table+" t where tenant_id = 1 order by 1") + "\n"
	}
	return all
}

func TestCallsCountOnce(t *testing.T) {
	s := storetest.New(t)
	a, b := storetest.LLMCall("a", 3), storetest.LLMCall("b", 40*24)
	b.Tags, b.User, b.SpendUSD, b.PromptTokens, b.Team = nil, "", nil, -1, "x\x00"
	if n := storetest.PublishCalls(t, s, a, b, a); n != 2 {
		t.Errorf("%d new calls, want 2", n)
	}
	before := dumpCalls(t, s)
	if n := storetest.PublishCalls(t, s, b, a); n != 0 {
		t.Errorf("%d new calls of the same", n)
	}
	if n := storetest.PublishCalls(t, s); n != 0 {
		t.Errorf("%d new calls of none", n)
	}
	if diff := cmp.Diff(before, dumpCalls(t, s)); diff != "" {
		t.Error("the same calls again change rows:\n", diff)
	}
	if got := storetest.Dump(t, s,
		"select concat_ws(' ', count(*), sum(gateway_list_spend), sum(prompt_tokens), count(tag_set)) from llm_calls "+
			"where tenant_id = 1"); got != "2 0.00125 100 1" {
		t.Errorf("stored are %q", got)
	}
	huge := storetest.LLMCall("huge", 3)
	huge.PromptTokens = 1 << 62
	if _, err := s.PublishLLMCalls(t.Context(), ledger.ID{}, storetest.EachCall(a, huge)); err == nil ||
		before != dumpCalls(t, s) {
		t.Errorf("more tokens than there can be: %v", err)
	}
	cut := errors.New("cut off")
	_, err := s.PublishLLMCalls(t.Context(), ledger.ID{}, func(yield func(*ledger.LLMCall, error) bool) {
		c := storetest.LLMCall("c", 3)
		_ = yield(&c, nil) && yield(nil, cut)
	})
	if !errors.Is(err, cut) || before != dumpCalls(t, s) {
		t.Errorf("a file that is cut off leaves calls: %v", err)
	}
}

// Versions of a call merge to the same result in any order, also across batches.
func TestCallsMergeInAnyOrder(t *testing.T) {
	var all []ledger.LLMCall
	for i := range 3 * bills.LLMBatch {
		c := storetest.LLMCall(string(rune('a'+i%7)), float64(i%2))
		c.Team, c.PromptTokens, c.Failed, c.Tags = []string{"", "a", "b"}[i%3], int64(i%50)-1, i%4 == 0,
			map[string]string{"n": string(rune('a' + i%5)), "": "x"}
		if i%3 > 0 {
			c.SpendUSD = nil
		}
		all = append(all, c)
	}
	var want string
	for round := range 3 {
		s := storetest.New(t)
		rand.New(rand.NewPCG(uint64(round), 1)).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		cut := round * 100
		storetest.PublishCalls(t, s, all[:cut]...)
		storetest.PublishCalls(t, s, all[cut:]...)
		if got := dumpCalls(t, s); round == 0 {
			want = got
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal("another order gives other rows:\n", diff)
		}
	}
}
