package book

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/confirm"
	"gpuledger/internal/folder"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// mappingsOf reads the mappings that apply, by name and day.
func mappingsOf(ctx context.Context, q pg.Querier) (list []folder.StoredMapping, err error) {
	err = pg.Each(ctx, q, "mapping.current", func(r struct {
		Name     string
		Version  int
		Document string
	}) error {
		m, err := policy.ParseMapping([]byte(r.Document))
		if err != nil {
			return err
		}
		list = append(list, folder.StoredMapping{Mapping: m, Number: r.Version, Document: r.Document})
		return nil
	}, pg.Tenant)
	return list, err
}

// MappingError lists why a mapping cannot be stored.
type MappingError struct{ Faults []folder.Fault }

// Error implements error.
func (e *MappingError) Error() string { return "mapping: " + strings.Join(e.Reasons(), "; ") }

// Reasons are the faults with their lines.
func (e *MappingError) Reasons() []string {
	list := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		list[i] = fmt.Sprintf("line %d: %s", f.Line, f.What)
	}
	return list
}

// SavedMapping is a stored version of a mapping.
type SavedMapping struct {
	folder.StoredMapping
	Stored bool // false: it was stored before
}

// SaveMapping stores a document as the next version of its mapping and marks every node-day that it may affect (rule
// 11.6), in one transaction. If the newest version of its name and day has the same content, nothing changes. It
// returns a *MappingError for a document that is wrong or contradicts stored rules, and a *confirm.WaitsError if the
// policy in force requires a second person.
func (s *Book) SaveMapping(ctx context.Context, document []byte, reason, by string) (saved SavedMapping, err error) {
	one, faults := folder.OneMapping("", document)
	if len(faults) > 0 {
		return saved, &MappingError{faults}
	}
	at := pg.Now()
	err = s.changePolicy(ctx, "store mapping "+one.Mappings[0].Name, func(tx pgx.Tx) (*confirm.Request, error) {
		state, plan, err := planMapping(ctx, tx, one, at)
		if err != nil {
			return nil, err
		}
		if !plan.Differs() {
			saved.StoredMapping = stateMapping(state, one.Mappings[0].Mapping)
			return nil, nil
		}
		saved.StoredMapping = plan.Mappings[0]
		if plan.Guarded {
			asked := confirm.Asked{Version: saved.Name, Document: saved.Document, Reason: pg.CleanText(reason),
				Differences: plan.Changes[0].Fields, Stands: mappingStands(state, saved.Name)}
			return askPolicy(ctx, tx, confirm.Map, asked, by, at)
		}
		saved.Stored = true
		return nil, putMapping(ctx, tx, plan, made{actor: by, names: by, reason: pg.CleanText(reason)}, at)
	})
	return saved, err
}

// confirmMapping stores the mapping of a request that another person confirms.
func confirmMapping(ctx context.Context, tx pgx.Tx, two made, at time.Time) error {
	r := two.confirmed
	one, faults := folder.OneMapping("", []byte(r.Asked.Document))
	if len(faults) > 0 {
		return &MappingError{faults}
	}
	state, plan, err := planMapping(ctx, tx, one, at)
	if err != nil {
		return err
	}
	if err := r.Still(mappingStands(state, r.Subject)); err != nil {
		return err
	}
	if err := DecideChange(ctx, tx, r, confirm.Confirmed, two.by, "", at); err != nil {
		return err
	}
	return putMapping(ctx, tx, plan, two, at)
}

// planMapping compares a mapping with the stored rules.
func planMapping(
	ctx context.Context, tx pgx.Tx, one *folder.Folder, at time.Time,
) (*folder.State, *folder.Plan, error) {
	state := &folder.State{At: period.FromTime(at)}
	if err := ReadConfiguration(ctx, tx, state); err != nil {
		return nil, nil, err
	}
	plan, faults := folder.Compare(state, one)
	if len(faults) > 0 {
		return nil, nil, &MappingError{faults}
	}
	return state, plan, nil
}

// stateMapping is the stored version of a mapping.
func stateMapping(s *folder.State, m policy.Mapping) folder.StoredMapping {
	for _, o := range s.Mappings {
		if o.Name == m.Name && o.ValidFrom == m.ValidFrom {
			return o
		}
	}
	return folder.StoredMapping{Mapping: m}
}

// mappingStands lists the versions in force of the rules and of one mapping, with their digests.
func mappingStands(s *folder.State, name string) []string {
	var list []stored
	for _, p := range s.Policies {
		if !p.Withdrawn {
			list = append(list, stored{p.Version, p.Document})
		}
	}
	out := standing(list, false)
	for i := range s.Mappings {
		if m := &s.Mappings[i]; m.Name == name {
			out = append(out, strings.Join(strings.Fields(fmt.Sprintf("mapping %s %s %d %x", m.Name, m.Day(), m.Number,
				sha256.Sum256([]byte(m.Document)))), " "))
		}
	}
	return out
}

// putMapping stores the mapping of a plan and marks the days that it may affect.
func putMapping(ctx context.Context, tx pgx.Tx, plan *folder.Plan, by made, at time.Time) error {
	m := &plan.Mappings[0]
	if err := addMapping(ctx, tx, plan, m, by, at); err != nil {
		return err
	}
	return markPolicy(ctx, tx, m.ValidFrom)
}

// addMapping stores the next version of a mapping of a plan, without marks.
func addMapping(
	ctx context.Context, tx pgx.Tx, plan *folder.Plan, m *folder.StoredMapping, by made, at time.Time,
) error {
	_, err := pg.Exec(ctx, tx, "mapping.put", pg.Tenant, m.Name, sinceOrAlways(m.ValidFrom), m.Number, m.Document, m.Note,
		by.reason, at, by.names)
	if err != nil {
		return err
	}
	moves := move{since: m.ValidFrom}
	if change := plan.Of(folder.KindMapping, m.Name, m.Day()); change != nil {
		moves.differences = change.Fields
	}
	detail := moves.detail()
	detail["version"] = m.Number
	return auditDetail(ctx, tx, at, by.actor, string(confirm.Map), m.Name, by.detail(detail))
}
