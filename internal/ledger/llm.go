package ledger

import (
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// LLMCall is one call through an LLM gateway, keyed by ID: loading it twice
// changes nothing. It holds no text of the call and names no person.
type LLMCall struct {
	ID         ID     // of the source and its request id
	Source     string // "litellm"
	Hour       period.Second
	Provider   string // custom_llm_provider
	Model      string // as served
	ModelGroup string // as requested
	Team       string
	KeyAlias   string // alias of the API key, never the key
	User       string // keyed hash of the user; empty if unknown
	Tags       map[string]string
	Failed     bool
	CacheHit   bool
	// Tokens; -1 if the source does not give them.
	PromptTokens, CachedTokens, CompletionTokens int64
	// SpendUSD is the gateway's own cost at list prices; nil if it gives none. It is never added to cost.
	SpendUSD *money.Amount
	// Milliseconds; -1 unknown.
	LatencyMS, FirstTokenMS int64
}
