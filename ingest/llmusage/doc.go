// Package llmusage reads calls through LLM gateways: exports of LiteLLM's table
// LiteLLM_SpendLogs as CSV, JSON or JSON lines.
//
// It drops what is about people when it reads: texts of calls and answers,
// addresses, keys and user agents are never kept, and a user is a keyed hash
// (HMAC-SHA256 under a key of the installation), or nothing where there is no key.
//
// A call is known by its request id: the same call in two exports is one. What
// the gateway calls spend is its list-price arithmetic, kept apart from cost.
// Rows without an id or a time, or with numbers that are none, are rejected with
// line and column, and their texts are not shown.
package llmusage
