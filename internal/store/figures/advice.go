package figures

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/advice"
)

// DemandWindow is the span of the newest days of demand, days long at most.
func (s *Figures) DemandWindow(ctx context.Context, days int) (period.Interval, error) {
	w, _, err := pg.Found(pg.One[period.Interval](ctx, s.Pool, "advice.window", pg.Tenant, days))
	return w, err
}

// DemandSums adds up days of demand, ordered by key and currency.
func (s *Figures) DemandSums(ctx context.Context, window period.Interval) (sums []analysis.DemandSum, err error) {
	type sum struct {
		analysis.DemandKey
		Service, Device, Region, Provider string
		Slices, Hours, Days               int
		GPUHours, Cost                    money.Amount
		ActivityBins, MemoryBins          []int64
		SliceMemory                       int64
		HeldOn                            []period.Second
		HeldHours                         []int64
		Currency                          string
		State                             ledger.State
	}
	err = pg.Each(ctx, s.Pool, "demand.sums", func(r sum) error {
		d := analysis.DayDemand{Key: r.DemandKey, Service: r.Service, Device: r.Device, Region: r.Region,
			Provider: r.Provider,
			Slices:   r.Slices, Hours: r.Hours, Days: r.Days, GPUHours: r.GPUHours,
			SliceMemory: r.SliceMemory, Held: advice.Presence{},
			Activity: sketch.Unpacked(r.ActivityBins), Memory: sketch.Unpacked(r.MemoryBins)}
		for i, day := range r.HeldOn {
			d.Held.Day(day, uint32(r.HeldHours[i]))
		}
		sums = append(sums, analysis.DemandSum{DayDemand: d, Cost: r.Cost, Currency: r.Currency, State: r.State})
		return nil
	}, pg.Tenant, window.From, window.To)
	return sums, err
}

// AdviceFindings lists the findings that overlap a window.
func (s *Figures) AdviceFindings(ctx context.Context, window period.Interval) ([]advice.Finding, error) {
	var list []advice.Finding
	err := pg.Query(ctx, s.Pool, "advice.findings", func(rows pgx.Rows) error {
		f := advice.Finding{There: advice.Presence{}}
		var since, until []int64
		err := rows.Scan(&f.Kind, &f.Subject.Cluster, &f.Subject.Namespace, &f.Subject.Kind, &f.Subject.Name, &f.OwnerID,
			&f.GPUModel,
			&f.From, &f.To, &f.Open, &f.Cost, &f.Currency, &f.State, &f.Quality, &since, &until)
		for i := range since {
			f.There.Span(period.Interval{From: period.Second(since[i]), To: period.Second(until[i])})
		}
		list = append(list, f)
		return err
	}, pg.Tenant, window.From, window.To)
	return list, err
}

// Interruptibles lists on-demand jobs that write checkpoints, with the spot measurements of their team and of all
// teams in their currency.
func (s *Figures) Interruptibles(ctx context.Context, window period.Interval) ([]advice.Interruptible, error) {
	teams, fleet, err := s.SpotRecords(ctx, window)
	if err != nil {
		return nil, err
	}
	work, err := pg.List[struct {
		Cluster, InstanceType, Team, Currency, GPUModel string
		State                                           ledger.State
		Cost                                            money.Amount
		CheckpointEvery                                 int64
		Spot, OnDemand                                  money.Amount // per second
	}](ctx, s.Pool, "advice.interruptible", pg.Tenant, window.From, window.To)
	var list []advice.Interruptible
	for _, w := range work {
		i := advice.Interruptible{Subject: advice.Subject{Cluster: w.Cluster, Kind: w.InstanceType, Name: w.Team},
			GPUModel:     w.GPUModel,
			InstanceType: w.InstanceType, Window: window, Cost: w.Cost,
			Currency: w.Currency, State: w.State, CheckpointEvery: w.CheckpointEvery,
			Team: teams[[2]string{w.Team, w.Currency}], Fleet: fleet[w.Currency]}
		if w.Spot.Sign() > 0 && w.OnDemand.Sign() > 0 {
			i.SpotShare, i.SpotSource = new(big.Rat).Quo(w.Spot.Rat(), w.OnDemand.Rat()), "average rates paid for both"
		}
		list = append(list, i)
	}
	return list, err
}

// SpotRecords are the rows of dataset spot, by team and currency, and over all teams by currency.
func (s *Figures) SpotRecords(
	ctx context.Context, window period.Interval,
) (map[[2]string]advice.SpotRecord, map[string]advice.SpotRecord, error) {
	teams, fleet := map[[2]string]advice.SpotRecord{}, map[string]advice.SpotRecord{}
	list, err := pg.List[struct {
		Team, Currency string
		advice.SpotRecord
	}](ctx, s.Pool, "advice.spot_records", pg.Tenant, window.From, window.To)
	for _, r := range list {
		teams[[2]string{r.Team, r.Currency}] = r.SpotRecord
		all := fleet[r.Currency]
		all.Add(r.SpotRecord)
		fleet[r.Currency] = all
	}
	return teams, fleet, err
}

