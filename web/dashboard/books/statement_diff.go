package books

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var diffHeads = views.Heads("Owner: key.team", "Cause: key.cause")

// against reads what a statement is compared with: VERSION of the same period,
// PERIOD/VERSION of the same account or ACCOUNT/PERIOD/VERSION.
func against(text string, k statementKey) (statementKey, error) {
	parts := strings.Split(text, "/")
	n := len(parts)
	version, err := strconv.ParseInt(parts[n-1], 10, 32)
	if err != nil || version < 1 {
		return k, &metrics.OptionError{
			Option: "against", Value: text, Reason: "must be VERSION, PERIOD/VERSION or ACCOUNT/PERIOD/VERSION of a statement",
		}
	}
	k.Version = version
	if n > 1 {
		k.Month = parts[n-2]
	}
	if n > 2 {
		k.Account = strings.Join(parts[:n-2], "/")
	}
	return k, nil
}

// statementDiff shows the differences of two statements, by owner and cause.
func (d *room) statementDiff(ctx context.Context, w http.ResponseWriter, r *http.Request, x *sheet, shell views.Shell) {
	old, err := against(x.Scope.Against, x.head.statementKey)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	all := x.all
	var list []portion
	if old.Account != x.head.Account {
		all, err = readStatements(ctx, d.Reader, old.Account)
	}
	before, ok := findStatement(all, old.Month, strconv.FormatInt(old.Version, 10))
	if err == nil && !ok {
		d.Refused(w, r, &metrics.OptionError{Option: "against", Value: x.Scope.Against, Reason: "names no statement"})
		return
	}
	if err == nil {
		list, err = readPortions(ctx, d.Reader, before.statementKey, x.basis)
	}
	v := views.StatementDiff{
		Shell: shell, Back: views.Link{
			Text: "Statement " + x.head.name(x.head.statementKey), Href: x.Scope.With("against", ""),
		},
	}
	if err != nil {
		e := d.PanelError(x.Scope, err, "The difference")
		v.Error, v.Sentence = &e, "The two statements could not be compared."
		d.Render(w, r, http.StatusOK, views.StatementDiffPage(v))
		return
	}
	y := &sheet{Context: &page.Context{Scope: x.Scope}, head: before, all: all, basis: x.basis}
	y.Scope.Currency = x.Currency.Code()
	y.choose(list, nil)
	x.difference(&v, y)
	d.Render(w, r, http.StatusOK, views.StatementDiffPage(v))
}

// name is a short name for a statement next to another one; it includes the account only if
// the two differ in it.
func (s *statementRow) name(other statementKey) string {
	text := s.Month + " v" + strconv.FormatInt(s.Version, 10)
	if s.Account != other.Account {
		text = s.Account + " " + text
	}
	return text
}

// twofold holds the amounts of one row in two statements.
type twofold struct{ old, fresh money.Amount }

func (m twofold) by() money.Amount { return m.fresh.Sub(m.old) }

