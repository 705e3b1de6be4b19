package paper

import (
	"strconv"
	"strings"
	"unicode"

	"gpuledger/internal/ledger"
	"gpuledger/web/assets"
)

// Inks of the light theme.
var (
	text  = token("text")
	text2 = token("text2")
	text3 = token("text3")
	rule  = token("line2")
	sunk  = token("sunk")
	tones = map[string]ink{"good": token("good"), "warn": token("warn"), "": text}
)

// ink is a colour in red, green and blue.
type ink [3]int

func colour(s string) (c ink) {
	for i := range c {
		n, err := strconv.ParseUint(s[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic("paper: " + s + " is not a colour") // a token of assets
		}
		c[i] = int(n)
	}
	return c
}

func token(name string) ink {
	for _, t := range assets.Tokens {
		if t.Name == name {
			return colour(t.Light)
		}
	}
	panic("paper: there is no token " + name)
}

// look is how a cause is drawn.
func look(cause ledger.Cause) assets.CauseToken {
	for _, t := range assets.CauseTokens {
		if t.Cause == string(cause) {
			return t
		}
	}
	return assets.CauseTokens[len(assets.CauseTokens)-1]
}

func (d *brush) fill(c ink)   { d.pdf.SetFillColor(c[0], c[1], c[2]) }
func (d *brush) stroke(c ink) { d.pdf.SetDrawColor(c[0], c[1], c[2]) }

// font chooses the font: size in points, bold or not, and its ink.
func (d *brush) font(size float64, bold bool, c ink) {
	style := ""
	if bold {
		style = "B"
	}
	d.pdf.SetFont("inter", style, size)
	d.pdf.SetTextColor(c[0], c[1], c[2])
}

// printable replaces what a line of print cannot hold: control and formatting characters, and those beyond the fonts'
// table.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) && r != '\u202f' && r != '\u00a0':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r > 0xFFFF:
			return '\uFFFD'
		}
		return r
	}, s)
}

// mostLines bounds how many lines a text takes in a table; the rest is cut.
const mostLines = 4

// fits is how many runes fit into a width in the current font.
func (d *brush) fits(runes []rune, room float64) int {
	for n, r := range runes {
		if room -= d.pdf.GetStringWidth(string(r)); room < 0 {
			return n
		}
	}
	return len(runes)
}

// cut shortens a text to one line of a width in the current font.
func (d *brush) cut(s string, room float64) string {
	runes := []rune(printable(s))
	if n := d.fits(runes, room); n < len(runes) {
		return string(runes[:d.fits(runes, room-d.pdf.GetStringWidth("…"))]) + "…"
	}
	return string(runes)
}

// wrap breaks a text into lines of a width in the current font, between words if possible.
func (d *brush) wrap(s string, room float64) (lines []string) {
	s = printable(s)
	for rest := []rune(s); len(rest) > 0; {
		n := max(d.fits(rest, room), 1)
		if n < len(rest) {
			if len(lines) == mostLines-1 {
				return append(lines, d.cut(string(rest), room))
			}
			if space := strings.LastIndexByte(string(rest[:n]), ' '); space > 0 && rest[n] != ' ' {
				n = len([]rune(string(rest[:n])[:space]))
			}
		}
		lines = append(lines, string(rest[:n]))
		for n < len(rest) && rest[n] == ' ' {
			n++
		}
		rest = rest[n:]
	}
	return lines
}

// put writes one line with its baseline at y: from x, or up to x + room if it is a number.
func (d *brush) put(s string, x, y, room float64, number bool) {
	if number {
		x += room - d.pdf.GetStringWidth(s)
	}
	d.pdf.Text(x, y, s)
}
