package pages_test

import (
	"context"
	"strings"
	"testing"

	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

// found prints the names that contain a text: "team research, run train (prod)".
func found(t *testing.T, ctx context.Context, s *store.Store, text string, most int) string {
	t.Helper()
	list, err := s.Find(ctx, text, most)
	if err != nil {
		t.Fatal(text, err)
	}
	var out []string
	for _, f := range list {
		name := f.Key + " " + f.Name
		if f.Place != "" {
			name += " (" + f.Place + ")"
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// named is a ledger with names of every kind.
func named(t *testing.T) *store.Store {
	t.Helper()
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `insert into owners (tenant_id, owner_id, team, project) values
		(1, $1, 'Speech', 'asr_100%'), (1, $2, 'speech-lab', 'asr')`,
		storetest.ID("owner", "speech"), storetest.ID("owner", "lab"))
	storetest.Run(t, s.Pool, `insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, service,
		  owner_name, class, outcome, owner_id) values
		(1, $1, 'prod', 'ml', 'nb-0', 'u2', 'StatefulSet', '', 'notebook', 'interactive', 'running', $3),
		(1, $2, 'prod', 'ml', 'asr-0', 'u3', 'Deployment', 'asr-online', 'asr-online', 'service', 'running', $3)`,
		storetest.ID("w", "2"), storetest.ID("w", "3"), storetest.ID("owner", "speech"))
	storetest.Run(t, s.Pool, `insert into devices values (1, 'prod', 'node-1', 'GPU-0a1b', 0, 'H100', false, '2026-11-02',
		'2026-11-02', '2026-11-02', '2026-11-02') on conflict do nothing`)
	return s
}

func TestNamesOfEveryKindAreFound(t *testing.T) {
	s := named(t)
	for text, want := range map[string]string{
		"TRAIN":      "run train (prod)", // its pods are found as the run
		"llama":      "model llama",
		"asr":        "project asr, project asr_100%, service asr-online",
		"speech":     "team Speech, team speech-lab",
		"100%":       "project asr_100%",
		"r_1":        "project asr_100%",
		"_%":         "",
		`\`:          "",
		"notebook":   "workload notebook",
		"node-1":     "node node-1 (prod)",
		"gpu-0a1b":   "device GPU-0a1b (H100)",
		"'; drop --": "",
	} {
		if got := found(t, t.Context(), s, text, 8); got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
	if got := found(t, t.Context(), s, "asr", 1); got != "project asr, service asr-online" {
		t.Errorf("at most one of each kind: %q", got)
	}
}

func TestNamesAreFoundWithinTheScope(t *testing.T) {
	s := named(t)
	ctx := storetest.InPart(t, s, "team = 'Speech'")
	for text, want := range map[string]string{
		"train": "", "llama": "", "research": "", "speech": "team Speech", "asr": "project asr_100%, service asr-online",
	} {
		if got := found(t, ctx, s, text, 8); got != want {
			t.Errorf("in scope, %q finds %q, want %q", text, got, want)
		}
	}
}
