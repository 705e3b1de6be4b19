package bills

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/pg"
)

// BookDeliveries lists the current deliveries that are book for any metric, oldest partition first.
func (s *Bills) BookDeliveries(ctx context.Context) ([]posting.BookDelivery, error) {
	keys := map[ledger.ID][]posting.BookKey{}
	if err := pg.Each(ctx, s.Pool, "charge.book_keys", func(r struct {
		DeliveryID ledger.ID
		posting.BookKey
	}) error {
		keys[r.DeliveryID] = append(keys[r.DeliveryID], r.BookKey)
		return nil
	}, pg.Tenant); err != nil {
		return nil, err
	}
	list, err := pg.List[posting.BookDelivery](ctx, s.Pool, "charge.book_deliveries", pg.Tenant)
	for i := range list {
		list[i].Keys = keys[list[i].ID]
	}
	return list, err
}

// totalKey is the key that a control total shares with its charges.
type totalKey struct {
	Account       string
	BillingPeriod period.Month
	Currency      string
}

// duty lists what other deliveries provide for an account's bill.
type duty struct {
	evidence []ledger.Metric // metrics for which another delivery is book
	noTime   bool            // another delivery counts the instance seconds
}

// ScanCharges streams the charges of a delivery in charge id order. Metrics for which the delivery is only evidence are
// nil. Charges without any book metric are never posted, so they are left out. Instance seconds come from the book of
// effective cost, or of billed cost if there is none (docs/rules.md, 8.1 and 8.18).
func (s *Bills) ScanCharges(ctx context.Context, delivery ledger.ID) iter.Seq2[*ledger.Charge, error] {
	return func(yield func(*ledger.Charge, error) bool) {
		err := s.scanCharges(ctx, delivery, func(c *ledger.Charge) bool { return yield(c, nil) })
		if err != nil {
			yield(nil, fmt.Errorf("read charges of delivery %s: %w", delivery, err))
		}
	}
}

func (s *Bills) scanCharges(ctx context.Context, delivery ledger.ID, yield func(*ledger.Charge) bool) error {
	number, found, err := pg.Found(pg.Value[int](ctx, s.Pool, "charge.number", pg.Tenant, delivery))
	if !found {
		return err
	}
	duties := map[totalKey]duty{}
	err = pg.Each(ctx, s.Pool, "charge.evidence", func(r struct {
		totalKey
		Metric                  ledger.Metric
		Evidence, CountsSeconds bool
	}) error {
		d := duties[r.totalKey]
		if r.Evidence {
			d.evidence = append(d.evidence, r.Metric)
		}
		d.noTime = !r.CountsSeconds
		duties[r.totalKey] = d
		return nil
	}, pg.Tenant, delivery)
	if err != nil {
		return err
	}
	read, err := s.newChargeReader(ctx, number)
	if err != nil {
		return err
	}
	rows, err := s.Pool.Query(ctx, pg.Statement("charge.scan"), pg.Tenant, number)
	if err != nil {
		return fmt.Errorf("charge.scan: %w", err)
	}
	defer rows.Close()
	for i, field := range rows.FieldDescriptions() {
		if i < scanBeside && field.Format != pgx.BinaryFormatCode {
			return fmt.Errorf("charge.scan: the server answers in text: remove default_query_exec_mode from the database " +
				"address")
		}
	}
	for rows.Next() {
		c, err := read.charge(rows)
		if err != nil {
			return err
		}
		if d, ok := duties[totalKey{c.Account, c.BillingPeriod, c.Currency}]; ok {
			for _, m := range d.evidence {
				c.Set(m, nil)
			}
			if d.noTime {
				c.InstanceSeconds, c.UsageAmount = nil, nil
			}
			if c.Costs == (ledger.Costs{}) {
				continue
			}
		}
		if !yield(c) {
			return nil
		}
	}
	return rows.Err()
}

