package bills

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// place decides about one delivery and stores it. It returns the outcome, and whether roles may change.
func (c *chargeStage) place(
	ctx context.Context, slot int, d *ledger.Delivery, out *ingest.PublishedDelivery,
) (moved bool, err error) {
	*out = ingest.PublishedDelivery{DeliveryID: d.ID, Partition: d.Partition, Rows: d.Rows}
	if d.Kind == ledger.Append {
		return c.placeAppended(ctx, slot, d, out)
	}
	old, err := c.current(ctx, d)
	first := old == nil
	switch {
	case err != nil:
		return false, err
	case first:
	case old.Digest == d.Digest && old.Aggregated == d.Aggregated:
		out.State, out.DeliveryID = ingest.DeliveryUnchanged, old.DeliveryID
		return c.confirm(ctx, slot, old.DeliveryID, d)
	case old.Digest == d.Digest: // same rows, now aggregated or no longer so
		if _, err := pg.Exec(ctx, c.tx, "bill.supersede", pg.Tenant, old.DeliveryID, d.ID); err != nil {
			return false, err
		}
		out.State = ingest.DeliveryPublished
		_, err := c.keep(ctx, slot, d, "current")
		return true, err
	default:
		newer, err := c.newer(ctx, slot, d, old)
		if err != nil {
			return false, err
		}
		if !newer {
			out.State = ingest.DeliveryOlder
			_, err := c.keep(ctx, slot, d, "older")
			return false, err
		}
		if _, err := pg.Exec(ctx, c.tx, "bill.supersede", pg.Tenant, old.DeliveryID, d.ID); err != nil {
			return false, err
		}
	}
	out.State = ingest.DeliveryPublished
	fresh, err := c.keep(ctx, slot, d, "current")
	if err != nil {
		return false, err
	}
	if first {
		return true, nil
	}
	// Changes to closed periods become adjustments when the delivery is cut (docs/rules.md, 13.5).
	lines := 0
	if old.Number != nil {
		lines = *old.Number
	}
	if out.Restatement, err = restate(ctx, c.tx, d.ID, old.DeliveryID, fresh, lines); err != nil {
		return true, err
	}
	return true, nil
}

// newer applies ingest.Order to a delivery and the current one.
func (c *chargeStage) newer(ctx context.Context, slot int, d *ledger.Delivery, old *currentDelivery) (bool, error) {
	standing := ingest.StandingDelivery{
		ID: old.DeliveryID, Rows: old.Rows, Newest: old.Newest, Seen: map[string]ingest.SeenPlace{},
	}
	err := pg.Each(ctx, c.tx, "bill.places", func(r struct {
		Place      string
		SHA256     [sha256.Size]byte
		DeliveryID ledger.ID
	}) error {
		standing.Seen[r.Place] = ingest.SeenPlace{SHA256: r.SHA256, Delivery: r.DeliveryID}
		if r.DeliveryID == old.DeliveryID {
			standing.Files = append(standing.Files, ledger.DeliveryPlace{Path: r.Place, SHA256: r.SHA256})
		}
		return nil
	}, pg.Tenant, old.Lineage)
	if err != nil {
		return false, err
	}
	look := c.look
	if look == nil {
		look = func(string) ingest.Sight { return ingest.NotLookedAt }
	}
	newer, refused := ingest.Order(d, &standing, look)
	if refused != nil {
		return false, &ingest.DeliveryError{Slot: slot, Reason: ingest.NoOrder, Err: refused}
	}
	return newer, nil
}

// currentDelivery is the current delivery of a key.
type currentDelivery struct {
	DeliveryID ledger.ID
	Digest     [sha256.Size]byte
	Newest     *period.Second // of all current and superseded deliveries
	Number     *int
	Export     string
	Aggregated bool
	Rows       int64
	Lineage    ledger.ID
}

// current finds the delivery that a new one replaces or joins; nil if there is none. That is the one of its export. Not
// every delivery names its export, so otherwise it is the one with the same rows, or the only candidate; the delivery
// then belongs to that export.
func (c *chargeStage) current(ctx context.Context, d *ledger.Delivery) (*currentDelivery, error) {
	find := func(name string, more ...any) ([]currentDelivery, error) {
		return pg.List[currentDelivery](ctx, c.tx, name,
			append([]any{pg.Tenant, d.Source, d.Export, d.Scope, d.Dataset, d.Partition}, more...)...)
	}
	found, err := find("bill.current")
	if err == nil && len(found) == 0 {
		var accounts []string
		for i := range d.Totals {
			accounts = append(accounts, d.Totals[i].Account)
		}
		found, err = find("bill.current_unnamed", d.Unnamed, accounts)
	}
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(found, func(x currentDelivery) bool { return x.Digest == d.Digest })
	if i < 0 && len(found) != 1 {
		return nil, nil //nolint:nilnil // no delivery to replace
	}
	one := &found[max(i, 0)]
	if d.Export == d.Unnamed {
		d.Export = one.Export
	}
	return one, nil
}

