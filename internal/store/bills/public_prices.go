package bills

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// PublicPrices returns the built-in and the imported prices: the newest for each machine type, region and class wins.
func (s *Bills) PublicPrices(ctx context.Context) (*catalog.PriceList, error) {
	further, err := pg.List[catalog.Price](ctx, s.Pool, "prices.imported", pg.Tenant)
	return catalog.Embedded().With(further), err
}

// PublishPublicPrices stores imported prices; of two prices for one day the later import wins. If any price changes,
// all hours without a bill are marked. It returns how many were new or changed.
func (s *Bills) PublishPublicPrices(
	ctx context.Context, importID ledger.ID, prices []catalog.Price,
) (changed int64, err error) {
	err = s.InTx(ctx, "publish public prices", func(tx pgx.Tx) error {
		for _, p := range prices {
			n, err := pg.Exec(ctx, tx, "prices.put", pg.Tenant, importID, p.Provider, p.InstanceType, p.Region, p.PriceClass,
				p.Currency, p.Hourly, p.Source, p.Date)
			if err != nil {
				return err
			}
			changed += n
		}
		if changed == 0 {
			return nil
		}
		return PricesChanged(ctx, tx)
	})
	return changed, err
}
