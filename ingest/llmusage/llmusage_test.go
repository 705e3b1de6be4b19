package llmusage

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

func parse(t testing.TB, text string, o Options) ([]*ledger.LLMCall, ledger.Reading, error) {
	t.Helper()
	var out []*ledger.LLMCall
	read, err := Parse(t.Context(), strings.NewReader(text), "spend.csv", o, func(c *ledger.LLMCall) error {
		out = append(out, c)
		return nil
	})
	return out, read, err
}

const row = `{"request_id":"chatcmpl-1","call_type":"acompletion","api_key":"sk-secret-hash","spend":1.25e-05,"total_tokens":130,"prompt_tokens":100,"completion_tokens":30,
 "startTime":"2026-11-02T01:59:59.500Z","endTime":"2026-11-02T02:00:01.250Z","completionStartTime":"2026-11-02T01:59:59.900Z","model":"gpt-4o","model_id":"m","model_group":"chat","custom_llm_provider":"openai",
 "api_base":"https://secret.host","user":"ann@example.org","end_user":"bob","metadata":{"user_api_key_alias":"prod-key","user_api_key_team_alias":"nlp","user_api_key":"sk-secret","status":"success",
 "usage_object":{"prompt_tokens_details":{"cached_tokens":40}},"spend_logs_metadata":{"project":"p1","note":"secret note","team":"ann@example.org"}},"cache_hit":"False","cache_key":"k",
 "request_tags":["env:prod","batch","User-Agent: secret","ann@example.org"],"team_id":"t-1","requester_ip_address":"10.1.2.3","messages":[{"content":"secret prompt"}],"response":{"text":"secret answer"},"session_id":"s","status":"success"}`

// csvOf writes the row as psql and others do.
func csvOf(t *testing.T, rename func(string) string) string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(row), &members); err != nil {
		t.Fatal(err)
	}
	var names, cells []string
	for name, raw := range members {
		text := string(raw)
		var s string
		if json.Unmarshal(raw, &s) == nil {
			text = s
		}
		names = append(names, rename(name))
		cells = append(cells, `"`+strings.ReplaceAll(text, `"`, `""`)+`"`)
	}
	return strings.Join(names, ",") + "\n" + strings.Join(cells, ",") + "\n"
}

func TestCallsInAllForms(t *testing.T) {
	plain := func(s string) string { return s }
	quoted := func(s string) string { return `"` + s + `"` }
	for name, text := range map[string]string{
		"json": row, "lines": strings.ReplaceAll(row, "\n", "") + "\n",
		"list": "[" + row + "]", "answer": `{"data":[` + row + `],"total":1}`,
		"csv": csvOf(t, plain), "quoted names": csvOf(t, quoted),
		"names in quotes": csvOf(t, func(s string) string { return `"""` + s + `"""` }),
	} {
		calls, read, err := parse(t, text, Options{UserKey: []byte("k")})
		if err != nil || len(calls) != 1 || read.Accepted != 1 {
			t.Errorf("%s: %v %+v", name, err, read)
			continue
		}
		c := calls[0]
		if c.ID != ledger.NewID("llm call", "litellm", "chatcmpl-1") || c.Hour.String() != "2026-11-02T01:00:00Z" ||
			c.Provider != "openai" || c.Model != "gpt-4o" || c.ModelGroup != "chat" || c.Team != "nlp" ||
			c.KeyAlias != "prod-key" ||
			c.PromptTokens != 100 || c.CachedTokens != 40 || c.CompletionTokens != 30 || c.SpendUSD.String() != "0.0000125" ||
			c.LatencyMS != 1750 || c.FirstTokenMS != 400 || c.Failed || c.CacheHit ||
			fmt.Sprint(c.Tags) != "map[batch:true env:prod project:p1]" || len(c.User) != 32 {
			t.Errorf("%s: %+v %v", name, c, c.SpendUSD)
		}
		if !Detect([]byte(text)) {
			t.Errorf("%s is not recognised", name)
		}
	}
}

