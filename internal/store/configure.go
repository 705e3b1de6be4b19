package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest/pricebook"
	"gpuledger/internal/folder"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/access"
	"gpuledger/internal/store/bills"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/exports"
	"gpuledger/internal/store/pg"
)

// ConfigurationError lists what prevents a folder from being applied.
type ConfigurationError struct{ Faults []folder.Fault }

// Error implements error.
func (e *ConfigurationError) Error() string {
	lines := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// GuardedError says that a change of the rules needs a second person, whom a folder cannot name.
type GuardedError struct{}

// Error implements error.
func (*GuardedError) Error() string {
	return "nothing is applied: the policy in force requires a second person for changes of the policy and of mappings. " +
		"Store each of them with `gpuledger policy apply FILE` and have it confirmed; the folder then finds it stored"
}

// Configuration reads what a folder of files may configure.
func (s *Store) Configuration(ctx context.Context) (state *folder.State, err error) {
	err = s.DB.Read(ctx, "read the configuration", func(tx pgx.Tx) error {
		state, err = configurationOf(ctx, tx)
		return err
	})
	return state, err
}

func configurationOf(ctx context.Context, q pg.Querier) (*folder.State, error) {
	state := &folder.State{At: period.FromTime(pg.Now())}
	err := book.ReadConfiguration(ctx, q, state)
	if err != nil {
		return nil, err
	}
	if state.Rates, err = bills.RatesOf(ctx, q); err != nil {
		return nil, err
	}
	if state.Books, err = bills.BooksOf(ctx, q); err != nil {
		return nil, err
	}
	if state.Views, err = access.ConfiguredViews(ctx, q); err != nil {
		return nil, err
	}
	state.Schedules, err = exports.Configured(ctx, q)
	return state, err
}

// Configure stores what differs between a folder and the ledger, all of it or nothing, in one transaction. It returns a
// *ConfigurationError if the two contradict each other, and a *GuardedError if the policy requires a second person.
func (s *Store) Configure(ctx context.Context, f *folder.Folder, by, reason string) (plan *folder.Plan, err error) {
	err = s.DB.InTx(ctx, "apply the folder", func(tx pgx.Tx) error {
		if err := book.LockConfiguration(ctx, tx); err != nil {
			return err
		}
		state, err := configurationOf(ctx, tx)
		if err != nil {
			return err
		}
		var faults []folder.Fault
		if plan, faults = folder.Compare(state, f); len(faults) > 0 {
			return &ConfigurationError{faults}
		}
		if plan.Guarded {
			return &GuardedError{}
		}
		if !plan.Differs() {
			return nil
		}
		return s.configure(ctx, tx, plan, book.Configured{By: by, Reason: reason, At: pg.Now()})
	})
	return plan, err
}

// configure stores a plan; marks of days to recompute come last.
func (s *Store) configure(ctx context.Context, tx pgx.Tx, plan *folder.Plan, c book.Configured) error {
	if err := access.ConfigureViews(ctx, tx, plan.Views, c.By, c.Reason, c.At); err != nil {
		return err
	}
	if err := exports.Configure(ctx, tx, plan.Schedules, c.By, c.Reason, c.At); err != nil {
		return err
	}
	mark, err := book.SaveConfiguration(ctx, tx, plan, c)
	if err != nil {
		return err
	}
	var added int64
	if len(plan.Rates) > 0 {
		if added, err = bills.AddRates(ctx, tx, ledger.ID{}, plan.Rates); err != nil {
			return err
		}
		if err := book.AuditRates(ctx, tx, added, c); err != nil {
			return err
		}
	}
	if err := book.AuditBooks(ctx, tx, plan, c); err != nil {
		return err
	}
	faults, err := bills.ConfigureBooks(ctx, tx, plan.Owned, c.At, s.Energy(ctx))
	if len(faults) > 0 {
		return &ConfigurationError{faults}
	}
	if err != nil {
		return err
	}
	if added > 0 {
		if err := bills.PricesChanged(ctx, tx); err != nil {
			return fmt.Errorf("mark hours without a bill: %w", err)
		}
	}
	return mark()
}

// Energy is the measured energy of nodes, for the lines of price books.
func (s *Store) Energy(ctx context.Context) pricebook.Energy {
	return func(cluster, node string, within period.Interval) (map[period.Second]ledger.MeasuredEnergy, error) {
		return s.NodeEnergy(ctx, cluster, node, within)
	}
}
