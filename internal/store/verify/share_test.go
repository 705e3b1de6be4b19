package verify_test

import (
	"testing"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/verify"
	"gpuledger/test/storetest"
)

func TestVerifyFindsFaultsOfSharing(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.PassOn(t, s, storetest.Sharing(t, storetest.ToOps))
	storetest.MustVerify(t, s)
	for _, fault := range []struct{ name, sql, check string }{
		{
			"a unit too much", "update shares set effective_cost = effective_cost + 0.000000000001 where kind = 'shared_in'",
			"pairs of sharing",
		},
		{"a lost side", "delete from shares where kind = 'shared_out'", "pairs of sharing"},
		{"zero for unknown", "update shares set contracted_cost = 0 where kind = 'shared_in'", "pairs of sharing"},
		{"another share", "update shares set effective_cost = effective_cost * 2", "weights of sharing"},
		{"a weight", "update shares set weight = weight / 2", "weights of sharing"},
		{"an unknown owner", "update shares set owner_id = gen_random_uuid() where kind = 'shared_in'", "owners of sharing"},
		{
			"a pool that is not there",
			"update shares set pool_billed_cost = 1, billed_cost = case kind when 'shared_in' then 1 else -1 end",
			"pools of sharing",
		},
		{"a pool of another bill", "update shares set billing_account = 'other'", "pools of sharing"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			tx, err := s.Pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback(t.Context()) }()
			if _, err := tx.Exec(t.Context(), fault.sql); err != nil {
				t.Fatal(err)
			}
			for _, c := range verify.OfSharing(period.Interval{To: pg.EndOfTime}) {
				if c.Name != fault.check {
					continue
				}
				if rows, err := c.Find(t.Context(), tx); err != nil || len(rows) == 0 {
					t.Errorf("%s passes (%v)", c.Name, err)
				}
			}
		})
	}
}
