package llmusage

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
	"strings"

	"gpuledger/ingest/jsonstream"
	"gpuledger/ingest/records"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Source is the source name for LiteLLM's calls.
const Source = "litellm"

// Options are facts that a file lacks.
type Options struct {
	// UserKey is the key for hashing users; empty: users are dropped.
	UserKey []byte
}

// Detect reports whether a file with this start is an export of spend logs.
func Detect(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 {
		return false
	}
	if head[0] == '{' || head[0] == '[' {
		return bytes.Contains(head, []byte(`"request_id"`)) && bytes.Contains(head, []byte(`"startTime"`)) &&
			(bytes.Contains(head, []byte(`"spend"`)) || bytes.Contains(head, []byte(`"total_tokens"`)))
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return len(missing(strings.Split(string(line), ","))) == 0
}

// missing lists the columns that a header lacks.
func missing(names []string) []string {
	has := map[string]bool{}
	for _, name := range names {
		has[table.Squash(name)] = true
	}
	var out []string
	for _, name := range []string{"request_id", "startTime"} {
		if !has[table.Squash(name)] {
			out = append(out, name)
		}
	}
	if !has["spend"] && !has["totaltokens"] && !has["prompttokens"] {
		out = append(out, "prompt_tokens")
	}
	return out
}

// Parse reads one file and calls use with its calls, which use may keep. A *ledger.FileError
// refuses the file; an error of use ends it.
func Parse(
	ctx context.Context, in io.Reader, file string, o Options, use func(*ledger.LLMCall) error,
) (ledger.Reading, error) {
	var read ledger.Reading
	rd := records.Reader{
		Lists: []string{"data", "logs", "spend_logs", "results"},
		Header: func(names []string) error {
			if lacks := missing(names); len(lacks) > 0 {
				return &ledger.FileError{Rejection: ledger.Rejection{File: file, Reason: "missing column",
					Detail: strings.Join(lacks, ", ") + ": export LiteLLM_SpendLogs with its column names"}}
			}
			return nil
		},
		Reject: func(r ledger.Rejection) {
			read.Rows++
			read.Reject(r)
		},
	}
	err := rd.Each(ctx, in, file, func(r *records.Record) error {
		read.Rows++
		call, bad := callOf(r, o)
		if bad != nil {
			read.Reject(ledger.Rejection{File: file, Line: r.Line, Column: bad.column, Reason: bad.reason, Detail: bad.detail})
			return nil
		}
		read.Accepted++
		return use(call)
	})
	return read, err
}

// fieldError is the fault of one field. It contains no text of the call.
type fieldError struct{ column, reason, detail string }

func callOf(r *records.Record, o Options) (*ledger.LLMCall, *fieldError) {
	id := r.Text("request_id")
	if id == "" {
		return nil, &fieldError{"request_id", "missing value", "a call needs its request id"}
	}
	c := &ledger.LLMCall{
		ID: ledger.NewID("llm call", Source, id), Source: Source,
		Provider: records.Clean(r.Text("custom_llm_provider")),
		Model:    records.Clean(r.Text("model")), ModelGroup: records.Clean(r.Text("model_group")),
		Failed: failed(r.Text("status")), CacheHit: strings.EqualFold(r.Text("cache_hit"), "true"),
		PromptTokens: -1, CachedTokens: -1, CompletionTokens: -1, LatencyMS: -1, FirstTokenMS: -1,
	}
	metadata, _ := jsonstream.Decode([]byte(r.Text("metadata"))) // if it is invalid, no tag is found in it
	c.KeyAlias = records.Clean(metadata.Text("user_api_key_alias"))
	if c.Team = records.Clean(metadata.Text("user_api_key_team_alias")); c.Team == "" {
		c.Team = records.Clean(r.Text("team_id"))
	}
	if failed(metadata.Text("status")) {
		c.Failed = true
	}
	if bad := times(c, r); bad != nil {
		return nil, bad
	}
	if bad := numbers(c, r, metadata); bad != nil {
		return nil, bad
	}
	c.User = hashed(o.UserKey, r.Text("user", "end_user"))
	c.Tags = tags(r.Text("request_tags"), metadata)
	return c, nil
}

func failed(status string) bool {
	switch strings.ToLower(status) {
	case "failure", "failed", "error":
		return true
	}
	return false
}

// times reads the time of the call, its duration, and the time to its first token. Times
// without a zone are UTC, as LiteLLM stores them.
func times(c *ledger.LLMCall, r *records.Record) *fieldError {
	var at [3]int64
	for i, name := range []string{"startTime", "endTime", "completionStartTime"} {
		text := r.Text(name)
		if text == "" && i > 0 {
			at[i] = -1
			continue
		}
		ms, err := records.Moment(text, nil)
		if err != nil {
			return &fieldError{name, "not a time", err.Error()}
		}
		at[i] = ms
	}
	start, end, first := at[0], at[1], at[2]
	c.Hour = period.Second(start / 1000).Floor(period.Hour)
	if end >= start {
		c.LatencyMS = end - start
	}
	if first > start && first < end { // at the end: the call did not stream
		c.FirstTokenMS = first - start
	}
	return nil
}

// maxTokens bounds a plausible count of one call's tokens.
const maxTokens = 1 << 40

func numbers(c *ledger.LLMCall, r *records.Record, metadata jsonstream.Object) *fieldError {
	for _, n := range []struct {
		name string
		to   *int64
	}{{"prompt_tokens", &c.PromptTokens}, {"completion_tokens", &c.CompletionTokens}} {
		text := strings.TrimSuffix(r.Text(n.name), ".0")
		if text == "" {
			continue
		}
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v < 0 || v > maxTokens {
			return &fieldError{n.name, "not a number", "a whole number is expected"}
		}
		*n.to = v
	}
	for _, path := range [][]string{
		{"usage_object", "prompt_tokens_details", "cached_tokens"},
		{"additional_usage_values", "prompt_tokens_details", "cached_tokens"},
		{"usage_object", "cache_read_input_tokens"}, {"additional_usage_values", "cache_read_input_tokens"},
	} {
		if n, ok := metadata.Int(path...); ok && n >= 0 && n <= maxTokens {
			c.CachedTokens = n
			break
		}
	}
	if text := r.Text("spend"); text != "" {
		spend, err := money.Parse(text)
		if err != nil {
			return &fieldError{"spend", "not a number", "a decimal is expected"}
		}
		c.SpendUSD = &spend
	}
	return nil
}

// hashed is the keyed hash of a user, empty without a user or without a key.
func hashed(key []byte, user string) string {
	if user == "" || len(key) == 0 {
		return ""
	}
	h := hmac.New(sha256.New, key)
	_, _ = h.Write([]byte(user)) // a hash never fails
	return hex.EncodeToString(h.Sum(nil)[:16])
}
