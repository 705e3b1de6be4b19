package book

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/pg"
)

// SharingDays lists the days that have postings, or that sharing has read, in
// order (docs/rules.md 12.6).
func (s *Book) SharingDays(ctx context.Context) ([]posting.SharingDay, error) {
	var list []posting.SharingDay
	err := pg.Query(ctx, s.Pool, "share.days", func(rows pgx.Rows) error {
		var d posting.SharingDay
		var stored, read *string
		if err := rows.Scan(&d.Day, &stored, &read); err != nil {
			return err
		}
		d.Stored, d.Read = pg.OrEmpty(stored), pg.OrEmpty(read)
		list = append(list, d)
		return nil
	}, pg.Tenant)
	return list, err
}

// ReadSharing adds up what the days hold, in place of what was read before.
func (s *Book) ReadSharing(ctx context.Context, days []posting.SharingDay, discounts bool) error {
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
	// After a first allocation the planner knows nothing of what it wrote.
	if err := s.Refresh(ctx, []string{"parts", "usage", "posting_rows", "posting_terms"}); err != nil {
		return err
	}
	return s.InTx(ctx, fmt.Sprintf("read %d days from %s for sharing", len(days), days[0].Day), func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "share.lock", pg.Tenant); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "share.forget_days", pg.Tenant, all); err != nil {
			return err
		}
		if len(there) == 0 {
			return nil
		}
		from, to := there[0], there[len(there)-1]+period.Day
		if _, err := pg.Exec(ctx, tx, "share.put_days", pg.Tenant, there, prints); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "share.put_pools", pg.Tenant, there, from, to, causes); err != nil {
			return err
		}
		names := []string{"share.put_hours"}
		if discounts {
			names = append(names, "share.put_discounts", "share.put_machines")
		}
		for _, name := range names {
			if _, err := pg.Exec(ctx, tx, name, pg.Tenant, there, from, to); err != nil {
				return err
			}
		}
		return nil
	})
}

// SharedMonths returns the fingerprint of each calendar month as it was last
// passed on, by its start.
func (s *Book) SharedMonths(ctx context.Context) (map[period.Second]string, error) {
	months := map[period.Second]string{}
	err := pg.Query(ctx, s.Pool, "share.months", func(rows pgx.Rows) error {
		var month period.Second
		var text string
		err := rows.Scan(&month, &text)
		months[month] = text
		return err
	}, pg.Tenant)
	return months, err
}

// SharingMonth returns what the days of a month hold together, apart from what
// is final.
func (s *Book) SharingMonth(ctx context.Context, month period.Interval) (*share.Month, error) {
	m := &share.Month{Consumers: map[string][]share.Consumer{}, Machines: map[share.Covered][]share.Weight{}, Teams: map[ledger.ID]string{}}
	err := pg.Query(ctx, s.Pool, "share.pools", func(rows pgx.Rows) error {
		var p share.Pool
		var team string
		if err := rows.Scan(&p.Day, &p.Cluster, &p.Cause, &p.Owner, &p.BillingAccount, &p.BillingPeriod, &p.Currency, &p.State, &p.Commitment,
			&p.Effective, &p.Billed, &p.List, &p.Contracted, &team); err != nil {
			return err
		}
		m.Pools = append(m.Pools, p)
		m.Teams[p.Owner] = team
		return nil
	}, pg.Tenant, month.From, month.To)
	if err != nil {
		return nil, err
	}
	err = pg.Query(ctx, s.Pool, "share.hours", func(rows pgx.Rows) error {
		var cluster string
		var c share.Consumer
		if err := rows.Scan(&cluster, &c.Owner, &c.Team, &c.Held, &c.Used); err != nil {
			return err
		}
		m.Consumers[cluster] = append(m.Consumers[cluster], c)
		return nil
	}, pg.Tenant, month.From, month.To)
	if err != nil {
		return nil, err
	}
	err = pg.Query(ctx, s.Pool, "share.machines", func(rows pgx.Rows) error {
		var to share.Covered
		var w share.Weight
		if err := rows.Scan(&to.Commitment, &to.BillingAccount, &to.Currency, &w.Owner, &w.Amount); err != nil {
			return err
		}
		m.Machines[to] = append(m.Machines[to], w)
		return nil
	}, pg.Tenant, month.From, month.To)
	return m, err
}

// Buyers returns whose each commitment is by the end of a month: of its newest
// fee line's tags.
func (s *Book) Buyers(ctx context.Context, month period.Interval) (map[string]ledger.ID, error) {
	buyers := map[string]ledger.ID{}
	err := pg.Query(ctx, s.Pool, "share.buyers", func(rows pgx.Rows) error {
		var commitment string
		var owner ledger.ID
		err := rows.Scan(&commitment, &owner)
		buyers[commitment] = owner
		return err
	}, pg.Tenant, month.To)
	return buyers, err
}

// encodeShare writes one side of a pair.
func encodeShare(r *pg.Row, s *share.Shared, side *share.Row) {
	r.Begin(29)
	r.Int4(pg.Tenant)
	r.ID(side.ID)
	r.At(s.Day)
	r.ID(s.ID)
	r.Text(string(side.Kind))
	r.Text(s.Cluster)
	r.Text(string(s.Cause))
	r.ID(side.Owner)
	if side.Kind == ledger.SharedIn {
		r.Ref(s.Owner)
	} else {
		r.Null()
	}
	r.Text(s.BillingAccount)
	r.Name(string(s.BillingPeriod))
	r.Text(s.Currency)
	r.Text(string(s.State))
	r.Name(s.Commitment)
	r.Costs(&side.Costs)
	r.Text(s.Rule.Version)
	r.Text(s.Rule.Method)
	r.Int4(s.Rule.Place)
	r.Amount(side.Weight)
	r.Amount(side.WeightOf)
	if side.TeamWeightOf == 0 {
		r.Null()
		r.Null()
	} else {
		r.Int8(side.TeamWeight)
		r.Int8(side.TeamWeightOf)
	}
	if side.Kind == ledger.SharedOut {
		r.Costs(&s.Total)
	} else {
		r.Costs(&ledger.Costs{})
	}
}
