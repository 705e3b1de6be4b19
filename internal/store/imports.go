package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// StartImport records an import that is running.
func (s *Store) StartImport(ctx context.Context, rec ingest.ImportRecord) error {
	return s.inTx(ctx, "record import", func(tx pgx.Tx) error {
		_, err := exec(ctx, tx, "import.start", tenant, rec.ID, rec.Source, rec.URI, rec.Cluster, rec.State, rec.StartedAt)
		return err
	})
}

// FinishImport replaces the record of rec.ID with the final one, its counts
// per reason and its rejections.
func (s *Store) FinishImport(ctx context.Context, rec ingest.ImportRecord) error {
	return s.inTx(ctx, "record end of import", func(tx pgx.Tx) error {
		n, err := exec(ctx, tx, "import.finish", tenant, rec.ID, rec.State, rec.FinishedAt, rec.Files, rec.Bytes, rec.RowsRead,
			rec.Accepted, rec.Rejected, rec.Ignored, rec.Message, rec.URI, rec.Cluster, rec.FilesDone, rec.BytesDone, rec.Refused)
		if err == nil && n == 0 {
			err = fmt.Errorf("import %s was never started", rec.ID)
		}
		if err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "import.forget_counts", tenant, rec.ID); err != nil {
			return err
		}
		for kind, counts := range map[string]map[string]int64{"rejected": rec.RejectedByReason, "ignored": rec.IgnoredByReason, "refused": rec.RefusedByReason} {
			reasons := slices.Sorted(maps.Keys(counts))
			if _, err := copySlice(ctx, tx, statement("import.copy_counts"), reasons, func(r *row, reason *string) error {
				r.begin(5)
				r.int4(tenant)
				r.id(rec.ID)
				r.text(kind)
				r.text(*reason)
				r.int8(counts[*reason])
				return nil
			}); err != nil {
				return fmt.Errorf("record counts: %w", err)
			}
		}
		ordinal := 0
		_, err = copySlice(ctx, tx, statement("import.copy_rejections"), rec.Rejections, func(r *row, x *ledger.Rejection) error {
			ordinal++
			r.begin(8)
			r.int4(tenant)
			r.id(rec.ID)
			r.int4(ordinal)
			r.text(cleanText(x.File))
			r.int8(x.Line)
			r.name(cleanText(x.Column))
			r.text(x.Reason)
			r.text(cleanText(x.Detail))
			return nil
		})
		return err
	})
}

// PublishEvents inserts events that are not known yet and returns how many.
func (s *Store) PublishEvents(ctx context.Context, _ ledger.ID, events []ledger.InstanceEvent) (inserted int64, err error) {
	err = s.inTx(ctx, "publish events", func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "import.create_events"); err != nil {
			return err
		}
		if _, err := copySlice(ctx, tx, statement("import.copy_events"), events, func(r *row, e *ledger.InstanceEvent) error {
			r.begin(9)
			r.int4(tenant)
			r.text(e.Provider)
			r.text(e.InstanceID)
			r.text(string(e.Kind))
			r.text(e.Detail)
			r.at(e.At)
			r.text(e.Account)
			r.text(e.Region)
			r.text(e.EventID)
			return nil
		}); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
		inserted, err = exec(ctx, tx, "import.insert_events", tenant)
		return err
	})
	return inserted, err
}

// PublishRates merges price-book entries; an entry that contradicts another in
// time is refused with both. When anything is new, all chunks with hours that
// no bill covers are marked.
func (s *Store) PublishRates(ctx context.Context, importID ledger.ID, rates []ledger.Rate) error {
	return s.inTx(ctx, "publish price book", func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "import.lock", tenant, "rates"); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "import.create_rates"); err != nil {
			return err
		}
		if _, err := copySlice(ctx, tx, statement("import.copy_rates"), rates, func(r *row, v *ledger.Rate) error {
			encodeRate(r, v, importID)
			return nil
		}); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
		if err := refuseConflictingRates(ctx, tx); err != nil {
			return err
		}
		added, err := exec(ctx, tx, "import.insert_rates", tenant)
		if err != nil || added == 0 {
			return err
		}
		return pricesChanged(ctx, tx)
	})
}

