package book

import (
	"fmt"
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/internal/period"
)

// move is a policy change: the versions in force from its day on, before and after.
type move struct {
	from, to    string        // versions
	since       period.Second // 0: always
	differences []policy.Difference
}

// stores is the move of storing a version. Exchange rates alone replace no version of the rules.
func stores(v stored, book policy.Book, list []stored) (m move, err error) {
	m = move{to: v.Settings.Version, since: v.ValidFrom}
	if !v.OnlyRates {
		m.from = book.At(v.ValidFrom).Settings.Version
		if m.differences, err = policy.Differences([]byte(documentOf(list, m.from)), []byte(v.document)); err != nil {
			return m, err
		}
		if err := clashes(v, book, list); err != nil {
			return m, err
		}
	}
	m.differences = append(m.differences, policy.RateDifferences(v.Version, without(list, m.to))...)
	return m, nil
}

// clashes refuses a version whose mapped values contradict those of a stored mapping, as a folder of files does.
func clashes(v stored, book policy.Book, list []stored) error {
	next, err := policy.NewBook(append(without(list, v.Settings.Version), v.Version)...)
	if err != nil {
		return err
	}
	for _, clash := range next.WithMappings(book.Mappings()...).Clashes() {
		for _, side := range []policy.Side{clash.Side, clash.Other} {
			if side.Mapping == "" && side.Version == v.Settings.Version {
				line := policy.ValueLine([]byte(v.document), side.Rule)
				return &PolicyError{fmt.Sprintf("line %d: %s", line, side.What)}
			}
		}
	}
	return nil
}

// withdraws is the move of withdrawing a version.
func withdraws(v stored, list []stored) (m move, err error) {
	m = move{from: v.Settings.Version, since: v.ValidFrom}
	others := without(list, m.from)
	if !v.OnlyRates {
		book, err := policy.NewBook(others...)
		if err != nil {
			return m, err
		}
		m.to = book.At(v.ValidFrom).Settings.Version
		if m.differences, err = policy.Differences([]byte(v.document), []byte(documentOf(list, m.to))); err != nil {
			return m, err
		}
	}
	for _, d := range policy.RateDifferences(v.Version, others) {
		m.differences = append(m.differences, policy.Difference{Name: d.Name, From: d.To, To: d.From})
	}
	return m, nil
}

// without are all versions but one.
func without(list []stored, version string) (others []policy.Version) {
	for _, v := range list {
		if v.Settings.Version != version {
			others = append(others, v.Version)
		}
	}
	return others
}

// detail is the audit log's detail of a move: each difference with old and new value.
func (m move) detail() map[string]any {
	from, to := map[string]string{}, map[string]string{}
	for _, d := range m.differences {
		from[d.Name], to[d.Name] = d.From, d.To
	}
	if m.from != "" {
		from["version"] = m.from
	}
	if m.to != "" {
		to["version"] = m.to
	}
	detail := map[string]any{"from": from, "to": to}
	if m.since != 0 {
		detail["valid_from"] = m.since.Time().Format("2006-01-02")
	}
	return detail
}

// documentOf is the document of a version in force; empty if there is none, or for the standard policy.
func documentOf(list []stored, version string) string {
	i := slices.IndexFunc(list, func(v stored) bool { return v.Settings.Version == version })
	if i < 0 {
		return ""
	}
	return list[i].document
}