func TestNothingAboutPeopleIsKept(t *testing.T) {
	calls, _, err := parse(t, row, Options{UserKey: []byte("k")})
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%+v", *calls[0])
	for _, secret := range []string{"secret", "ann", "bob", "10.1.2.3", "sk-"} {
		if strings.Contains(all, secret) {
			t.Errorf("%q was kept: %s", secret, all)
		}
	}
	other, _, _ := parse(t, row, Options{UserKey: []byte("other")})
	again, _, _ := parse(t, row, Options{UserKey: []byte("k")})
	none, _, _ := parse(t, row, Options{})
	if calls[0].User == other[0].User || calls[0].User != again[0].User || none[0].User != "" {
		t.Error("a user is a hash under the installation's key, and nothing without one")
	}
	_, read, _ := parse(t, strings.NewReplacer("100", `"secret"`, "chatcmpl-1", "x").Replace(row), Options{})
	if read.RejectedRows() != 1 || strings.Contains(fmt.Sprint(read.First), "secret") {
		t.Errorf("a rejection shows no text of a call: %v", read.First)
	}
}

func TestUnknownValuesAreNotZero(t *testing.T) {
	calls, _, err := parse(t,
		"request_id,startTime,prompt_tokens,completion_tokens,spend,status,endTime,completionStartTime,cache_hit,metadata,request_tags\n"+
			"a,2026-11-02 01:00:00.5,,,,failure,,,True,,\nb,2026-11-02 01:00:00,0,0,0.0,success,2026-11-02 "+
			"01:00:02,2026-11-02 01:00:02,,\"{\"\"status\"\":\"\"failure\"\"}\",\"{x,\"\"y:z\"\"}\"\n", Options{})
	if err != nil || len(calls) != 2 {
		t.Fatal(err, calls)
	}
	a, b := calls[0], calls[1]
	if a.PromptTokens != -1 || a.CompletionTokens != -1 || a.CachedTokens != -1 || a.SpendUSD != nil || !a.Failed ||
		!a.CacheHit || a.LatencyMS != -1 || a.FirstTokenMS != -1 || a.Tags != nil {
		t.Errorf("%+v", a)
	}
	if b.PromptTokens != 0 || b.SpendUSD == nil || !b.Failed || b.LatencyMS != 2000 || b.FirstTokenMS != -1 ||
		fmt.Sprint(b.Tags) != "map[x:true y:z]" {
		t.Errorf("a call that did not stream has no first token: %+v", b)
	}
}

func TestUnreadableRowsAreRejected(t *testing.T) {
	_, read, err := parse(t, "request_id,startTime,prompt_tokens,spend\n,2026-11-02 "+
		"01:00:00,1,\na,soon,1,\na,2026-11-02 01:00:00,-4,\na,2026-11-02 01:00:00,1,NaN\na\n", Options{})
	var got []string
	for _, r := range read.First {
		got = append(got, fmt.Sprintf("%d %s %s", r.Line, r.Column, r.Reason))
	}
	want := []string{
		"2 request_id missing value", "3 startTime not a time",
		"4 prompt_tokens not a number", "5 spend not a number", "6  wrong number of fields",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %q", err, got)
	}
	if _, _, err := parse(t, "id,model\n1,2\n", Options{}); err == nil ||
		!strings.Contains(err.Error(), "request_id, startTime, prompt_tokens") {
		t.Error(err)
	}
	for _, text := range []string{"", "request_id,other\n", `{"request_id":"x"}`, "a,b\n"} {
		if Detect([]byte(text)) {
			t.Errorf("%q", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(row)
	f.Add("request_id,startTime,prompt_tokens\na,1793581200,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		calls, read, err := parse(t, text, Options{UserKey: []byte("k")})
		if err != nil {
			if _, ok := errors.AsType[*ledger.FileError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		if read.Rows != read.Accepted+read.RejectedRows() || int64(len(calls)) != read.Accepted {
			t.Fatalf("%+v", read)
		}
	})
}