// pricesChanged marks all that prices without a bill decide.
func pricesChanged(ctx context.Context, tx pgx.Tx) error {
	for _, name := range []string{"dirty.lock_marks", "dirty.mark_unbilled", "rollup.mark_priced"} {
		if _, err := exec(ctx, tx, name, tenant); err != nil {
			return err
		}
	}
	return nil
}

// UsePublicPrices marks all hours without a bill when public prices of another
// digest priced them last: a newer program knows others.
func (s *Store) UsePublicPrices(ctx context.Context, digest [32]byte) error {
	return s.inTx(ctx, "use public prices", func(tx pgx.Tx) error {
		changed, err := exec(ctx, tx, "prices.use", tenant, digest[:])
		if err != nil || changed == 0 {
			return err
		}
		return pricesChanged(ctx, tx)
	})
}

func refuseConflictingRates(ctx context.Context, tx pgx.Tx) error {
	return query(ctx, tx, "import.conflicting_rates", func(rows pgx.Rows) error {
		var a, b ledger.Rate
		if err := rows.Scan(&a.InstanceType, &a.Region, &a.PriceClass, &a.Currency, &a.Hourly, &a.Valid.From, &a.Valid.To,
			&b.Hourly, &b.Valid.From, &b.Valid.To, &b.Source); err != nil {
			return err
		}
		return fmt.Errorf("%s %s %s has two prices at once: %s %s for %s and %s for %s (%s); end one before the other begins",
			a.InstanceType, a.Region, a.PriceClass, a.Currency, a.Hourly, a.Valid, b.Hourly, b.Valid, b.Source)
	}, tenant)
}

func encodeRate(r *row, v *ledger.Rate, importID ledger.ID) {
	r.begin(11)
	r.int4(tenant)
	r.id(v.ID)
	r.ref(importID)
	r.text(v.InstanceType)
	r.text(v.Region)
	r.text(string(v.PriceClass))
	r.text(v.Currency)
	r.amount(v.Hourly)
	r.at(v.Valid.From)
	if v.Valid.To == 0 { // open
		r.at(endOfTime)
	} else {
		r.at(v.Valid.To)
	}
	r.text(v.Source)
}

// NodeIdentities returns what is stored of the named nodes of a cluster.
func (s *Store) NodeIdentities(ctx context.Context, cluster string, names []string) ([]ingest.NodeIdentity, error) {
	devices := map[string][]ingest.NodeDevice{}
	order := []string{}
	err := query(ctx, s.pool, "import.node_devices", func(rows pgx.Rows) error {
		var name string
		var d ingest.NodeDevice
		if err := rows.Scan(&name, &d.Index, &d.UUID, &d.Hours.From, &d.Hours.To); err != nil {
			return err
		}
		if devices[name] == nil {
			order = append(order, name)
		}
		devices[name] = append(devices[name], d)
		return nil
	}, tenant, cluster, names)
	if err != nil {
		return nil, err
	}
	var list []ingest.NodeIdentity
	seen := map[string]bool{}
	err = query(ctx, s.pool, "import.node_identities", func(rows pgx.Rows) error {
		var n ingest.NodeIdentity
		var life period.Interval
		if err := rows.Scan(&n.Name, &n.ProviderID, &life.From, &life.To); err != nil {
			return err
		}
		if life.From != 0 {
			n.Life = period.Interval{From: life.From, To: life.To + 1}
		}
		n.Devices = devices[n.Name]
		seen[n.Name] = true
		list = append(list, n)
		return nil
	}, tenant, cluster, names)
	for _, name := range order { // known from its exporter only
		if !seen[name] {
			list = append(list, ingest.NodeIdentity{Name: name, Devices: devices[name]})
		}
	}
	return list, err
}
