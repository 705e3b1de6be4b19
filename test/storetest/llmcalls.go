package storetest

import (
	"iter"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/store"
)

// LLMCall is a call of a model.
func LLMCall(n string, hour float64) ledger.LLMCall {
	spend := money.MustParse("0.00125")
	return ledger.LLMCall{ID: ledger.NewID("llm call", "litellm", n), Source: "litellm", Hour: At(1, hour),
		Provider: "openai", Model: "gpt-4o", ModelGroup: "chat", Team: "ml",
		KeyAlias: "prod", User: "h1", Tags: map[string]string{"env": "prod"}, PromptTokens: 100,
		CachedTokens: 10, CompletionTokens: 20, SpendUSD: &spend, LatencyMS: 900, FirstTokenMS: -1}
}

// EachCall yields calls.
func EachCall(calls ...ledger.LLMCall) iter.Seq2[*ledger.LLMCall, error] {
	return func(yield func(*ledger.LLMCall, error) bool) {
		for i := range calls {
			if !yield(&calls[i], nil) {
				return
			}
		}
	}
}

// PublishCalls publishes calls and returns how many are new.
func PublishCalls(t *testing.T, s *store.Store, calls ...ledger.LLMCall) int64 {
	t.Helper()
	added, err := s.PublishLLMCalls(t.Context(), ledger.NewID("import", "llm"), EachCall(calls...))
	if err != nil {
		t.Fatal(err)
	}
	return added
}
