package store

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/jobs"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// BookDeliveries lists the current deliveries that are the book of anything,
// oldest partition first.
func (s *Store) BookDeliveries(ctx context.Context) ([]jobs.BookDelivery, error) {
	var list []jobs.BookDelivery
	err := query(ctx, s.pool, "charge.book_deliveries", func(rows pgx.Rows) error {
		var d jobs.BookDelivery
		err := rows.Scan(&d.ID, &d.BillingPeriod, &d.FleetDigest)
		list = append(list, d)
		return err
	}, tenant)
	return list, err
}

// totalKey is what a control total and its charges have in common.
type totalKey struct {
	account  string
	month    period.Month
	currency string
}

// ScanCharges streams the charges of a delivery in charge id order. Metrics
// for which the delivery is evidence only are nil, and charges without any
// book metric are left out: they are never posted.
func (s *Store) ScanCharges(ctx context.Context, delivery ledger.ID) iter.Seq2[*ledger.Charge, error] {
	return func(yield func(*ledger.Charge, error) bool) {
		err := s.scanCharges(ctx, delivery, func(c *ledger.Charge) bool { return yield(c, nil) })
		if err != nil {
			yield(nil, fmt.Errorf("read charges of delivery %s: %w", delivery, err))
		}
	}
}

func (s *Store) scanCharges(ctx context.Context, delivery ledger.ID, yield func(*ledger.Charge) bool) error {
	evidence := map[totalKey][]ledger.Metric{}
	err := query(ctx, s.pool, "charge.evidence", func(rows pgx.Rows) error {
		var k totalKey
		var m ledger.Metric
		err := rows.Scan(&k.account, &k.month, &k.currency, &m)
		evidence[k] = append(evidence[k], m)
		return err
	}, tenant, delivery)
	if err != nil {
		return err
	}
	tags := map[ledger.ID]map[string]string{}
	err = query(ctx, s.pool, "charge.tag_sets", func(rows pgx.Rows) error {
		var id ledger.ID
		var set map[string]string
		err := rows.Scan(&id, &set)
		tags[id] = set
		return err
	}, tenant, delivery)
	if err != nil {
		return err
	}
	rows, err := s.pool.Query(ctx, statement("charge.scan"), tenant, delivery)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		c, set, err := scanCharge(rows)
		if err != nil {
			return err
		}
		c.Tags = tags[set]
		if skip := evidence[totalKey{c.Account, c.BillingPeriod, c.Currency}]; skip != nil {
			for _, m := range skip {
				c.Set(m, nil)
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

func scanCharge(rows pgx.Rows) (*ledger.Charge, ledger.ID, error) {
	var c ledger.Charge
	var set ledger.ID
	var class, serviceName, serviceCode, resource, description, usageType, operation, lineType *string
	var region, zone, instanceType, priceClass, commitment, unit *string
	err := rows.Scan(&c.ID, &c.SourceFile, &c.Line, &c.Provider, &c.BillingAccount, &c.Account, &c.BillingPeriod, &c.Period.From, &c.Period.To,
		&c.Kind, &c.Category, &class, &serviceName, &serviceCode, &resource, &description, &usageType, &operation, &lineType,
		&region, &zone, &instanceType, &priceClass, &commitment, &c.InstanceHours, &c.UsageAmount, &unit,
		&c.Currency, &c.Effective, &c.Billed, &c.List, &c.Contracted, &set)
	c.Class, c.ServiceName, c.ServiceCode, c.ResourceID = orEmpty(class), orEmpty(serviceName), orEmpty(serviceCode), orEmpty(resource)
	c.Description, c.UsageType, c.Operation, c.LineItemType = orEmpty(description), orEmpty(usageType), orEmpty(operation), orEmpty(lineType)
	c.Region, c.Zone, c.InstanceType = orEmpty(region), orEmpty(zone), orEmpty(instanceType)
	c.PriceClass, c.CommitmentID, c.UsageUnit = ledger.PriceClass(orEmpty(priceClass)), orEmpty(commitment), orEmpty(unit)
	// Stored charges do not carry these yet: they follow from what is stored.
	c.InstanceID = ledger.AWSInstanceKey(c.ResourceID)
	if c.PriceClass == ledger.Owned { // named by its key
		c.InstanceID = c.ResourceID
	}
	if c.InstanceHours && c.Kind != ledger.LineDiscount && c.UsageAmount != nil {
		if seconds, ok := ledger.InstanceSeconds(*c.UsageAmount); ok {
			c.InstanceSeconds = &seconds
		}
	}
	return &c, set, err
}

// Coverage returns, per account, the end of the newest delivery's last compute
// usage.
func (s *Store) Coverage(ctx context.Context) (map[string]period.Second, error) {
	covered := map[string]period.Second{}
	err := query(ctx, s.pool, "charge.coverage", func(rows pgx.Rows) error {
		var account string
		var until period.Second
		err := rows.Scan(&account, &until)
		covered[account] = until
		return err
	}, tenant)
	return covered, err
}

// Rates returns all price-book rates.
func (s *Store) Rates(ctx context.Context) ([]ledger.Rate, error) {
	var list []ledger.Rate
	err := query(ctx, s.pool, "charge.rates", func(rows pgx.Rows) error {
		var r ledger.Rate
		err := rows.Scan(&r.ID, &r.InstanceType, &r.Region, &r.PriceClass, &r.Currency, &r.Hourly, &r.Valid.From, &r.Valid.To, &r.Source)
		list = append(list, r)
		return err
	}, tenant)
	return list, err
}
