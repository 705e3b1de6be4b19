// Package llmusage reads calls through LLM gateways: exports of LiteLLM's table
// LiteLLM_SpendLogs as CSV, JSON or JSON lines.
//
// It drops personal data while reading: texts of calls and answers, addresses, keys and user
// agents are never kept. A user becomes a keyed hash (HMAC-SHA256 under a key of the
// installation), or is dropped if the installation has no key.
//
// A call is identified by its request id: the same call in two exports is one. The gateway's
// spend is computed from list prices, and is kept separate from cost. Rows without an id or a
// time, or with invalid numbers, are rejected with line and column, without showing their
// texts.
package llmusage
