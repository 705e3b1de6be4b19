package llmusage

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"gpuledger/ingest/jsonstream"
	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
)

// maxTags bounds the tags of one call.
const maxTags = 32

// kept are the keys of metadata in which callers name the owner, folded; all other metadata is
// dropped.
var kept = map[string]string{
	"team": "team", "project": "project", "model": "model", "stage": "stage",
	"environment": "environment", "env": "environment", "costcenter": "cost-center",
	"experiment": "experiment", "businessunit": "business-unit",
	"application": "application", "app": "application", "service": "service",
}

// tags reads request_tags, a list of tags, splits key=value and key:value, and adds the owner
// from metadata. The gateway's own tag of the user agent is personal data and is dropped.
func tags(text string, metadata jsonstream.Object) map[string]string {
	out := map[string]string{}
	var list []string
	if err := json.Unmarshal([]byte(text), &list); err != nil && strings.HasPrefix(text, "{") &&
		strings.HasSuffix(text, "}") {
		list = strings.Split(strings.Trim(text, "{}"), ",") // an array in PostgreSQL's syntax
	}
	for _, tag := range list {
		tag = records.Clean(strings.Trim(tag, `"`))
		if tag == "" || len(out) == maxTags || strings.HasPrefix(strings.ToLower(tag), "user-agent") ||
			strings.Contains(tag, "@") {
			continue
		}
		key, value := tag, "true"
		if i := strings.IndexAny(tag, ":="); i > 0 && i < len(tag)-1 {
			key, value = strings.TrimSpace(tag[:i]), strings.TrimSpace(tag[i+1:])
		}
		if key != "" && value != "" {
			out[key] = max(out[key], value)
		}
	}
	for _, where := range []jsonstream.Object{
		metadata.Object("spend_logs_metadata"), metadata.Object("requester_metadata"),
	} {
		for _, key := range slices.Sorted(maps.Keys(where)) {
			name, value := kept[ledger.FoldKey(key)], records.Clean(jsonstream.Text(where[key]))
			if name != "" && value != "" && out[name] == "" && !strings.Contains(value, "@") {
				out[name] = value
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