// SaveRecommendations replaces the undecided recommendations and measures the savings of those that are done.
func (s *Figures) SaveRecommendations(
	ctx context.Context, window period.Interval, list []advice.Recommendation,
) (int64, error) {
	err := s.InTx(ctx, "save recommendations", func(tx pgx.Tx) error {
		ids := make([]ledger.ID, len(list))
		for i := range list {
			ids[i] = list[i].ID()
		}
		if _, err := pg.Exec(ctx, tx, "advice.stale", pg.Tenant, ids); err != nil {
			return err
		}
		b := &pgx.Batch{}
		for i := range list {
			r := &list[i]
			evidence, err := json.Marshal(r.Evidence())
			if err != nil {
				return err
			}
			kind, _ := advice.LookupKind(r.Kind)
			var instrument *string
			var quantity, term *int64
			var breakEven, stranded *money.Amount
			if c := r.Commitment; c != nil {
				instrument, quantity, term = new(string(c.Instrument)), new(c.Quantity), new(int64(advice.TermMonths))
				breakEven, stranded = new(money.FromRat(c.BreakEven)), r.StrandedPerMonth()
			}
			claims := make([]string, len(r.Claims))
			for i, c := range r.Claims {
				claims[i] = string(c)
			}
			var basis *string
			if r.Basis != "" {
				basis = new(string(r.Basis))
			}
			cost, saving := r.Money()
			b.Queue(pg.Statement("advice.put"), pg.Tenant, ids[i], r.Kind, r.Subject.Cluster, r.Subject.Namespace,
				r.Subject.Kind, r.Subject.Name, r.OwnerID, r.GPUModel, r.Window.From, r.Window.To,
				r.Proposal, string(evidence), string(r.Confidence), kind.Effort,
				kind.Risk, cost, saving, r.PerMonth(), r.Currency, string(r.State),
				instrument, quantity, term, breakEven, stranded, claims, r.Life.Seen, r.Life.Hours(), basis)
		}
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("advice.put: %w", err)
		}
		if _, err := pg.Exec(ctx, tx, "advice.realise", pg.Tenant, window.To); err != nil {
			return err
		}
		return countOnce(ctx, tx)
	})
	return int64(len(list)), err
}

// countOnce marks open savings that another recommendation already makes on the same time, so that they count once.
func countOnce(ctx context.Context, tx pgx.Tx) error {
	list, err := pg.List[advice.Saver](ctx, tx, "advice.savers", pg.Tenant)
	if err != nil {
		return err
	}
	var ids, by []ledger.ID
	for id, other := range advice.Overlaps(list) {
		ids, by = append(ids, id), append(by, other)
	}
	_, err = pg.Exec(ctx, tx, "advice.overlaps", pg.Tenant, ids, by)
	return err
}

// Isolated lists root workloads that had a pod in a window with a label that asks for isolation.
func (s *Figures) Isolated(ctx context.Context, window period.Interval) (map[advice.Subject]bool, error) {
	isolated := map[advice.Subject]bool{}
	labels, err := pg.List[struct {
		advice.Subject
		Key, Value string
	}](ctx, s.Pool, "advice.isolation", pg.Tenant, window.From, window.To)
	for _, l := range labels {
		if advice.Isolated(l.Key, l.Value) {
			isolated[l.Subject] = true
		}
	}
	return isolated, err
}

// Teams lists the teams of owners.
func (s *Figures) Teams(ctx context.Context) (map[ledger.ID]string, error) {
	return pg.Map[ledger.ID, string](ctx, s.Pool, "advice.teams", pg.Tenant)
}

// Statuses are the states that a person can give a recommendation.
var Statuses = []string{"open", "accepted", "dismissed", "done"}

// RecommendationError explains why a decision on a recommendation is refused.
type RecommendationError struct{ Reason string }

// Error implements error.
func (e *RecommendationError) Error() string { return "recommendation: " + e.Reason }

// Decide records a decision on a recommendation, also in the audit log. A recommendation that becomes done keeps its
// subject's cost per hour until then, to measure savings against. It returns a *RecommendationError for an unknown id
// or status.
func (s *Figures) Decide(ctx context.Context, id ledger.ID, status, note, by string, at time.Time) error {
	if !slices.Contains(Statuses, status) {
		return &RecommendationError{fmt.Sprintf("status %q is unknown: use one of %v", status, Statuses)}
	}
	return s.InTx(ctx, "decide on recommendation "+id.String(), func(tx pgx.Tx) error {
		r, found, err := pg.Found(pg.One[struct {
			advice.Subject
			Advises, Status string
		}](ctx, tx, "advice.get", pg.Tenant, id))
		if err != nil {
			return err
		}
		if !found {
			return &RecommendationError{
				fmt.Sprintf("there is no recommendation with id %s: gpuledger report recommendations lists them", id),
			}
		}
		if _, err := pg.Exec(ctx, tx, "advice.decide", pg.Tenant, id, status, pg.CleanText(note), pg.CleanText(by),
			period.FromTime(at)); err != nil {
			return err
		}
		latest, err := s.DemandWindow(ctx, 1)
		if err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "advice.realise", pg.Tenant, latest.To); err != nil { // at may lie days back
			return err
		}
		if err := countOnce(ctx, tx); err != nil {
			return err
		}
		detail, err := json.Marshal(map[string]string{
			"kind": r.Advises, "subject": r.Subject.String(), "from": r.Status, "to": status, "note": note,
		})
		if err != nil {
			return err
		}
		return book.Audit(ctx, tx, at, by, "decide on recommendation", id.String(), string(detail))
	})
}
