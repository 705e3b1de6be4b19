package assets

import (
	"fmt"
	"strings"
)

// Token is one custom property of the style sheet with its value per theme.
type Token struct{ Name, Light, Dark string }

// Tokens are the surfaces, inks and verdict colours.
var Tokens = []Token{
	{"canvas", "#F5F6F4", "#0E1114"},
	{"surf", "#FFFFFF", "#15191D"},
	{"sunk", "#EEF0ED", "#1C2126"},
	{"line", "#E1E4E1", "#262C32"},
	{"line2", "#C9CEC9", "#39414A"},
	{"ctl", "#848C92", "#6B7680"},
	{"text", "#171B1F", "#EBEEF0"},
	{"text2", "#4A535B", "#B3BBC2"},
	{"text3", "#646D75", "#8E98A0"},
	{"accent", "#3650C7", "#93A7FF"},
	{"accent-soft", "#E9ECFB", "#20294D"},
	{"on-accent", "#FFFFFF", "#0E1114"},
	{"good", "#0B6B43", "#5CCB95"},
	{"good-bg", "#E5F3EB", "#12301F"},
	{"warn", "#8A5300", "#EDB04E"},
	{"warn-bg", "#FBF0DC", "#35270C"},
	{"bad", "#B3202C", "#FF8A88"},
	{"bad-bg", "#FBE9EA", "#3D171A"},
	{"stripe", "rgba(255,255,255,.55)", "rgba(14,17,20,.55)"},
	{"flow", ".38", ".38"},
	{"free-hollow", ".38", ".12"},
	{"c-used-quiet", "#A1CDC3", "#1A5748"},
	{"shadow", "0 1px 2px rgba(23,27,31,.05)", "none"},
	{"shadow-2", "0 12px 32px rgba(23,27,31,.14),0 2px 6px rgba(23,27,31,.08)", "0 16px 40px rgba(0,0,0,.55)"},
}

// Texture is how the fill of a cause is drawn over; it carries meaning.
type Texture string

// Textures: solid = somebody held it or it was bought outright, hatches =
// destroyed or unusable, lines = machine down, dots = not known, pinstripes =
// a contract without a machine.
const (
	Solid      Texture = "solid"
	HatchUp    Texture = "hatch-up"
	HatchDown  Texture = "hatch-down"
	Lines      Texture = "lines"
	Dots       Texture = "dots"
	Pinstripes Texture = "pinstripes"
)

// CauseToken is how a cause looks: fill for areas, ink for text and outlines.
type CauseToken struct {
	Cause                string // as in package ledger
	LightFill, LightInk  string
	DarkFill, DarkInk    string
	Texture              Texture
	Outlined, Contextual bool // Outlined: 1 px inner border in ink. Contextual: outside the ten core causes
}

// CauseTokens are the causes in the ledger's fixed order.
var CauseTokens = []CauseToken{
	{"used", "#14826A", "#0B6450", "#22B389", "#4FD1AE", Solid, false, false},
	{"overhead", "#DDBE3A", "#6F5900", "#DDD477", "#E5DC83", Solid, true, false},
	{"held_idle", "#D47C10", "#8F4C00", "#EA8118", "#F7A452", Solid, false, false},
	{"lost", "#C22A3F", "#A81E33", "#E9333A", "#FF8585", HatchUp, false, false},
	{"free", "#8AD4F7", "#17638A", "#86C6FB", "#9AD0FC", Solid, true, false},
	{"stranded", "#8159E6", "#5E35C4", "#9C76F2", "#BDA2FA", HatchDown, false, false},
	{"unavailable", "#202D3A", "#202D3A", "#556B7F", "#A9B5C4", Lines, false, false},
	{"unobserved", "#909599", "#565C61", "#808183", "#B0B6BB", Dots, false, false},
	{"commitment_unused", "#AA4F8E", "#8A3471", "#E085BD", "#EC9BCC", Pinstripes, false, false},
	{"commitment_fee", "#DBAFCB", "#8A3471", "#F3D2E7", "#F3D2E7", Pinstripes, true, true},
	{"host", "#6FBF9F", "#1F6B4F", "#B0ECCC", "#B0ECCC", Solid, true, true},
	{"shared", "#684410", "#684410", "#937663", "#CDA988", Solid, false, false},
	{"metered", "#1395B8", "#0A6480", "#0A7EA3", "#5CBFE0", Solid, false, true},
	{"non_gpu", "#DCDEDE", "#5A6065", "#353A3F", "#A3AAB0", Solid, true, true},
}

