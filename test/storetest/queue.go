package storetest

import (
	"encoding/json"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
)

// Waited stores a workload that requested GPUs at ten and held after a wait; an empty hold means never.
func Waited(t *testing.T, s *store.Store, uid, requests string, minutes int, more string) {
	t.Helper()
	var asks map[string]int64
	if err := json.Unmarshal([]byte(requests), &asks); err != nil {
		t.Fatal(err)
	}
	asked := ledger.AskedBy(asks)
	units := &asked.Units
	if asked.Unknown {
		units = nil
	}
	Run(t, s.Pool, `insert into workload_facts (tenant_id, cluster, uid, namespace, name, node, requests, labels,
		  created_at, first_seen, last_seen, asked_units, asked_replicas)
		values (1, 'prod', $1, 'ml', $1, 'node-1', $2, '{"team": "vision"}', '2026-11-02T10:00:00Z', '2026-11-02T10:00:00Z',
		    '2026-11-03T12:00:00Z', $3, $4)`, uid, requests, units, asked.Replicas)
	if more != "" {
		Run(t, s.Pool, "update workload_facts set "+more+" where uid = $1", uid)
	}
	if minutes >= 0 {
		Run(t, s.Pool, `insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class,
			  node_id, hold_from, hold_to, outcome, owner_id)
			values (1, $1, 'prod', 'ml', $2, $2, 'Job', 'job', 'run', $3,
			    timestamptz '2026-11-02T10:00:00Z' + $4 * interval '1 minute', '2026-11-03T12:00:00Z', 'running', $5)`,
			ID("workload", uid), uid, ID("instance", "i-1"), minutes, ID("owner", "research"))
	}
}
