package bills

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// StartImport records a running import.
func (s *Bills) StartImport(ctx context.Context, rec ingest.ImportRecord) error {
	return s.InTx(ctx, "record import", func(tx pgx.Tx) error { return startImport(ctx, tx, rec) })
}

func startImport(ctx context.Context, tx pgx.Tx, rec ingest.ImportRecord) error {
	_, err := pg.Exec(ctx, tx, "import.start", pg.Tenant, rec.ID, rec.Source, rec.URI, rec.Cluster, rec.State,
		rec.StartedAt)
	return err
}

// FinishImport replaces the record of rec.ID with the final one, its counts per reason and its rejections.
func (s *Bills) FinishImport(ctx context.Context, rec ingest.ImportRecord) error {
	return s.InTx(ctx, "record end of import", func(tx pgx.Tx) error { return finishImport(ctx, tx, rec) })
}

func finishImport(ctx context.Context, tx pgx.Tx, rec ingest.ImportRecord) error {
	n, err := pg.Exec(ctx, tx, "import.finish", pg.Tenant, rec.ID, rec.State, rec.FinishedAt,
		rec.Files, rec.Bytes, rec.RowsRead, rec.Accepted, rec.Rejected, rec.Ignored, rec.Message, rec.URI, rec.Cluster,
		rec.FilesDone, rec.BytesDone, rec.Refused)
	if err == nil && n == 0 {
		err = fmt.Errorf("import %s was never started", rec.ID)
	}
	if err != nil {
		return err
	}
	if _, err := pg.Exec(ctx, tx, "import.forget_counts", pg.Tenant, rec.ID); err != nil {
		return err
	}
	for kind, counts := range map[string]map[string]int64{
		"rejected": rec.RejectedByReason, "ignored": rec.IgnoredByReason, "refused": rec.RefusedByReason,
	} {
		reasons := slices.Sorted(maps.Keys(counts))
		if _, err := pg.CopyInto(ctx, tx, "import_counts", reasons, func(r *pg.Row, reason *string) error {
			r.Col("import_id").ID(rec.ID)
			r.Col("kind").Text(kind)
			r.Col("reason").Text(*reason)
			r.Col("rows").Int8(counts[*reason])
			return nil
		}); err != nil {
			return fmt.Errorf("record counts: %w", err)
		}
	}
	ordinal := 0
	copyRejections := pg.Statement("import.copy_rejections")
	_, err = pg.CopySlice(ctx, tx, copyRejections, rec.Rejections, func(r *pg.Row, x *ledger.Rejection) error {
		ordinal++
		r.Begin(8)
		r.Int4(pg.Tenant)
		r.ID(rec.ID)
		r.Int4(ordinal)
		r.Text(pg.CleanText(x.File))
		r.Int8(x.Line)
		r.Name(pg.CleanText(x.Column))
		r.Text(x.Reason)
		r.Text(pg.CleanText(x.Detail))
		return nil
	})
	return err
}

// PublishEvents inserts new events and returns their number.
func (s *Bills) PublishEvents(
	ctx context.Context, _ ledger.ID, events []ledger.InstanceEvent,
) (inserted int64, err error) {
	err = s.InTx(ctx, "publish events", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "import.create_events"); err != nil {
			return err
		}
		if _, err := pg.CopyInto(ctx, tx, "next_events", events, func(r *pg.Row, e *ledger.InstanceEvent) error {
			r.Col("provider").Text(e.Provider)
			r.Col("instance_id").Text(e.InstanceID)
			r.Col("kind").Text(string(e.Kind))
			r.Col("detail").Text(e.Detail)
			r.Col("at").At(e.At)
			r.Col("account").Text(e.Account)
			r.Col("region").Text(e.Region)
			r.Col("event_id").Text(e.EventID)
			return nil
		}); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
		inserted, err = pg.Value[int64](ctx, tx, "import.insert_events", pg.Tenant)
		return err
	})
	return inserted, err
}

// PublishRates merges price-book entries. Entries that contradict each other at some time are refused, and the error
// names both. If anything is new, all chunks with hours that no bill covers are marked.
func (s *Bills) PublishRates(ctx context.Context, importID ledger.ID, rates []ledger.Rate) error {
	return s.InTx(ctx, "publish price book", func(tx pgx.Tx) error {
		added, err := AddRates(ctx, tx, importID, rates)
		if err != nil || added == 0 {
			return err
		}
		return PricesChanged(ctx, tx)
	})
}

