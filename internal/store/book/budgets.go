package book

import (
	"context"
	"fmt"
	"time"

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
	Ends     *period.Second
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
	if s.Ends != nil {
		b.End = *s.Ends
	}
	return b
}

// BudgetID identifies a budget by its name.
func BudgetID(name string) ledger.ID { return ledger.NewID("budget", name) }

// PublishBudgets stores the budgets that differ from their newest version as the next one, and returns how many. A
// start at which no period begins, and a parent that is missing, of another unit or currency, or one of its parts, is a
// *ledger.FileError; nothing is stored then.
func (s *Book) PublishBudgets(
	ctx context.Context, importID ledger.ID, by string, budgets []ledger.Budget,
) (changed int64, err error) {
	err = s.InTx(ctx, "publish budgets", func(tx pgx.Tx) error {
		names, err := putBudgets(ctx, tx, importID, by, budgets)
		changed = int64(len(names))
		return err
	})
	return changed, err
}

// SaveBudgets is PublishBudgets of a user, with an entry in the audit log.
func (s *Book) SaveBudgets(
	ctx context.Context, by string, at time.Time, budgets []ledger.Budget,
) (changed int64, err error) {
	err = s.InTx(ctx, "save budgets", func(tx pgx.Tx) error {
		names, err := putBudgets(ctx, tx, ledger.ID{}, by, budgets)
		if changed = int64(len(names)); err != nil || changed == 0 {
			return err
		}
		return auditDetail(ctx, tx, at, by, "budgets stored", fmt.Sprintf("%d budgets", changed),
			map[string]any{"names": names})
	})
	return changed, err
}

// putBudgets returns the names of the budgets that changed.
func putBudgets(
	ctx context.Context, tx pgx.Tx, importID ledger.ID, by string, budgets []ledger.Budget,
) (names []string, err error) {
	if _, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, "budgets"); err != nil {
		return nil, err
	}
	current := map[string]ledger.Budget{}
	version := map[string]int{}
	stored, err := pg.List[storedBudget](ctx, tx, "budget.current", pg.Tenant)
	if err != nil {
		return nil, fmt.Errorf("budgets: %w", err)
	}
	for i := range stored {
		current[stored[i].Name], version[stored[i].Name] = stored[i].budget(), stored[i].Version
	}
	rules, err := PoliciesOf(ctx, tx)
	if err == nil {
		err = rules.SetEnds(current, budgets)
	}
	if err != nil {
		return nil, err
	}
	if err := ledger.CheckParents(current, budgets); err != nil {
		return nil, err
	}
	for i := range budgets {
		b := &budgets[i]
		if old, known := current[b.Name]; known && old.Same(b) {
			continue
		}
		if err := putBudget(ctx, tx, b, version[b.Name]+1, by, importID); err != nil {
			return nil, err
		}
		names = append(names, b.Name)
	}
	return names, nil
}

func putBudget(ctx context.Context, tx pgx.Tx, b *ledger.Budget, version int, by string, importID ledger.ID) error {
	window := b.Window()
	_, err := pg.Exec(ctx, tx, "budget.put", pg.Tenant, BudgetID(b.Name), version, b.Name, b.Key, b.Value,
		string(b.Period), openBound(window.From), openBound(window.To), b.Amount, string(b.Unit), b.Currency, b.Parent, by,
		b.Reason, importID)
	return err
}
