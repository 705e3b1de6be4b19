package paper

import (
	"strconv"

	"gpuledger/internal/ledger"
)

// rest is the room above the foot.
func (d *brush) rest() float64 { return bottom - d.pdf.GetY() }

// head draws the top of the first page.
func (d *brush) head() {
	y := margin
	for i, cause := range []ledger.Cause{ledger.Used, ledger.HeldIdle, ledger.Lost} { // the mark
		box := [][2]float64{{0, 2.9}, {3.3, 1.4}, {5.1, 0.8}}[i]
		d.fill(colour(look(cause).LightFill))
		d.pdf.RoundedRect(margin+box[0], y-3, box[1], 2.6, 0.4, "1234", "F")
	}
	d.stroke(text)
	d.pdf.SetLineWidth(0.2)
	d.pdf.Line(margin, y+0.4, margin+6, y+0.4)
	d.pdf.Line(margin, y+0.9, margin+6, y+0.9)
	d.font(11, true, text)
	d.pdf.Text(margin+8.4, y, "gpuledger")
	d.font(8, false, text3)
	d.put(d.cut("Statement "+d.sheet.Number, width-45), margin, y, width, true)
	d.pdf.Line(margin, y+5, margin+width, y+5)
	y += 15
	left := width - 54
	d.font(15, true, text)
	for _, l := range d.wrap(d.sheet.Title, left) {
		d.pdf.Text(margin, y, l)
		y += 6.6
	}
	d.font(8.5, false, text2)
	for _, l := range d.wrap(d.sheet.Sub, left) {
		d.pdf.Text(margin, y-0.6, l)
		y += 4.4
	}
	d.pdf.SetY(max(y, d.amounts(margin+13)))
	d.facts()
}

// amounts draws the total of each currency at the right.
func (d *brush) amounts(y float64) float64 {
	for _, a := range d.sheet.Amounts {
		d.font(8, false, text3)
		d.put("Amount charged, "+a.Currency.Code(), margin, y, width, true)
		d.font(17, true, text)
		y += 7.2
		total := a.Currency.Full(a.Total)
		d.put(total, margin, y, width, true)
		if d.sheet.Final {
			d.double(margin+width-d.pdf.GetStringWidth(total), y+1.6, d.pdf.GetStringWidth(total))
		}
		y += 8
	}
	return y
}

// double draws the double rule below a final amount.
func (d *brush) double(x, y, w float64) {
	d.stroke(text)
	d.pdf.SetLineWidth(0.2)
	d.pdf.Line(x, y, x+w, y)
	d.pdf.Line(x, y+0.7, x+w, y+0.7)
}

// facts draws the grey box below the title.
func (d *brush) facts() {
	type place struct{ x, y float64 }
	const pad, gap = 3.0, 7.0
	var places []place
	at := place{margin + pad, d.pdf.GetY() + 6.2}
	for _, f := range d.sheet.Facts {
		d.font(8, true, text)
		long := d.pdf.GetStringWidth(f.Word + " " + f.Text)
		if at.x+long > margin+width-pad {
			at = place{margin + pad, at.y + line}
		}
		places = append(places, at)
		at.x += long + gap
	}
	top := d.pdf.GetY() + 1
	d.fill(sunk)
	d.pdf.RoundedRect(margin, top, width, at.y+3.2-top, 1.2, "1234", "F")
	for i, f := range d.sheet.Facts {
		d.font(8, true, tones[f.Tone])
		d.pdf.Text(places[i].x, places[i].y, f.Word)
		x := places[i].x + d.pdf.GetStringWidth(f.Word+" ")
		d.font(8, false, text2)
		d.pdf.Text(x, places[i].y, f.Text)
	}
	d.pdf.SetY(at.y + 4.8)
}

// block draws a title and its table. A title is never left alone at the end of a page, and short tables are not split.
func (d *brush) block(b *Block) {
	const short = 48.0 // a table up to this height is kept on one page
	if high := 24 + 6*float64(len(b.Rows)); d.rest() < 30 || d.rest() < high && high < short {
		d.pdf.AddPage()
	}
	y := d.pdf.GetY() + 9
	d.font(9.5, true, text)
	for _, l := range d.wrap(b.Title, width) {
		d.pdf.Text(margin, y, l)
		y += line
	}
	if b.Strip != nil {
		d.strip(b.Strip, margin, y-1.6, width, 3.2)
		y += 4.4
	}
	d.pdf.SetY(y - 3)
	d.table(b)
}

