package export

import (
	"archive/zip"
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gpuledger/metrics"
)

const (
	sheetRows = 1 << 20 // that Excel has, with the header
	sheetCols = 1 << 14 // as many
	cellChars = 32_767  // characters of a cell
	xmlHead   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	xmlMain   = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	xmlRels   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	xmlParts  = "http://schemas.openxmlformats.org/package/2006/"
	mediaPart = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// Styles of cells, by their place in xlsxStyles.
const (
	styleText   = iota
	styleQuoted // a text that stays text when somebody edits the cell
	styleHead
	styleTime
)

const xlsxStyles = xmlHead + `<styleSheet xmlns="` + xmlMain + `">` +
	`<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/></numFmts>` +
	`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
	`<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill>` +
	`<fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="4">` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/>` +
	`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`</cellXfs></styleSheet>`

// workbook is an Office Open XML workbook (ECMA-376) as it is written: sheet after sheet, each row once.
type workbook struct {
	zip    *zip.Writer
	sheets []string // their names
	part   *bufio.Writer
	rows   int // of the open sheet
}

// writeXLSX writes the answer as a workbook: its rows, on as many sheets as they need, and a sheet that describes the
// columns. Numbers have all their digits in the file; a spreadsheet shows and adds up the first 15.
func writeXLSX(w *bufio.Writer, rows metrics.Rows, name string) error {
	cols := rows.Columns()
	if len(cols) > sheetCols {
		return fmt.Errorf("a sheet has at most %d columns: use parquet, or choose columns", sheetCols)
	}
	b := &workbook{zip: zip.NewWriter(w)}
	for rows.Next() {
		if b.rows == 0 || b.rows == sheetRows {
			if err := b.answerSheet(name, cols); err != nil {
				return err
			}
		}
		b.row()
		for i, v := range rows.Values() {
			if err := b.cell(i, v, cols[i].Kind); err != nil {
				return fmt.Errorf("column %s: %w", cols[i].Name, err)
			}
		}
		if _, err := b.part.WriteString("</row>\n"); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err // without the list of its parts the file is recognisably incomplete
	}
	if len(b.sheets) == 0 {
		if err := b.answerSheet(name, cols); err != nil {
			return err
		}
	}
	if err := b.columnSheet(cols); err != nil {
		return err
	}
	return b.close()
}

// answerSheet begins the next sheet of the answer, with its header.
func (b *workbook) answerSheet(name string, cols []metrics.Column) error {
	if n := len(b.sheets); n > 0 {
		name += " " + strconv.Itoa(n+1)
	}
	widths := make([]int, len(cols))
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i], widths[i] = c.Name, max(12, utf8.RuneCountInString(c.Name)+2)
		switch c.Kind {
		case metrics.Time:
			widths[i] = max(20, widths[i])
		case metrics.Text:
			widths[i] = max(24, widths[i])
		}
	}
	return b.sheet(name, names, widths)
}

// columnSheet says what the columns are.
func (b *workbook) columnSheet(cols []metrics.Column) error {
	if err := b.sheet("columns", []string{"column", "unit", "description", "formula"}, []int{28, 16, 80, 60}); err != nil {
		return err
	}
	for _, c := range cols {
		b.row()
		for i, s := range []string{c.Name, c.Unit, c.Doc, c.Formula.String()} {
			if err := b.text(i, s, styleText); err != nil {
				return err
			}
		}
		b.part.WriteString("</row>\n")
	}
	return nil
}

// sheet ends the open sheet and begins the next.
func (b *workbook) sheet(name string, head []string, widths []int) error {
	if err := b.endSheet(); err != nil {
		return err
	}
	b.sheets = append(b.sheets, name)
	part, err := b.zip.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(b.sheets)))
	if err != nil {
		return err
	}
	b.part, b.rows = bufio.NewWriterSize(part, 64<<10), 0
	fmt.Fprint(b.part, xmlHead, `<worksheet xmlns="`, xmlMain, `"><sheetViews><sheetView workbookViewId="0">`,
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	for i, w := range widths {
		fmt.Fprintf(b.part, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, w)
	}
	b.part.WriteString("</cols><sheetData>\n")
	b.row()
	for i, s := range head {
		if err := b.text(i, s, styleHead); err != nil {
			return err
		}
	}
	_, err = b.part.WriteString("</row>\n")
	return err
}

func (b *workbook) endSheet() error {
	if b.part == nil {
		return nil
	}
	b.part.WriteString("</sheetData></worksheet>\n")
	return b.part.Flush()
}

func (b *workbook) row() {
	b.rows++
	b.part.WriteString(`<row r="`)
	b.part.WriteString(strconv.Itoa(b.rows))
	b.part.WriteString(`">`)
}

