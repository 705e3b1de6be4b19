package paper

import (
	"codeberg.org/go-pdf/fpdf"

	"gpuledger/internal/ledger"
	"gpuledger/web/assets"
)

// strip draws cost by cause as a bar of the whole room, with small gaps. Credits cannot be drawn as a part of a whole;
// the table has them.
func (d *brush) strip(s *Strip, x, y, room, height float64) {
	parts := map[ledger.Cause]float64{} // lengths, not amounts
	var whole float64
	for cause, a := range s.Parts {
		if a.Sign() > 0 {
			parts[cause], _ = a.Rat().Float64()
			whole += parts[cause]
		}
	}
	if whole == 0 {
		return
	}
	const gap, least = 0.5, 0.3
	room -= (gap+least)*float64(len(parts)) - gap
	for _, cause := range causesOf(parts) {
		w := least + room*parts[cause]/whole
		d.swatch(cause, x, y, w, height)
		x += w + gap
	}
}

// swatch draws a box in the colour and texture of a cause.
func (d *brush) swatch(cause ledger.Cause, x, y, w, h float64) {
	t := look(cause)
	d.fill(colour(t.LightFill))
	d.pdf.Rect(x, y, w, h, "F")
	d.pdf.ClipRect(x, y, w, h, false)
	d.stroke(ink{255, 255, 255})
	d.fill(ink{255, 255, 255})
	d.pdf.SetLineWidth(0.25)
	switch t.Texture {
	case assets.HatchUp, assets.HatchDown:
		for at := x - h; at < x+w+h; at += 1.2 {
			from, to := y+h, y
			if t.Texture == assets.HatchDown {
				from, to = y, y+h
			}
			d.pdf.Line(at, from, at+h, to)
		}
	case assets.Lines:
		for at := y + 0.6; at < y+h; at += 0.8 {
			d.pdf.Line(x, at, x+w, at)
		}
	case assets.Pinstripes:
		for at := x + 0.6; at < x+w; at += 1 {
			d.pdf.Line(at, y, at, y+h)
		}
	case assets.Dots:
		for at := x + 0.6; at < x+w; at += 1.2 {
			for down := y + 0.6; down < y+h; down += 1.2 {
				d.pdf.Circle(at, down, 0.22, "F")
			}
		}
	}
	d.pdf.ClipEnd()
	if t.Outlined {
		d.stroke(colour(t.LightInk))
		d.pdf.SetLineWidth(0.2)
		d.pdf.Polygon([]fpdf.PointType{
			{X: x + 0.1, Y: y + 0.1}, {X: x + w - 0.1, Y: y + 0.1},
			{X: x + w - 0.1, Y: y + h - 0.1}, {X: x + 0.1, Y: y + h - 0.1},
		}, "D")
	}
}
