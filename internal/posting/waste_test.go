package posting_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/test/truth"
)

// foundWaste is a finding as stored in the database.
type foundWaste struct {
	kind, subject string
	from, to, met int64
	risk          bool
	cost          map[string]*big.Rat
}

// findings reads all findings with their costs.
func (w *world) findings() (list []foundWaste) {
	w.t.Helper()
	conn, err := pgx.Connect(w.t.Context(), w.dsn)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = conn.Close(w.t.Context()) }()
	rows, err := conn.Query(w.t.Context(), `select f.kind, f.subject, extract(epoch from f.from_at)::bigint,
		extract(epoch from f.to_at)::bigint, f.risk, f.met_seconds,
		coalesce((select string_agg(c.currency || ' ' || c.effective_cost, ',') from finding_costs c
		  where c.tenant_id = f.tenant_id and c.finding_id = f.finding_id), '')
		from findings f order by 1, 2, 3`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		f := foundWaste{cost: map[string]*big.Rat{}}
		var costs string
		if err := rows.Scan(&f.kind, &f.subject, &f.from, &f.to, &f.risk, &f.met, &costs); err != nil {
			w.t.Fatal(err)
		}
		for c := range strings.SplitSeq(costs, ",") {
			if currency, amount, ok := strings.Cut(c, " "); ok {
				f.cost[currency], _ = new(big.Rat).SetString(amount)
			}
		}
		list = append(list, f)
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return list
}

// score compares the findings of a kind with the truth.
type score struct{ found, right, true, hit, dear int }

// and adds the findings of another fleet.
func (s score) and(o score) score {
	return score{s.found + o.found, s.right + o.right, s.true + o.true, s.hit + o.hit, s.dear + o.dear}
}

func (s score) String() string {
	return fmt.Sprintf("true %d, of them found %d; found %d, of them right %d; money off %d", s.true, s.hit, s.found,
		s.right, s.dear)
}

// matches: the same kind and subject, and at least half of the shorter one overlaps.
func matches(f *foundWaste, t *truth.Finding) bool {
	if f.kind != t.Kind || f.subject != t.Subject {
		return false
	}
	both := min(f.to, t.To) - max(f.from, t.From)
	return 2*both >= min(f.to-f.from, t.To-t.From)
}

// scores compares findings with the truth, kind by kind.
func (w *world) scores(found []foundWaste, oracle []truth.Finding) map[string]score {
	out := map[string]score{}
	for i := range oracle {
		s := out[oracle[i].Kind]
		s.true++
		at := slices.IndexFunc(found, func(f foundWaste) bool { return matches(&f, &oracle[i]) })
		if at < 0 {
			w.t.Logf("missed: %s %s %s–%s", oracle[i].Kind, oracle[i].Subject, clock(oracle[i].From), clock(oracle[i].To))
		} else {
			s.hit++
			if f := &found[at]; f.from == oracle[i].From && f.to == oracle[i].To && !nearly(f.cost, oracle[i].Cost) {
				s.dear++
				w.t.Logf("money: %s %s %s: %s, truth %s", f.kind, f.subject, clock(f.from), costText(f.cost),
					costText(oracle[i].Cost))
			}
		}
		if at >= 0 && found[at].from == oracle[i].From && found[at].to == oracle[i].To && found[at].met != oracle[i].Met {
			w.t.Errorf("%s %s %s: %d s met it, truth %d", oracle[i].Kind, oracle[i].Subject, clock(oracle[i].From),
				found[at].met, oracle[i].Met)
		}
		out[oracle[i].Kind] = s
	}
	for i := range found {
		if f := &found[i]; f.met <= 0 || f.met > f.to-f.from {
			w.t.Errorf("%s %s %s–%s: %d s met it", f.kind, f.subject, clock(f.from), clock(f.to), f.met)
		}
		s := out[found[i].kind]
		s.found++
		if slices.ContainsFunc(oracle, func(t truth.Finding) bool { return matches(&found[i], &t) }) {
			s.right++
		} else {
			w.t.Logf("invented: %s %s %s–%s", found[i].kind, found[i].subject, clock(found[i].from), clock(found[i].to))
		}
		out[found[i].kind] = s
	}
	return out
}

func clock(at int64) string {
	return strconv.FormatInt(at/86400%100, 10) + "d" + fmt.Sprintf("%02d:%02d:%02d", at/3600%24, at/60%60, at%60)
}

func costText(c map[string]*big.Rat) string {
	var list []string
	for _, currency := range slices.Sorted(maps.Keys(c)) {
		list = append(list, c[currency].FloatString(12)+" "+currency)
	}
	return strings.Join(list, ", ")
}

// nearly: within one unit of 1e-12 per usage row and rounding step, of which there are fewer than a million.
func nearly(a, b map[string]*big.Rat) bool {
	for _, m := range []map[string]*big.Rat{a, b} {
		for currency := range m {
			x, y := a[currency], b[currency]
			if x == nil {
				x = new(big.Rat)
			}
			if y == nil {
				y = new(big.Rat)
			}
			if d := new(big.Rat).Sub(x, y); d.Abs(d).Cmp(big.NewRat(1, 1_000_000)) > 0 {
				return false
			}
		}
	}
	return true
}

// unmoved computes the days of usage again, one at a time: nothing changes.
func unmoved(t *testing.T, w *world) {
	const text = `select concat_ws('|', f.*),
		(select string_agg(concat_ws(' ', c.*), ',' order by c.currency) from finding_costs c
		  where c.finding_id = f.finding_id) from findings f order by 1`
	before := w.rows(text)
	for _, day := range w.rows("select distinct to_char(day, 'YYYY-MM-DD') from chunks where usage_rows > 0 order by 1") {
		w.change("insert into stale_days (tenant_id, day, what) values (1, '" + strings.Trim(day, "()\"") +
			" 00:00Z', 'ledger')")
		w.analyse()
	}
	equal(t, "findings", before, w.rows(text))
}

// enough checks the findings of all fleets together (docs/figures.md, section 18): both sides follow the same rules,
// so neither has a finding that the other lacks.
func enough(t *testing.T, all map[string]score) {
	t.Helper()
	var sum score
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		s := all[kind]
		t.Logf("%-28s %s", kind, s)
		sum = sum.and(s)
	}
	t.Logf("together: %s", sum)
	if sum.true == 0 || sum.hit != sum.true {
		t.Errorf("recall %d of %d", sum.hit, sum.true)
	}
	if sum.right != sum.found {
		t.Errorf("precision %d of %d", sum.right, sum.found)
	}
	if sum.dear > 0 {
		t.Errorf("money of %d findings is not the truth's", sum.dear)
	}
}
