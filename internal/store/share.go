package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
)

// SharingDays lists the days that have postings, or that sharing has read, in
// order (docs/rules.md 12.6).
func (s *Store) SharingDays(ctx context.Context) ([]posting.SharingDay, error) {
	var list []posting.SharingDay
	err := query(ctx, s.pool, "share.days", func(rows pgx.Rows) error {
		var d posting.SharingDay
		var stored, read *string
		if err := rows.Scan(&d.Day, &stored, &read); err != nil {
			return err
		}
		d.Stored, d.Read = orEmpty(stored), orEmpty(read)
		list = append(list, d)
		return nil
	}, tenant)
	return list, err
}

// ReadSharing adds up what the days hold, in place of what was read before.
func (s *Store) ReadSharing(ctx context.Context, days []posting.SharingDay, discounts bool) error {
	if len(days) == 0 {
		return nil
	}
	var all, there []period.Second
	var prints []string
	for _, d := range days {
		all = append(all, d.Day)
		if d.Stored != "" {
			there, prints = append(there, d.Day), append(prints, d.Stored)
		}
	}
	causes := make([]string, len(share.Causes))
	for i, c := range share.Causes {
		causes[i] = string(c)
	}
	return s.inTx(ctx, fmt.Sprintf("read %d days from %s for sharing", len(days), days[0].Day), func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "share.lock", tenant); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "share.forget_days", tenant, all); err != nil {
			return err
		}
		if len(there) == 0 {
			return nil
		}
		from, to := there[0], there[len(there)-1]+period.Day
		if _, err := exec(ctx, tx, "share.put_days", tenant, there, prints); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "share.put_pools", tenant, there, from, to, causes); err != nil {
			return err
		}
		names := []string{"share.put_hours"}
		if discounts {
			names = append(names, "share.put_discounts", "share.put_machines")
		}
		for _, name := range names {
			if _, err := exec(ctx, tx, name, tenant, there, from, to); err != nil {
				return err
			}
		}
		return nil
	})
}

// SharedMonths returns the fingerprint of each calendar month as it was last
// passed on, by its start.
func (s *Store) SharedMonths(ctx context.Context) (map[period.Second]string, error) {
	months := map[period.Second]string{}
	err := query(ctx, s.pool, "share.months", func(rows pgx.Rows) error {
		var month period.Second
		var text string
		err := rows.Scan(&month, &text)
		months[month] = text
		return err
	}, tenant)
	return months, err
}

// SharingMonth returns what the days of a month hold together, apart from what
// is final.
func (s *Store) SharingMonth(ctx context.Context, month period.Interval) (*share.Month, error) {
	m := &share.Month{Consumers: map[string][]share.Consumer{}, Machines: map[share.Covered][]share.Weight{}, Teams: map[ledger.ID]string{}}
	err := query(ctx, s.pool, "share.pools", func(rows pgx.Rows) error {
		var p share.Pool
		var team string
		if err := rows.Scan(&p.Day, &p.Cluster, &p.Cause, &p.Owner, &p.BillingAccount, &p.BillingPeriod, &p.Currency, &p.State, &p.Commitment,
			&p.Effective, &p.Billed, &p.List, &p.Contracted, &team); err != nil {
			return err
		}
		m.Pools = append(m.Pools, p)
		m.Teams[p.Owner] = team
		return nil
	}, tenant, month.From, month.To)
	if err != nil {
		return nil, err
	}
	err = query(ctx, s.pool, "share.hours", func(rows pgx.Rows) error {
		var cluster string
		var c share.Consumer
		if err := rows.Scan(&cluster, &c.Owner, &c.Team, &c.Held, &c.Used); err != nil {
			return err
		}
		m.Consumers[cluster] = append(m.Consumers[cluster], c)
		return nil
	}, tenant, month.From, month.To)
	if err != nil {
		return nil, err
	}
	err = query(ctx, s.pool, "share.machines", func(rows pgx.Rows) error {
		var to share.Covered
		var w share.Weight
		if err := rows.Scan(&to.Commitment, &to.BillingAccount, &to.Currency, &w.Owner, &w.Amount); err != nil {
			return err
		}
		m.Machines[to] = append(m.Machines[to], w)
		return nil
	}, tenant, month.From, month.To)
	return m, err
}

// Buyers returns whose each commitment is by the end of a month: of its newest
// fee line's tags.
func (s *Store) Buyers(ctx context.Context, month period.Interval) (map[string]ledger.ID, error) {
	buyers := map[string]ledger.ID{}
	err := query(ctx, s.pool, "share.buyers", func(rows pgx.Rows) error {
		var commitment string
		var owner ledger.ID
		err := rows.Scan(&commitment, &owner)
		buyers[commitment] = owner
		return err
	}, tenant, month.To)
	return buyers, err
}

// encodeShare writes one side of a pair.
func encodeShare(r *row, s *share.Shared, side *share.Row) {
	r.begin(29)
	r.int4(tenant)
	r.id(side.ID)
	r.at(s.Day)
	r.id(s.ID)
	r.text(string(side.Kind))
	r.text(s.Cluster)
	r.text(string(s.Cause))
	r.id(side.Owner)
	if side.Kind == ledger.SharedIn {
		r.ref(s.Owner)
	} else {
		r.null()
	}
	r.text(s.BillingAccount)
	r.name(string(s.BillingPeriod))
	r.text(s.Currency)
	r.text(string(s.State))
	r.name(s.Commitment)
	r.costs(&side.Costs)
	r.text(s.Rule.Version)
	r.text(s.Rule.Method)
	r.int4(s.Rule.Place)
	r.amount(side.Weight)
	r.amount(side.WeightOf)
	if side.TeamWeightOf == 0 {
		r.null()
		r.null()
	} else {
		r.int8(side.TeamWeight)
		r.int8(side.TeamWeightOf)
	}
	if side.Kind == ledger.SharedOut {
		r.costs(&s.Total)
	} else {
		r.costs(&ledger.Costs{})
	}
}