// confirm records that the same rows were delivered again. An older delivery from between must not win whenever it is
// loaded, and configuration may prefer the export now.
func (c *chargeStage) confirm(
	ctx context.Context, slot int, current ledger.ID, d *ledger.Delivery,
) (moved bool, err error) {
	if moved, err = pg.Value[bool](ctx, c.tx, "bill.confirm", pg.Tenant, current, d.DeliveredAt,
		d.Preference); err != nil {
		return false, err
	}
	batch := &pgx.Batch{}
	putPlaces(batch, current, d)
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return false, fmt.Errorf("bill.put_place: %w", err)
	}
	return moved, c.forget(ctx, slot)
}

// putPlaces records which delivery was last read at the places of d.
func putPlaces(batch *pgx.Batch, id ledger.ID, d *ledger.Delivery) {
	for i := range d.Places {
		place := &d.Places[i]
		batch.Queue(pg.Statement("bill.put_place"), pg.Tenant, id, pg.CleanText(place.Path), place.SHA256[:])
	}
}

// forget drops the table of a slot whose lines are already stored.
func (c *chargeStage) forget(ctx context.Context, slot int) error {
	s := c.slot(slot)
	if s.number == 0 {
		return nil
	}
	return execTable(ctx, c.tx, "bill.drop_table", s.number)
}

// keep stores a delivery in the given state, with its lines unless they are already stored, and returns the delivery's
// number in charge_rows.
func (c *chargeStage) keep(ctx context.Context, slot int, d *ledger.Delivery, state string) (int, error) {
	known, _, err := pg.Found(pg.Value[*int](ctx, c.tx, "bill.known", pg.Tenant, d.ID))
	if err != nil {
		return 0, err
	}
	if known != nil {
		if err := c.forget(ctx, slot); err != nil {
			return 0, err
		}
		return *known, c.put(ctx, slot, d, state, *known)
	}
	number, err := c.storeRows(ctx, slot)
	if err != nil {
		return 0, err
	}
	for _, name := range []string{"bill.insert_scopes", "bill.insert_items", "bill.insert_resources", "bill.insert_tags",
		"bill.insert_details", "bill.insert_aggregates", "bill.insert_splits", "bill.insert_instances"} {
		if _, err := pg.Exec(ctx, c.tx, name, pg.Tenant, number, slot); err != nil {
			return 0, err
		}
	}
	if c.slot(slot).charges >= manyCharges { // later reads of the lines need statistics
		if _, err := pg.Exec(ctx, c.tx, "bill.analyze_words"); err != nil {
			return 0, err
		}
	}
	return number, c.put(ctx, slot, d, state, number)
}

// manyCharges is from how many charges on a delivery is worth new statistics.
const manyCharges = 1000

// storeRows moves the rows of a slot into charge_rows.
func (c *chargeStage) storeRows(ctx context.Context, slot int) (number int, err error) {
	number = c.slot(slot).number
	if number == 0 {
		if number, err = pg.Value[int](ctx, c.tx, "bill.small_number"); err != nil {
			return 0, err
		}
		_, err = pg.Exec(ctx, c.tx, "bill.insert_rows", pg.Tenant, number, slot)
	} else {
		err = execTable(ctx, c.tx, "bill.index_table", number)
		if err == nil {
			err = execTable(ctx, c.tx, "bill.attach_table", number)
		}
	}
	if p, is := errors.AsType[*pgconn.PgError](err); is && p.Code == "23505" {
		err = fmt.Errorf("two lines have the same charge id: %s", p.Detail)
	}
	return number, err
}

// execTable runs a statement on a delivery's separate table.
func execTable(ctx context.Context, tx pgx.Tx, name string, number int, args ...any) error {
	if _, err := tx.Exec(ctx, tableSQL(name, number), args...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// tableSQL is a statement on a delivery's separate table. Tables are named by number, and only numbers are put into the
// text.
func tableSQL(name string, number int) string {
	return strings.NewReplacer(":number", strconv.Itoa(number), ":after", strconv.Itoa(number+1), ":tenant",
		strconv.Itoa(pg.Tenant)).Replace(pg.Statement(name))
}

// put writes a delivery with its files, control totals and coverage.
func (c *chargeStage) put(ctx context.Context, slot int, d *ledger.Delivery, state string, number int) error {
	batch := &pgx.Batch{}
	columns := d.Columns
	if columns == nil {
		columns = []string{}
	}
	batch.Queue(pg.Statement("bill.put_delivery"), pg.Tenant, d.ID, c.importID, d.Source, d.Export, d.Scope, d.Dataset,
		d.Partition,
		d.Kind, d.Rank, d.Preference, d.Aggregated, d.DeliveredAt,
		d.ExecutionID, d.Digest[:], d.Rows, columns, state, pg.Now(), number)
	for i := range d.Files {
		f := &d.Files[i]
		batch.Queue(pg.Statement("bill.put_file"), pg.Tenant, d.ID, pg.CleanText(f.Name), f.SHA256[:], f.Bytes, f.Rows)
	}
	for i := range d.Totals {
		t := &d.Totals[i]
		batch.Queue(pg.Statement("bill.put_total"), pg.Tenant, d.ID, t.Account, t.BillingPeriod, t.Currency, t.Metric,
			t.SourceTotal, t.Charges)
	}
	putPlaces(batch, d.ID, d)
	covered := c.slot(slot).covered
	for _, account := range slices.Sorted(maps.Keys(covered)) {
		batch.Queue(pg.Statement("bill.put_coverage"), pg.Tenant, d.ID, account, period.Second(covered[account]))
	}
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("record delivery: %w", err)
	}
	return nil
}
