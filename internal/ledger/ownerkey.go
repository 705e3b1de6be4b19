package ledger

import "strings"

// OwnerKeys are the accepted keys of labels and tags by owner dimension, in
// folded spelling and in order of preference (docs/rules.md, 9.2).
var OwnerKeys = map[string][]string{
	"business_unit": {"businessunit"},
	"team":          {"team", "ownerteam", "owner"},
	"project":       {"project"},
	"model":         {"model", "modelname"},
	"model_version": {"modelversion"},
	"stage":         {"stage"},
	"environment":   {"environment", "env"},
	"cost_center":   {"costcenter"},
	"experiment":    {"experimentid", "experiment"},
	"dataset":       {"dataset"},
	"user":          {"user"},
	"priority":      {"priority", "priorityclass"},
	"queue":         {"kueuexk8sioqueuename", "queuename", "queue"},
}

var ownerKeys = func() map[string]bool {
	out := map[string]bool{}
	for _, keys := range OwnerKeys {
		for _, k := range keys {
			out[k] = true
		}
	}
	return out
}()

const ownPrefix = "gpuledgerio" // gpuledger.io/, folded

// FoldOwnerKey is FoldKey without our prefix gpuledger.io/ and without the suffix _conflict<n>, which
// kube-state-metrics adds to labels that have the same sanitised name.
func FoldOwnerKey(key string) string {
	if i := strings.LastIndex(key, "_conflict"); i >= 0 && strings.Trim(key[i+len("_conflict"):], "0123456789") == "" {
		key = key[:i]
	}
	return strings.TrimPrefix(FoldKey(key), ownPrefix)
}

// OwnerTags are the tags that can determine a charge's owner; nil without such tags.
func OwnerTags(tags map[string]string) map[string]string {
	var out map[string]string
	for k, v := range tags {
		if strings.TrimSpace(v) == "" || !ownerKeys[FoldOwnerKey(k)] {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[k] = v
	}
	return out
}