// chargeReader joins charge rows with the dictionaries of their delivery.
type chargeReader struct {
	words map[int32]ledger.Charge // items
	bills map[int32]ledger.Charge // scopes
	names map[int32][3]string     // resource id, instance key and its alias
	tags  map[int32]map[string]string
}

func (s *Bills) newChargeReader(ctx context.Context, number int) (*chargeReader, error) {
	r := &chargeReader{
		words: map[int32]ledger.Charge{}, bills: map[int32]ledger.Charge{},
		names: map[int32][3]string{}, tags: map[int32]map[string]string{},
	}
	for _, dictionary := range []struct {
		name string
		scan func(pgx.Rows) error
	}{
		{"charge.scopes", func(rows pgx.Rows) error {
			var id int32
			var c ledger.Charge
			err := rows.Scan(&id, &c.SourceFile, &c.BillingAccount, &c.Account, &c.BillingPeriod, &c.Currency)
			r.bills[id] = c
			return err
		}},
		{"charge.items", func(rows pgx.Rows) error {
			var id int32
			var c ledger.Charge
			err := rows.Scan(&id, &c.Provider, &c.Kind, &c.Category, &c.Class, &c.ServiceName, &c.ServiceCode, &c.Description,
				&c.UsageType,
				&c.Operation, &c.LineItemType, &c.Region, &c.Zone, &c.InstanceType, &c.PriceClass,
				&c.CommitmentID, &c.UsageUnit, &c.InstanceHours, &c.BillsGPU, &c.Marketplace,
				&c.Allocated)
			r.words[id] = c
			return err
		}},
		{"charge.resources", func(rows pgx.Rows) error {
			var id int32
			var names [3]string
			err := rows.Scan(&id, &names[0], &names[1], &names[2])
			r.names[id] = names
			return err
		}},
		{"charge.tags", func(rows pgx.Rows) error {
			var id int32
			var set map[string]string
			err := rows.Scan(&id, &set)
			r.tags[id] = set
			return err
		}},
	} {
		if err := pg.Query(ctx, s.Pool, dictionary.name, dictionary.scan, pg.Tenant, number); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// scanned is a charge with room for the values it points to.
type scanned struct {
	ledger.Charge
	amounts [6]money.Amount
	seconds int64
}

// The columns of charge.scan.
const (
	scanID = iota
	scanLine
	scanStarts
	scanEnds
	scanWords                            // four numbers
	scanAmounts = scanWords + outDetails // six, in the order of exact
	scanSeconds = scanAmounts + 6
	scanBeside  = scanSeconds + 1 // columns that few rows have
)

// charge reads one row of charge.scan directly from the server's binary form, because there may be millions.
func (r *chargeReader) charge(rows pgx.Rows) (*ledger.Charge, error) {
	raw := rows.RawValues()
	word := func(kind int) int32 { return int32(binary.BigEndian.Uint32(raw[scanWords+kind])) }
	int8At := func(i int) int64 { return int64(binary.BigEndian.Uint64(raw[i])) }
	v := &scanned{Charge: r.words[word(outItems)]}
	c := &v.Charge
	bill := r.bills[word(outScopes)]
	c.SourceFile, c.BillingAccount, c.Account, c.BillingPeriod, c.Currency = bill.SourceFile, bill.BillingAccount,
		bill.Account, bill.BillingPeriod, bill.Currency
	names := r.names[word(outResources)]
	c.ResourceID, c.InstanceID, c.InstanceAlias = names[0], names[1], names[2]
	c.Tags = r.tags[word(outTags)]
	copy(c.ID[:], raw[scanID])
	c.Line = int8At(scanLine)
	c.Period = period.Interval{From: period.Second(int8At(scanStarts)), To: period.Second(int8At(scanEnds))}
	to := [...]**money.Amount{&c.Effective, &c.Billed, &c.List, &c.Contracted, &c.UsageAmount, &c.CommitmentCredit}
	for i := range to {
		if raw[scanAmounts+i] != nil {
			v.amounts[i] = money.FromUnits(int8At(scanAmounts + i))
			*to[i] = &v.amounts[i]
		}
	}
	if raw[scanSeconds] != nil {
		v.seconds = int8At(scanSeconds)
		c.InstanceSeconds = &v.seconds
	}
	for _, beside := range raw[scanBeside:] {
		if beside != nil {
			return c, scanBesides(rows, c, to[:])
		}
	}
	return c, nil
}

// scanBesides reads the columns that few charges have: amounts that are not whole units, an aggregate, a split.
func scanBesides(rows pgx.Rows, c *ledger.Charge, to []**money.Amount) error {
	var exact []*money.Amount
	var lines *int64
	var ranges []int64
	var digest []byte
	var texts [6]*string
	var used, unused *money.Amount
	dest := make([]any, scanBeside, scanBeside+12) // nil: skipped
	err := rows.Scan(append(dest, &exact, &lines, &ranges, &digest, &texts[0], &texts[1], &texts[2], &texts[3], &texts[4],
		&texts[5], &used, &unused)...)
	if err != nil {
		return err
	}
	for i, a := range exact {
		if a != nil {
			*to[i] = a
		}
	}
	if lines != nil {
		c.Aggregate = &ledger.Aggregate{Lines: *lines}
		for i := 0; i+1 < len(ranges); i += 2 {
			c.Aggregate.Ranges = append(c.Aggregate.Ranges, ledger.LineRange{First: ranges[i], Last: ranges[i+1]})
		}
		copy(c.Aggregate.Digest[:], digest)
	}
	if texts[0] != nil {
		c.Split = &ledger.SplitCost{Parent: *texts[0], Cluster: pg.OrEmpty(texts[1]), Namespace: pg.OrEmpty(texts[2]),
			Pod: pg.OrEmpty(texts[3]), PodUID: pg.OrEmpty(texts[4]),
			Resource: pg.OrEmpty(texts[5]), Used: used, Unused: unused}
	}
	return nil
}

// Billers returns, per account, the providers whose current deliveries have compute usage of it.
func (s *Bills) Billers(ctx context.Context) (map[string][]string, error) {
	billers := map[string][]string{}
	err := pg.Each(ctx, s.Pool, "charge.billers", func(r struct{ Account, Provider string }) error {
		billers[r.Account] = append(billers[r.Account], r.Provider)
		return nil
	}, pg.Tenant)
	return billers, err
}

// Coverage returns the time until which each account is covered (rule 8.13): the end of the newest delivery's last
// compute usage, or of its last closed month.
func (s *Bills) Coverage(ctx context.Context) (map[string]period.Second, error) {
	return pg.Map[string, period.Second](ctx, s.Pool, "charge.coverage", pg.Tenant)
}

// Rates returns all price-book rates.
func (s *Bills) Rates(ctx context.Context) ([]ledger.Rate, error) { return RatesOf(ctx, s.Pool) }

// RatesOf is Rates within a transaction.
func RatesOf(ctx context.Context, q pg.Querier) ([]ledger.Rate, error) {
	var list []ledger.Rate
	err := pg.Each(ctx, q, "charge.rates", func(r struct {
		ledger.Rate
		period.Interval
	}) error {
		r.Valid = r.Interval
		list = append(list, r.Rate)
		return nil
	}, pg.Tenant)
	return list, err
}

// KeepRates stores rates with their sources unless the price book has them. A stored rate never changes.
func (s *Bills) KeepRates(ctx context.Context, rates []ledger.Rate) error {
	if len(rates) == 0 {
		return nil
	}
	var ids []ledger.ID
	var classes, currencies, hourly, sources []string
	for _, r := range rates {
		ids, classes, currencies = append(ids, r.ID), append(classes, string(r.PriceClass)), append(currencies, r.Currency)
		hourly, sources = append(hourly, r.Hourly.String()), append(sources, r.Source)
	}
	return s.InTx(ctx, "keep rates", func(tx pgx.Tx) error {
		_, err := pg.Exec(ctx, tx, "rates.keep_derived", pg.Tenant, ids, classes, currencies, hourly, sources)
		return err
	})
}