// themeTokens lists "--name:value;" of one theme.
func themeTokens(dark bool) string {
	var b strings.Builder
	for _, t := range Tokens {
		value := t.Light
		if dark {
			value = t.Dark
		}
		fmt.Fprintf(&b, "--%s:%s;", t.Name, value)
	}
	for _, c := range CauseTokens {
		fill, ink := c.LightFill, c.LightInk
		if dark {
			fill, ink = c.DarkFill, c.DarkInk
		}
		fmt.Fprintf(&b, "--c-%s:%s;--i-%s:%s;", c.Cause, fill, c.Cause, ink)
	}
	return b.String()
}

// tokenCSS writes the tokens for both themes, for the theme of the system, and
// light for paper.
func tokenCSS() string {
	light, dark := "color-scheme:light;"+themeTokens(false), "color-scheme:dark;"+themeTokens(true)
	return ":root{" + light + "}\n" +
		":root[data-theme=\"dark\"]{" + dark + "}\n" +
		"@media (prefers-color-scheme:dark){:root[data-theme=\"system\"]{" + dark + "}}\n" +
		"@media print{:root[data-theme]{" + light + "}}\n"
}

// backgrounds draw a texture over the fill of an HTML box.
var backgrounds = map[Texture]string{
	HatchUp:    "repeating-linear-gradient(-45deg,var(--stripe) 0 1.5px,transparent 1.5px 5px)",
	HatchDown:  "repeating-linear-gradient(45deg,var(--stripe) 0 1.5px,transparent 1.5px 5px)",
	Lines:      "repeating-linear-gradient(0deg,var(--stripe) 0 1px,transparent 1px 4px)",
	Dots:       "radial-gradient(circle at 2.25px 2.25px,var(--stripe) 1.1px,transparent 1.3px)",
	Pinstripes: "repeating-linear-gradient(90deg,var(--stripe) 0 1.3px,transparent 1.3px 4.4px)",
}

// causeCSS writes the classes of a cause: c-x for boxes, f-x for SVG areas
// (plain fill), t-x for SVG areas with texture, l-x for flow links, i-x for text.
func causeCSS() string {
	var b strings.Builder
	for _, c := range CauseTokens {
		fmt.Fprintf(&b, ".c-%[1]s{background-color:var(--c-%[1]s)", c.Cause)
		if bg, ok := backgrounds[c.Texture]; ok {
			fmt.Fprintf(&b, ";background-image:%s", bg)
			if c.Texture == Dots {
				b.WriteString(";background-size:4.5px 4.5px")
			}
		}
		if c.Outlined {
			fmt.Fprintf(&b, ";box-shadow:inset 0 0 0 1px var(--i-%s)", c.Cause)
		}
		b.WriteString("}\n")
		fmt.Fprintf(&b, ".f-%[1]s,.l-%[1]s{fill:var(--c-%[1]s)}.i-%[1]s{color:var(--i-%[1]s);fill:var(--i-%[1]s)}.s-%[1]s{stroke:var(--i-%[1]s)}\n", c.Cause)
		if c.Texture == Solid {
			fmt.Fprintf(&b, ".t-%[1]s{fill:var(--c-%[1]s)}\n", c.Cause)
		} else {
			fmt.Fprintf(&b, ".t-%[1]s{fill:url(#p-%[1]s)}\n", c.Cause)
		}
		if c.Outlined {
			fmt.Fprintf(&b, ".t-%[1]s.o{stroke:var(--i-%[1]s);stroke-width:1}\n", c.Cause)
		}
	}
	return b.String()
}

// growCSS writes g1 … g1000: the share of a strip's segment in thousandths.
func growCSS() string {
	var b strings.Builder
	for i := 1; i <= 1000; i++ {
		fmt.Fprintf(&b, ".g%d{flex-grow:%d}", i, i)
	}
	return b.String()
}
