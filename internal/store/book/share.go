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

// SharingDays lists the days that have postings, or that sharing has read, in order (docs/rules.md 12.6).
func (s *Book) SharingDays(ctx context.Context) ([]posting.SharingDay, error) {
	return pg.List[posting.SharingDay](ctx, s.Pool, "share.days", pg.Tenant)
}

// ReadSharing sums up the days and replaces the sums read before.
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
	// After a first allocation the planner has no statistics of the new rows.
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

// SharedMonths returns the fingerprint of each calendar month when it was last shared, by its start.
func (s *Book) SharedMonths(ctx context.Context) (map[period.Second]string, error) {
	return pg.Map[period.Second, string](ctx, s.Pool, "share.months", pg.Tenant)
}

// SharingMonth returns the sums of all days of a month, without final rows.
func (s *Book) SharingMonth(ctx context.Context, month period.Interval) (*share.Month, error) {
	m := &share.Month{
		Consumers: map[string][]share.Consumer{}, Machines: map[share.Covered][]share.Weight{}, Teams: map[ledger.ID]string{},
	}
	err := pg.Each(ctx, s.Pool, "share.pools", func(r struct {
		share.Pool
		Team string
	}) error {
		m.Pools = append(m.Pools, r.Pool)
		m.Teams[r.Owner] = r.Team
		return nil
	}, pg.Tenant, month.From, month.To)
	if err != nil {
		return nil, err
	}
	err = pg.Each(ctx, s.Pool, "share.hours", func(r struct {
		Cluster string
		share.Consumer
	}) error {
		m.Consumers[r.Cluster] = append(m.Consumers[r.Cluster], r.Consumer)
		return nil
	}, pg.Tenant, month.From, month.To)
	if err != nil {
		return nil, err
	}
	err = pg.Each(ctx, s.Pool, "share.machines", func(r struct {
		share.Covered
		share.Weight
	}) error {
		m.Machines[r.Covered] = append(m.Machines[r.Covered], r.Weight)
		return nil
	}, pg.Tenant, month.From, month.To)
	return m, err
}

// Buyers returns the owner of each commitment at the end of a month, from the tags of its newest fee line.
func (s *Book) Buyers(ctx context.Context, month period.Interval) (map[string]ledger.ID, error) {
	return pg.Map[string, ledger.ID](ctx, s.Pool, "share.buyers", pg.Tenant, month.To)
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
