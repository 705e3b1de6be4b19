package posting

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"gpuledger/allocation/owner"
	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// SharingStore is the database access of sharing (docs/rules.md, section 12). Each method that writes is one
// transaction; dying between any two leaves a state from which the next allocation computes the same pairs.
type SharingStore interface {
	// SharingDays lists the days that have postings, or that sharing has read, in order.
	SharingDays(ctx context.Context) ([]SharingDay, error)
	// ReadSharing reads the days' pools and hours, and discounts if asked to, in place of the rows read before. A day
	// whose Stored is empty is deleted.
	ReadSharing(ctx context.Context, days []SharingDay, discounts bool) error
	// SharedMonths returns the fingerprint of each calendar month when it was last shared, by the month's start.
	SharedMonths(ctx context.Context) (map[period.Second]string, error)
	// SharingMonth returns the sum of a month's days, without final rows. Named is not set.
	SharingMonth(ctx context.Context, month period.Interval) (*share.Month, error)
	// Buyers returns the owner of each commitment at the end of a month.
	Buyers(ctx context.Context, month period.Interval) (map[string]ledger.ID, error)
	// SaveShares replaces the pairs of a month that are not final and differ from the stored ones, and returns the
	// number of rows written. It ranges over pairs twice.
	SaveShares(ctx context.Context, month period.Interval, fingerprint string,
		pairs iter.Seq2[*share.Shared, error]) (int64, error)
}

// SharingDay is one UTC day.
type SharingDay struct {
	Day    period.Second
	Stored string // fingerprint of the stored chunks; empty: none
	Read   string // fingerprint of the chunks that sharing has read; empty: none
}

// share passes on costs by the policy of each month (rule 12.6), for months in which anything changed since the last
// time.
func (r *run) share(ctx context.Context) error {
	days, err := r.Store.SharingDays(ctx)
	if err != nil {
		return fmt.Errorf("list days to share: %w", err)
	}
	passed, err := r.Store.SharedMonths(ctx)
	if err != nil {
		return fmt.Errorf("list months that were shared: %w", err)
	}
	for len(days) > 0 {
		month := period.MonthOf(days[0].Day)
		n := slices.IndexFunc(days, func(d SharingDay) bool { return d.Day >= month.To })
		if n < 0 {
			n = len(days)
		}
		if err := r.shareMonth(ctx, month, days[:n], passed[month.From]); err != nil {
			return fmt.Errorf("share %s: %w", period.MonthName(month.From), err)
		}
		days = days[n:]
	}
	return nil
}

func (r *run) shareMonth(ctx context.Context, month period.Interval, days []SharingDay, passed string) error {
	rules := sharingRules(r.policies, month)
	if !rules.shares {
		if passed == "" {
			return nil // never shared, and no rules
		}
		for i := range days {
			days[i].Stored = ""
		}
	}
	var stale []SharingDay
	sum := sha256.New()
	for i := range days {
		d := &days[i]
		if d.Stored != "" && rules.discounts {
			d.Stored += "+discounts"
		}
		if d.Stored != d.Read {
			stale = append(stale, *d)
		}
		_, _ = fmt.Fprintf(sum, "%d %s\n", d.Day, d.Stored) // a hash takes everything
	}
	if len(stale) > 0 {
		if err := r.Store.ReadSharing(ctx, stale, rules.discounts); err != nil {
			return err
		}
	}
	var buyers map[string]ledger.ID
	if rules.discounts {
		var err error
		if buyers, err = r.Store.Buyers(ctx, month); err != nil {
			return err
		}
	}
	text, err := json.Marshal(buyers) // keys sorted
	if err != nil {
		return fmt.Errorf("fingerprint: %w", err)
	}
	_, _ = fmt.Fprintf(sum, "%s\n%s", rules.text, text)
	fingerprint := hex.EncodeToString(sum.Sum(nil))
	if fingerprint == passed {
		return nil
	}
	m, err := r.Store.SharingMonth(ctx, month)
	if err != nil {
		return err
	}
	m.Buyers, m.Named = buyers, named
	if err := r.Store.SaveOwners(ctx, rules.owners()); err != nil {
		return err
	}
	rows, err := r.Store.SaveShares(ctx, month, fingerprint, share.Pass(r.policies, m))
	if err != nil {
		return err
	}
	r.sum.Shares += rows
	r.log.Info("shared", "month", period.MonthName(month.From), "days_read", len(stale), "pools", len(m.Pools),
		"rows_written", rows, "seconds", r.seconds())
	return nil
}

// monthRules are the sharing rules of the versions in force in a month.
type monthRules struct {
	shares    bool // anything is passed on
	discounts bool
	text      string // all rules, for the fingerprint
	teams     []string
}

func sharingRules(book policy.Book, month period.Interval) monthRules {
	var m monthRules
	type version struct {
		Version     string
		From        period.Second
		Rules       []policy.Redistribution
		Commitments policy.Commitments
	}
	var all []version
	for day := range month.Steps(int64(period.Day)) {
		v := book.At(day)
		if n := len(all); n > 0 && all[n-1].Version == v.Settings.Version {
			continue
		}
		all = append(all, version{v.Settings.Version, day, v.Redistribute, v.Commitments})
		m.shares = m.shares || v.Shares()
		m.discounts = m.discounts || v.SharesCommitments()
		for _, r := range v.Redistribute {
			if r.Method == policy.PassOwner {
				m.teams = append(m.teams, r.Team)
			}
		}
	}
	text, err := json.Marshal(all)
	if err != nil { // cannot happen for plain data
		text = fmt.Appendf(nil, "%+v", all)
	}
	m.text = string(text)
	return m
}

// owners are the owners that rules name, and the owner without a name.
func (m monthRules) owners() []ledger.Owner {
	if !m.shares {
		return nil
	}
	list := []ledger.Owner{ownerOf("")}
	for _, team := range m.teams {
		list = append(list, ownerOf(team))
	}
	slices.SortFunc(list, func(x, y ledger.Owner) int { return cmp.Compare(x.ID.String(), y.ID.String()) })
	return slices.CompactFunc(list, func(x, y ledger.Owner) bool { return x.ID == y.ID })
}

// ownerOf is the owner of which only the team is known; empty: no owner.
func ownerOf(team string) ledger.Owner {
	o, _ := owner.Resolve(owner.Labels{Pod: map[string]string{"team": team}})
	return o
}

func named(team string) ledger.ID { return ownerOf(team).ID }