// table draws the rows, with the heads again on each page.
func (d *brush) table(b *Block) {
	const gap = 4.0
	widths, weight := make([]float64, len(b.Columns)), 0
	for _, c := range b.Columns {
		weight += c.Weight
	}
	for i, c := range b.Columns {
		widths[i] = (width - gap*float64(len(b.Columns)-1)) * float64(c.Weight) / float64(weight)
	}
	heads := func() {
		y := d.pdf.GetY() + 5
		d.font(8, true, text3)
		x := margin
		for i, c := range b.Columns {
			d.put(d.cut(c.Head, widths[i]), x, y, widths[i], c.Number)
			x += widths[i] + gap
		}
		d.ruled(y+1.8, rule)
		d.pdf.SetY(y + 1.8)
	}
	heads()
	for _, r := range b.Rows {
		lines, most := make([][]string, len(r.Cells)), 1
		for i, c := range r.Cells {
			d.cellFont(b, r, i)
			room := widths[i]
			if c.Cause != "" {
				room -= 4.2
			}
			lines[i] = d.wrap(c.Text, room)
			most = max(most, len(lines[i]))
		}
		height := float64(most-1)*3.8 + 6
		if d.rest() < height {
			d.pdf.AddPage()
			heads()
		}
		d.row(b, r, lines, widths, gap)
		d.pdf.SetY(d.pdf.GetY() + height)
		if r.Total {
			d.double(margin, d.pdf.GetY(), width)
			d.pdf.SetY(d.pdf.GetY() + 1)
		} else {
			d.ruled(d.pdf.GetY(), rule)
		}
	}
}

// row draws the cells of a row.
func (d *brush) row(b *Block, r Row, lines [][]string, widths []float64, gap float64) {
	x, y := margin, d.pdf.GetY()+4.1
	for i, c := range r.Cells {
		at := x
		if c.Cause != "" {
			d.swatch(c.Cause, x, y-2.4, 2.6, 2.6)
			at += 4.2
		}
		if c.Strip != nil {
			d.strip(c.Strip, x, y-2.1, widths[i], 2.2)
		}
		d.cellFont(b, r, i)
		for n, l := range lines[i] {
			d.put(l, at, y+3.8*float64(n), widths[i], b.Columns[i].Number)
		}
		x += widths[i] + gap
	}
}

// cellFont is the font of a cell: totals are bold, explanations grey.
func (d *brush) cellFont(b *Block, r Row, i int) {
	c := text
	if i > 0 && !b.Columns[i].Number {
		c = text2
	}
	d.font(8.5, r.Total, c)
}

// ruled draws a hairline over the whole width.
func (d *brush) ruled(y float64, c ink) {
	d.stroke(c)
	d.pdf.SetLineWidth(0.15)
	d.pdf.Line(margin, y, margin+width, y)
}

// notes draws what a reader has to know.
func (d *brush) notes() {
	if len(d.sheet.Notes) == 0 {
		return
	}
	if d.rest() < 26 {
		d.pdf.AddPage()
	}
	y := d.pdf.GetY() + 9
	d.font(9.5, true, text)
	d.pdf.Text(margin, y, "Notes")
	d.font(8.5, false, text2)
	for _, n := range d.sheet.Notes {
		for _, l := range d.wrap(n, width) {
			if y+line > bottom {
				d.pdf.AddPage()
				y = margin
				d.font(8.5, false, text2)
			}
			y += line
			d.pdf.Text(margin, y, l)
		}
	}
	d.pdf.SetY(y)
}

// foot draws the end of each page.
func (d *brush) foot() {
	d.ruled(297-17, rule)
	d.font(7, false, text3)
	state := "Not final"
	if d.sheet.Final {
		state = "Final"
	}
	d.pdf.Text(margin, 297-12.6, d.cut(state+". Statement "+d.sheet.Number, 60))
	d.put("Page "+strconv.Itoa(d.pdf.PageNo())+" of "+strconv.Itoa(d.pages), margin, 297-12.6, width, true)
	d.pdf.Text(margin, 297-9, "sha256 of the JSON: "+d.sheet.Digest)
}