func (x *sheet) difference(v *views.StatementDiff, y *sheet) {
	type key struct {
		owner string
		cause ledger.Cause
	}
	whole, owners, lines := twofold{}, map[string]twofold{}, map[key]twofold{}
	take := func(list []portion, of func(*twofold) *money.Amount) {
		for i := range list {
			p := &list[i]
			k := key{p.owner(), p.Cause}
			o, l := owners[k.owner], lines[k]
			page.Add(of(&whole), p.Cost)
			page.Add(of(&o), p.Cost)
			page.Add(of(&l), p.Cost)
			owners[k.owner], lines[k] = o, l
		}
	}
	take(y.mine, func(m *twofold) *money.Amount { return &m.old })
	take(x.mine, func(m *twofold) *money.Amount { return &m.fresh })
	was, is := y.head.name(x.head.statementKey), x.head.name(y.head.statementKey)
	change := whole.by()
	v.Sentence = is + " charges the same as " + was + "."
	switch change.Sign() {
	case 1:
		v.Sentence = is + " charges " + x.Currency.Full(change) + " more than " + was + "."
	case -1:
		v.Sentence = is + " charges " + x.Currency.Full(change.Neg()) + " less than " + was + "."
	}
	v.Sub = "After sharing, with adjustments; " + strings.ToLower(page.BasisNames[x.basis][0]) + " cost. " + y.head.why()
	if x.Scope.Team != "" {
		v.Sub = page.TeamName(x.Scope.Team) + ". " + v.Sub
	}
	v.Facts = []views.Fact{{Name: was, Define: "statement_diff.old_effective_cost", Value: x.cost(whole.old).Figure,
		Note: "closed " + format.Day(y.head.Closed) + " by " + y.head.ClosedBy}, {Name: is,
		Define: "statement_diff.new_effective_cost", Value: x.cost(whole.fresh).Figure,
		Note: "closed " + format.Day(x.head.Closed) + " by " + x.head.ClosedBy}, {Name: "Difference",
		Define: "figure.difference", Value: x.change(change).Figure, Note: x.Currency.Code()}}
	cells := func(m twofold) []views.Cell { return []views.Cell{x.cost(m.old), x.cost(m.fresh), x.change(m.by())} }
	versions := views.Heads("#: statement_diff.old_effective_cost wide-only",
		"#: statement_diff.new_effective_cost wide-only", "#Difference: statement_diff.difference_effective_cost")
	versions[0].Text, versions[1].Text = was, is
	byOwner := views.Table{Caption: "Difference by owner", Heads: slices.Concat(diffHeads[:1], versions),
		Total: append([]views.Cell{views.Text("All owners")}, cells(whole)...)}
	for _, k := range order(owners, strings.Compare) {
		byOwner.Rows = append(byOwner.Rows, views.Row{
			Cells: append([]views.Cell{{Figure: views.Figure{Text: k}, Name: true}}, cells(owners[k])...),
		})
	}
	byLine := views.Table{Caption: "Difference by owner and cause", Heads: slices.Concat(diffHeads, versions),
		Total: append([]views.Cell{views.Text("All owners and causes"), {}}, cells(whole)...)}
	rest, alike := twofold{}, 0 // unchanged rows, combined in one
	for _, k := range order(lines, func(a, b key) int {
		return cmp.Or(strings.Compare(a.owner, b.owner), cmp.Compare(a.cause.Order(), b.cause.Order()),
			cmp.Compare(a.cause, b.cause))
	}) {
		m := lines[k]
		if m.by().IsZero() {
			alike++
			page.Add(&rest.old, m.old)
			page.Add(&rest.fresh, m.fresh)
			continue
		}
		byLine.Rows = append(byLine.Rows, views.Row{
			Cells: append([]views.Cell{{Figure: views.Figure{Text: k.owner}, Name: true},
				{Figure: views.Figure{Text: page.CauseLabel(k.cause)}, Cause: string(k.cause)}}, cells(m)...),
		})
	}
	if alike > 0 {
		byLine.Rows = append(byLine.Rows, views.Row{
			Others: true, Cells: append([]views.Cell{views.Text(format.Plural(alike, "other", "others") + " alike"), {}},
				cells(rest)...),
		})
	}
	v.Owners = views.TablePanel{Title: "By owner", Note: "after sharing, largest difference first", Table: byOwner}
	v.Lines = views.TablePanel{Title: "By owner and cause", Note: "lines that changed", Table: byLine}
}

// why gives the reason for which a statement was reopened.
func (s *statementRow) why() string {
	if s.Reopened == 0 {
		return ""
	}
	return "Version " + strconv.FormatInt(s.Version, 10) + " was reopened by " + s.ReopenedBy + ": " + s.Reason
}

// order sorts keys by the size of their difference, largest first.
func order[K comparable](m map[K]twofold, alike func(a, b K) int) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b K) int {
		if c := absolute(m[b].by()).Cmp(absolute(m[a].by())); c != 0 {
			return c
		}
		return alike(a, b)
	})
	return keys
}

// change prints a difference with its sign.
func (x *sheet) change(a money.Amount) views.Cell {
	if a.IsZero() {
		return views.Cell{Figure: views.Figure{Text: "0.00", Title: "exactly zero", Copy: "0", Zero: true}}
	}
	text := x.Currency.Full(a)
	if a.Sign() > 0 {
		text = "+" + text
	}
	return views.Cell{Figure: views.Figure{Text: text, Title: x.Currency.Exact(a), Copy: a.String()}}
}