// AddRates is PublishRates within a transaction, without marks; it returns how many are new. If any is, PricesChanged
// must follow, last in the transaction.
func AddRates(ctx context.Context, tx pgx.Tx, importID ledger.ID, rates []ledger.Rate) (added int64, err error) {
	if _, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, "rates"); err != nil {
		return 0, err
	}
	if _, err := pg.Exec(ctx, tx, "import.create_rates"); err != nil {
		return 0, err
	}
	if _, err := pg.CopyInto(ctx, tx, "next_rates", rates, func(r *pg.Row, v *ledger.Rate) error {
		encodeRate(r, v, importID)
		return nil
	}); err != nil {
		return 0, fmt.Errorf("stage: %w", err)
	}
	if err := refuseConflictingRates(ctx, tx); err != nil {
		return 0, err
	}
	return pg.Exec(ctx, tx, "import.insert_rates", pg.Tenant)
}

// PricesChanged marks everything that depends on prices without a bill. Like all marks, it must be last in its
// transaction.
func PricesChanged(ctx context.Context, tx pgx.Tx) error {
	if _, err := pg.Exec(ctx, tx, "rollup.mark_priced", pg.Tenant); err != nil {
		return err
	}
	return pg.Mark(ctx, tx, "dirty.mark_unbilled")
}

// UsePublicPrices marks all hours without a bill if the public prices that last priced them had another digest, as
// after an upgrade.
func (s *Bills) UsePublicPrices(ctx context.Context, digest [32]byte) error {
	return s.InTx(ctx, "use public prices", func(tx pgx.Tx) error {
		changed, err := pg.Exec(ctx, tx, "prices.use", pg.Tenant, digest[:])
		if err != nil || changed == 0 {
			return err
		}
		return PricesChanged(ctx, tx)
	})
}

func refuseConflictingRates(ctx context.Context, tx pgx.Tx) error {
	return pg.Each(ctx, tx, "import.conflicting_rates", func(a struct {
		InstanceType, Region string
		PriceClass           ledger.PriceClass
		Currency             string
		Hourly, OtherHourly  money.Amount
		period.Interval
		OtherFrom, OtherTo period.Second
		OtherSource        string
	}) error {
		return fmt.Errorf("%s %s %s has two prices at once: %s %s for %s and %s for %s (%s); end one before the other begins",
			a.InstanceType, a.Region, a.PriceClass, a.Currency, a.Hourly, a.Interval,
			a.OtherHourly, period.Interval{From: a.OtherFrom, To: a.OtherTo}, a.OtherSource)
	}, pg.Tenant)
}

func encodeRate(r *pg.Row, v *ledger.Rate, importID ledger.ID) {
	r.Col("rate_id").ID(v.ID)
	r.Col("import_id").Ref(importID)
	r.Col("instance_type").Text(v.InstanceType)
	r.Col("region").Text(v.Region)
	r.Col("price_class").Text(string(v.PriceClass))
	r.Col("currency").Text(v.Currency)
	r.Col("hourly").Amount(v.Hourly)
	r.Col("valid_from").At(v.Valid.From)
	if v.Valid.To == 0 { // open
		r.Col("valid_to").At(pg.EndOfTime)
	} else {
		r.Col("valid_to").At(v.Valid.To)
	}
	r.Col("source").Text(v.Source)
}

// NodeIdentities returns the stored identities of the named nodes of a cluster.
func (s *Bills) NodeIdentities(ctx context.Context, cluster string, names []string) ([]ingest.NodeIdentity, error) {
	devices := map[string][]ingest.NodeDevice{}
	order := []string{}
	err := pg.Each(ctx, s.Pool, "import.node_devices", func(d struct {
		Node string
		ingest.NodeDevice
		period.Interval
	}) error {
		if devices[d.Node] == nil {
			order = append(order, d.Node)
		}
		d.Hours = d.Interval
		devices[d.Node] = append(devices[d.Node], d.NodeDevice)
		return nil
	}, pg.Tenant, cluster, names)
	if err != nil {
		return nil, err
	}
	var list []ingest.NodeIdentity
	seen := map[string]bool{}
	err = pg.Each(ctx, s.Pool, "import.node_identities", func(r struct {
		Name, ProviderID    string
		FirstSeen, LastSeen period.Second
	}) error {
		n := ingest.NodeIdentity{Name: r.Name, ProviderID: r.ProviderID}
		if r.FirstSeen != 0 {
			n.Life = period.Interval{From: r.FirstSeen, To: r.LastSeen + 1}
		}
		n.Devices = devices[n.Name]
		seen[n.Name] = true
		list = append(list, n)
		return nil
	}, pg.Tenant, cluster, names)
	for _, name := range order { // known only from its exporter
		if !seen[name] {
			list = append(list, ingest.NodeIdentity{Name: name, Devices: devices[name]})
		}
	}
	return list, err
}
