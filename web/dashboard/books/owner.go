package books

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics/statement"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/paper"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var laterHeads = views.Heads("Billed in: key.billing_period", "#Correction: periods.adjustments_effective_cost",
	"%Of the amount charged: figure.share")

// ownerStatement shows the statement of an owner.
func (d *room) ownerStatement(ctx context.Context, w http.ResponseWriter, r *http.Request, s page.Scope) {
	q, err := statement.Parse(s.Pick.Owner, s.BillingPeriod, r.URL.Query().Get("sharing"))
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	one, err := statement.Build(ctx, d.Reader, q)
	if _, nothing := errors.AsType[*statement.NothingError](err); nothing {
		d.noStatement(w, r, s)
		return
	}
	var laid *paper.Sheet
	if err == nil {
		laid, err = paper.Lay(one)
	}
	if err != nil {
		d.Broken(w, r, s, "chargeback", err)
		return
	}
	v := ownerDocument(s, q, laid)
	v.Shell = d.Shell(r, s, "chargeback", laid.Title)
	v.Shell.Bar = views.Bar{Menus: []views.Menu{sharingOf(s, q)}}
	if one.State != statement.Open {
		v.Versions = d.corrections(ctx, s, q, one)
	}
	d.Render(w, r, http.StatusOK, views.StatementPage(v))
}

// ownerDocument shows a laid out statement.
func ownerDocument(s page.Scope, q statement.Question, x *paper.Sheet) views.Statement {
	v := views.Statement{
		Back:   views.Link{Text: "Chargeback", Href: s.Carried("/chargeback")},
		Number: x.Number, Title: x.Title, Sub: x.Sub, Notes: x.Notes, Digest: x.Digest,
		Foot: []string{"SHA-256 of the statement as JSON:"},
	}
	for _, a := range x.Amounts {
		h := views.Headline{Name: "Amount charged, " + a.Currency.Code(),
			Figure: page.Figure(a.Currency, &a.Total, a.Currency.Full, "effective cost")}
		state := ledger.Open
		if x.Final {
			state, h.Rule = ledger.Final, page.Rule(ledger.Final)
		}
		tag := page.StateTag(state)
		h.Tag = &tag
		v.Amounts = append(v.Amounts, h)
	}
	for _, f := range x.Facts {
		v.Facts = append(v.Facts, views.StatementFact{Word: f.Word, Text: f.Text, Tone: f.Tone})
	}
	for i := range x.Blocks {
		v.Sections = append(v.Sections, sectionOf(&x.Blocks[i]))
	}
	for _, f := range []statement.Format{statement.PDF, statement.CSV, statement.JSON} {
		address := url.Values{"owner": {q.Owner()}, "billing_period": {string(q.Month)}, "format": {string(f)}}
		if f == statement.CSV {
			address.Set("for_excel", "true")
		}
		if s := q.Sharing; s == "" {
			address.Set("sharing", "before")
		}
		v.Files = append(v.Files, views.Link{
			Text: strings.ToUpper(string(f)), Href: "/api/v1/statement?" + address.Encode(),
		})
	}
	return v
}

// sectionOf shows a block of the sheet.
func sectionOf(b *paper.Block) views.StatementSection {
	x := views.StatementSection{Title: b.Title, Table: views.Table{Caption: b.Title}}
	if b.Strip != nil {
		strip := page.CauseStrip(b.Strip.Currency, "head", b.Strip.Parts, nil)
		x.Strip = &strip
	}
	var heads []string
	for _, c := range b.Columns {
		head := c.Head + ": " + c.Define
		switch {
		case c.Define == "figure.share":
			head = "%" + head
		case c.Number:
			head = "#" + head
		}
		if c.Extra {
			head += " wide-only"
		}
		heads = append(heads, head)
	}
	x.Table.Heads = views.Heads(heads...)
	for _, r := range b.Rows {
		cells := make([]views.Cell, len(r.Cells))
		for i, c := range r.Cells {
			cells[i] = cellOf(c)
		}
		if r.Total {
			x.Table.Totals = append(x.Table.Totals, cells) // the notes say that rows are rounded
		} else {
			x.Table.Rows = append(x.Table.Rows, views.Row{Cells: cells})
		}
	}
	return x
}

func cellOf(c paper.Cell) views.Cell {
	switch {
	case c.Strip != nil:
		strip := page.CauseStrip(c.Strip.Currency, "row", c.Strip.Parts, nil)
		return views.Cell{Strip: &strip}
	case c.Money != nil:
		f := page.Figure(c.Currency, c.Money, c.Currency.Full, "effective cost")
		f.Text = c.Text
		return views.Cell{Figure: f}
	}
	return views.Cell{Figure: views.Figure{Text: c.Text}, Cause: string(c.Cause), Name: c.Cause == "" && c.Text != ""}
}

// sharingOf offers the statement before and after sharing.
func sharingOf(s page.Scope, q statement.Question) views.Menu {
	m := views.Menu{Label: "Sharing", Value: "after sharing", Items: []views.MenuItem{
		{Text: "After sharing", Note: "with the shared cost that the policy passes on", Href: s.With("sharing", ""),
			Current: q.Sharing != ""},
		{Text: "Before sharing", Note: "the owner's own cost", Href: s.With("sharing", "before"), Current: q.Sharing == ""},
	}}
	if q.Sharing == "" {
		m.Value = "before sharing"
	}
	return m
}

// corrections lists what later months adjust of a closed one. It is not part of the statement, which never changes.
func (d *room) corrections(
	ctx context.Context, s page.Scope, q statement.Question, one *statement.Statement,
) views.TablePanel {
	p := views.TablePanel{Title: "Corrected since", Note: "later months carry it; the statement stays",
		None:  "No later bill has corrected this month.",
		Table: views.Table{Caption: "Later corrections", Heads: laterHeads}}
	list, err := statement.Later(ctx, d.Reader, q)
	if err != nil {
		e := d.PanelError(s, err, "The corrections")
		p.None = e.What
	}
	for _, c := range list {
		currency := format.Currency(c.Currency)
		share := format.NA
		for i := range one.Statements {
			if total := one.Statements[i].Total; one.Statements[i].Currency == c.Currency && !total.IsZero() {
				share = format.Share(c.Amount, total)
			}
		}
		p.Table.Rows = append(p.Table.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: page.MonthName(string(c.Month))},
				Href: s.With("billing_period", string(c.Month), "sharing", "")},
			{Figure: page.Figure(currency, &c.Amount, currency.Full, "effective cost")}, views.Text(share),
		}})
	}
	return p
}

// OwnerPath is the address of the statement of an owner.
func OwnerPath(s page.Scope, key, value, month string) string {
	if value == "" {
		value = statement.Unowned
	}
	return s.Carried("/statement", "owner", key+"="+value, "billing_period", month, "from", "", "to", "")
}
