package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/allocation/owner"
)

func TestValuesOfOwnersThatLookAlike(t *testing.T) {
	s := smallLedger(t)
	run(t, s.pool, `insert into owners (tenant_id, owner_id, team, labels) values (1, $1, 'Re_Search', '{"team": "Re_Search"}')`, id("owner", "other"))
	run(t, s.pool, `update owners set labels = '{"team": "research", "model": "llama"}' where team = 'research'`)
	got, err := s.LookAlikes(t.Context())
	if diff := cmp.Diff([]owner.LookAlike{{Dimension: "team", Values: []string{"research", "Re_Search"}}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