// cell writes a value; an unknown one is no cell.
func (b *workbook) cell(col int, v metrics.Value, k metrics.Kind) error {
	switch {
	case !v.Valid:
		return nil
	case k == metrics.Time:
		return b.number(col, serial(v.Time), styleTime)
	case k == metrics.Bool && v.Bool:
		return b.value(col, "1", `" t="b"><v>`)
	case k == metrics.Bool:
		return b.value(col, "0", `" t="b"><v>`)
	case k.Decimal(), k.Integer():
		return b.number(col, v.String(k), styleText)
	}
	return b.text(col, v.Text, styleText)
}

func (b *workbook) number(col int, digits string, style int) error {
	return b.value(col, digits, `" s="`+strconv.Itoa(style)+`"><v>`)
}

func (b *workbook) value(col int, v, attributes string) error {
	b.part.WriteString(`<c r="`)
	b.at(col)
	b.part.WriteString(attributes)
	b.part.WriteString(v)
	_, err := b.part.WriteString("</v></c>")
	return err
}

// text writes a text. One that a spreadsheet would take for a formula once somebody edits the cell is marked as quoted:
// its characters stay as they are.
func (b *workbook) text(col int, s string, style int) error {
	if utf8.RuneCountInString(s) > cellChars {
		return fmt.Errorf("a cell has at most %d characters, this text %d: use csv or parquet", cellChars,
			utf8.RuneCountInString(s))
	}
	if Neutralise(s) != s {
		style = styleQuoted
	}
	b.part.WriteString(`<c r="`)
	b.at(col)
	b.part.WriteString(`" t="inlineStr" s="`)
	b.part.WriteString(strconv.Itoa(style))
	b.part.WriteString(`"><is><t xml:space="preserve">`)
	b.escape(s)
	_, err := b.part.WriteString("</t></is></c>")
	return err
}

// at writes a reference such as AB12.
func (b *workbook) at(col int) {
	if col >= 26 {
		if col/26 > 26 {
			b.part.WriteByte(byte('A' + (col/26-1)/26 - 1))
		}
		b.part.WriteByte(byte('A' + (col/26-1)%26))
	}
	b.part.WriteByte(byte('A' + col%26))
	b.part.WriteString(strconv.Itoa(b.rows))
}

// escape writes a text for XML. What XML has no character for is written as _xHHHH_ (ECMA-376, ST_Xstring), and so is
// the first underscore of a text that looks like it.
func (b *workbook) escape(s string) {
	for i, r := range s {
		switch {
		case r == '&':
			b.part.WriteString("&amp;")
		case r == '<':
			b.part.WriteString("&lt;")
		case r == '>':
			b.part.WriteString("&gt;")
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			fmt.Fprintf(b.part, "_x%04X_", r)
		case r == '_' && looksEscaped(s[i:]):
			b.part.WriteString("_x005F_")
		default:
			b.part.WriteRune(r)
		}
	}
}

func looksEscaped(s string) bool {
	return len(s) >= 7 && s[1] == 'x' && s[6] == '_' && strings.Trim(s[2:6], "0123456789abcdefABCDEF") == ""
}

// close writes the parts that list the others.
func (b *workbook) close() error {
	if err := b.endSheet(); err != nil {
		return err
	}
	var types, sheets, relations strings.Builder
	for i, name := range b.sheets {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i+1,
			mediaPart)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, name, i+1, i+1)
		relation(&relations, i+1, "worksheet", fmt.Sprintf("worksheets/sheet%d.xml", i+1))
	}
	relation(&relations, len(b.sheets)+1, "styles", "styles.xml")
	var root strings.Builder
	relation(&root, 1, "officeDocument", "xl/workbook.xml")
	const begin = xmlHead + `<Relationships xmlns="` + xmlParts + `relationships">`
	for _, part := range [][2]string{
		{"xl/styles.xml", xlsxStyles},
		{"xl/workbook.xml", xmlHead + `<workbook xmlns="` + xmlMain + `" xmlns:r="` + xmlRels + `"><sheets>` +
			sheets.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", begin + relations.String() + `</Relationships>`},
		{"_rels/.rels", begin + root.String() + `</Relationships>`},
		{"[Content_Types].xml", xmlHead + `<Types xmlns="` + xmlParts + `content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + mediaPart + `sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + mediaPart + `styles+xml"/>` + types.String() + `</Types>`},
	} {
		w, err := b.zip.Create(part[0])
		if err != nil {
			return err
		}
		if _, err := w.Write([]byte(part[1])); err != nil {
			return err
		}
	}
	return b.zip.Close()
}

// relation names a part of the workbook for the part that refers to it.
func relation(w *strings.Builder, id int, kind, target string) {
	fmt.Fprintf(w, `<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>`, id, xmlRels, kind, target)
}

// serial is an instant, in UTC, as days since the end of 1899, to the microsecond: the dates of spreadsheets.
func serial(t time.Time) string {
	const dayMicros = 86_400_000_000
	micros := t.UnixMicro() - time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).UnixMicro()
	days, rest := micros/dayMicros, micros%dayMicros
	frac := fmt.Sprintf("%012d", (rest*1_000_000+dayMicros/2_000_000)/(dayMicros/1_000_000))
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatInt(days, 10)+"."+frac, "0"), ".")
}
