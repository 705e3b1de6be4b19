package views

// Table is a plain table: names left, numbers right.
type Table struct {
	Caption string
	Heads   []SortLink
	Rows    []Row
	Total   []Cell // nil: no total row
	Dense   bool   // 26 px rows
}

// Row is a line of a table; Others marks the rest that is not listed.
type Row struct {
	Cells  []Cell
	Others bool
}

// Cell shows one thing: a strip, a link, a tag, a name or a figure.
type Cell struct {
	Figure Figure
	Href   string
	Sub    string
	Cause  string // swatch before the text
	Name   bool   // text from outside
	Mono   bool
	Tag    *Tag
	Strip  *Strip
}

// Text is a cell that says something.
func Text(s string) Cell { return Cell{Figure: Figure{Text: s}} }
