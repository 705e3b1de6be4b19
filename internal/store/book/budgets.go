package book

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// storedBudget is the newest version of a budget.
type storedBudget struct {
	ID       ledger.ID
	Version  int
	Name     string
	Key      string
	Value    string
	Period   ledger.BudgetPeriod
	Starts   *period.Second
	Amount   money.Amount
	Unit     ledger.BudgetUnit
	Currency string
	Parent   string
}

// budget is the stored version without its number.
func (s *storedBudget) budget() ledger.Budget {
	b := ledger.Budget{
		Name: s.Name, Key: s.Key, Value: s.Value, Period: s.Period, Amount: s.Amount, Unit: s.Unit,
		Currency: s.Currency, Parent: s.Parent,
	}
	if s.Starts != nil {
		b.Start = *s.Starts
	}
	return b
}

// BudgetID identifies a budget by its name.
func BudgetID(name string) ledger.ID { return ledger.NewID("budget", name) }

// PublishBudgets stores the budgets that differ from their newest version as the next one, and returns how many. A
// parent that is missing, of another unit or currency, or one of its parts is a *ledger.FileError; nothing is
// stored then.
func (s *Book) PublishBudgets(
	ctx context.Context, importID ledger.ID, by string, budgets []ledger.Budget,
) (changed int64, err error) {
	err = s.InTx(ctx, "publish budgets", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, "budgets"); err != nil {
			return err
		}
		current := map[string]ledger.Budget{}
		version := map[string]int{}
		stored, err := pg.List[storedBudget](ctx, tx, "budget.current", pg.Tenant)
		if err != nil {
			return fmt.Errorf("budgets: %w", err)
		}
		for i := range stored {
			current[stored[i].Name], version[stored[i].Name] = stored[i].budget(), stored[i].Version
		}
		if err := ledger.CheckParents(current, budgets); err != nil {
			return err
		}
		for i := range budgets {
			b := &budgets[i]
			if old, known := current[b.Name]; known && old.Same(b) {
				continue
			}
			if err := putBudget(ctx, tx, b, version[b.Name]+1, by, importID); err != nil {
				return err
			}
			changed++
		}
		return nil
	})
	return changed, err
}

func putBudget(ctx context.Context, tx pgx.Tx, b *ledger.Budget, version int, by string, importID ledger.ID) error {
	window := b.Window()
	_, err := pg.Exec(ctx, tx, "budget.put", pg.Tenant, BudgetID(b.Name), version, b.Name, b.Key, b.Value,
		string(b.Period), openBound(window.From), openBound(window.To), b.Amount, string(b.Unit), b.Currency, b.Parent, by, "",
		importID)
	return err
}
