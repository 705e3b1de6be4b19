package paper

import (
	_ "embed" // the fonts
	"io"

	"codeberg.org/go-pdf/fpdf"

	"gpuledger/metrics/statement"
)

//go:embed fonts/Inter-Regular.ttf
var regular []byte

//go:embed fonts/Inter-SemiBold.ttf
var semiBold []byte

// Write writes a statement in a format.
func Write(w io.Writer, s *statement.Statement, f statement.Format, forExcel bool) error {
	switch f {
	case statement.CSV:
		return s.WriteCSV(w, forExcel)
	case statement.PDF:
		x, err := Lay(s)
		if err != nil {
			return err
		}
		return x.WritePDF(w)
	}
	return s.WriteJSON(w)
}

// WritePDF draws the sheet as PDF: A4, as many pages as it takes.
func (x *Sheet) WritePDF(w io.Writer) error {
	count := x.draw(0, true) // the first drawing counts the pages, which each foot names
	return x.draw(count.pdf.PageNo(), true).pdf.Output(w)
}

// Lengths in millimetres.
const (
	margin = 18.0
	width  = 210 - 2*margin
	bottom = 297 - 22.0 // of the text; the foot is below
	line   = 4.6
)

// brush draws a sheet.
type brush struct {
	pdf   *fpdf.Fpdf
	sheet *Sheet
	pages int
}

// draw draws the sheet with a known number of pages.
func (x *Sheet) draw(pages int, compressed bool) *brush {
	d := &brush{pdf: fpdf.New("P", "mm", "A4", ""), sheet: x, pages: pages}
	d.pdf.SetCompression(compressed)
	d.pdf.SetCatalogSort(true)
	d.pdf.SetCreationDate(x.made.Time())
	d.pdf.SetModificationDate(x.made.Time())
	d.pdf.SetProducer("gpuledger", true)
	d.pdf.SetTitle(printable(x.Title), true)
	d.pdf.SetSubject(printable(x.Number), true)
	d.pdf.SetLang("en")
	d.pdf.AddUTF8FontFromBytes("inter", "", regular)
	d.pdf.AddUTF8FontFromBytes("inter", "B", semiBold)
	d.pdf.SetMargins(margin, margin, margin)
	d.pdf.SetAutoPageBreak(false, 0)
	d.pdf.SetFooterFunc(d.foot)
	d.pdf.AddPage()
	d.head()
	for i := range x.Blocks {
		d.block(&x.Blocks[i])
	}
	d.notes()
	d.pdf.Close() // draws the foot of the last page
	return d
}
