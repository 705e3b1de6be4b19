package assets

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

type rgb [3]float64 // linear, 0..1

func parseColour(t *testing.T, hex string) rgb {
	t.Helper()
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil || len(hex) != 7 {
		t.Fatalf("%q is not a colour of the form #RRGGBB", hex)
	}
	var c rgb
	for i := range c {
		v := float64(n>>(16-8*i)&0xff) / 255
		if v <= .04045 {
			c[i] = v / 12.92
		} else {
			c[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	return c
}

func (c rgb) luminance() float64 { return .2126*c[0] + .7152*c[1] + .0722*c[2] }

// contrast is the ratio of WCAG 2.
func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + .05) / (min(x, y) + .05)
}

// machado simulates full colour blindness (Machado, Oliveira, Fernandes 2009) on linear RGB.
var machado = map[string][9]float64{
	"deuteranopia": {.367322, .860646, -.227968, .280085, .672501, .047413, -.011820, .042940, .968881},
	"protanopia":   {.152286, 1.052583, -.204868, .114503, .786281, .099216, -.003882, -.048116, 1.051998},
	"tritanopia":   {1.255528, -.076749, -.178779, -.078411, .930809, .147602, .004733, .691367, .303900},
}

func (c rgb) seen(m [9]float64) rgb {
	var out rgb
	for i := range out {
		out[i] = min(max(m[3*i]*c[0]+m[3*i+1]*c[1]+m[3*i+2]*c[2], 0), 1)
	}
	return out
}

func (c rgb) lab() (l, a, b float64) {
	x := (.4124564*c[0] + .3575761*c[1] + .1804375*c[2]) / .95047
	y := .2126729*c[0] + .7151522*c[1] + .0721750*c[2]
	z := (.0193339*c[0] + .1191920*c[1] + .9503041*c[2]) / 1.08883
	f := func(v float64) float64 {
		if v > 216./24389 {
			return math.Cbrt(v)
		}
		return (24389./27*v + 16) / 116
	}
	return 116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))
}

// distance is CIEDE2000.
func distance(p, q rgb) float64 {
	l1, a1, b1 := p.lab()
	l2, a2, b2 := q.lab()
	c := (math.Hypot(a1, b1) + math.Hypot(a2, b2)) / 2
	g := .5 * (1 - math.Sqrt(math.Pow(c, 7)/(math.Pow(c, 7)+math.Pow(25, 7))))
	a1, a2 = a1*(1+g), a2*(1+g)
	c1, c2 := math.Hypot(a1, b1), math.Hypot(a2, b2)
	deg := func(b, a float64) float64 {
		if a == 0 && b == 0 {
			return 0
		}
		return math.Mod(math.Atan2(b, a)*180/math.Pi+360, 360)
	}
	h1, h2 := deg(b1, a1), deg(b2, a2)
	dl, dc, dh := l2-l1, c2-c1, h2-h1
	switch {
	case c1*c2 == 0:
		dh = 0
	case dh > 180:
		dh -= 360
	case dh < -180:
		dh += 360
	}
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(dh/2*math.Pi/180)
	lm, cm, hm := (l1+l2)/2, (c1+c2)/2, h1+h2
	if c1*c2 != 0 {
		switch {
		case math.Abs(h1-h2) <= 180:
			hm /= 2
		case hm < 360:
			hm = (hm + 360) / 2
		default:
			hm = (hm - 360) / 2
		}
	}
	cos := func(d float64) float64 { return math.Cos(d * math.Pi / 180) }
	t := 1 - .17*cos(hm-30) + .24*cos(2*hm) + .32*cos(3*hm+6) - .2*cos(4*hm-63)
	rt := -2 * math.Sqrt(math.Pow(cm, 7)/(math.Pow(cm, 7)+math.Pow(25, 7))) * math.Sin(60*math.Exp(-math.Pow((hm-275)/25,
		2))*math.Pi/180)
	sl := 1 + .015*math.Pow(lm-50, 2)/math.Sqrt(20+math.Pow(lm-50, 2))
	sc, sh := 1+.045*cm, 1+.015*cm*t
	return math.Sqrt(math.Pow(dl/sl, 2) + math.Pow(dc/sc, 2) + math.Pow(dH/sh, 2) + rt*dc/sc*dH/sh)
}

type theme struct {
	name string
	dark bool
}

var themes = []theme{{"light", false}, {"dark", true}}

func (th theme) colour(t *testing.T, name string) rgb {
	t.Helper()
	i := slices.IndexFunc(Tokens, func(k Token) bool { return k.Name == name })
	if i < 0 {
		t.Fatalf("no token %s", name)
	}
	if th.dark {
		return parseColour(t, Tokens[i].Dark)
	}
	return parseColour(t, Tokens[i].Light)
}

func (th theme) cause(t *testing.T, c CauseToken) (fill, ink rgb) {
	t.Helper()
	if th.dark {
		return parseColour(t, c.DarkFill), parseColour(t, c.DarkInk)
	}
	return parseColour(t, c.LightFill), parseColour(t, c.LightInk)
}

func TestContrast(t *testing.T) {
	for _, th := range themes {
		floor := func(what string, got, least float64) {
			t.Helper()
			if got < least {
				t.Errorf("%s: %s has contrast %.2f, the floor is %.1f", th.name, what, got, least)
			}
		}
		for _, pair := range [][2]string{
			{"text", "surf"}, {"text2", "surf"}, {"text3", "surf"}, {"text", "canvas"},
			{"text2", "canvas"}, {"text3", "canvas"}, {"text3", "sunk"}, {"text2", "sunk"},
			{"good", "good-bg"}, {"warn", "warn-bg"}, {"bad", "bad-bg"},
			{"accent", "surf"}, {"on-accent", "accent"}, {"text", "accent-soft"},
		} {
			floor(pair[0]+" on "+pair[1], contrast(th.colour(t, pair[0]), th.colour(t, pair[1])), 4.5)
		}
		floor("ctl on surf", contrast(th.colour(t, "ctl"), th.colour(t, "surf")), 3)
		for _, c := range CauseTokens {
			fill, ink := th.cause(t, c)
			floor(c.Cause+" ink on surf", contrast(ink, th.colour(t, "surf")), 4.5)
			if c.Outlined {
				floor(c.Cause+" outline on surf", contrast(ink, th.colour(t, "surf")), 3)
			} else {
				floor(c.Cause+" fill on surf", contrast(fill, th.colour(t, "surf")), 3)
			}
		}
	}
}

func TestCausesAreTellableApart(t *testing.T) {
	views := map[string]func(rgb) rgb{"normal": func(c rgb) rgb { return c }}
	for name, m := range machado {
		views[name] = func(c rgb) rgb { return c.seen(m) }
	}
	for _, th := range themes {
		for view, see := range views {
			for i, a := range CauseTokens {
				for _, b := range CauseTokens[i+1:] {
					least := 8.0
					switch core := !a.Contextual && !b.Contextual; {
					case core && view == "normal":
						least = 12
					case core:
						least = 10
					}
					fa, _ := th.cause(t, a)
					fb, _ := th.cause(t, b)
					if d := distance(see(fa), see(fb)); d < least {
						t.Errorf("%s, %s: %s and %s are %.1f apart, the floor is %.0f", th.name, view, a.Cause, b.Cause, d, least)
					}
				}
			}
		}
	}
}

// TestDistance holds the formula to its ends and to one measured pair.
func TestDistance(t *testing.T) {
	white, black := rgb{1, 1, 1}, rgb{0, 0, 0}
	if d := distance(white, black); math.Abs(d-100) > .1 {
		t.Errorf("white and black are %.2f apart, want 100", d)
	}
	if d := distance(white, white); d != 0 {
		t.Errorf("white and white are %.2f apart", d)
	}
}

func TestCausesFollowTheLedger(t *testing.T) {
	if len(CauseTokens) != len(ledger.Causes) {
		t.Fatalf("%d cause tokens, %d causes", len(CauseTokens), len(ledger.Causes))
	}
	for i, c := range ledger.Causes {
		if CauseTokens[i].Cause != string(c.Cause) {
			t.Errorf("token %d is %s, the ledger's order has %s", i, CauseTokens[i].Cause, c.Cause)
		}
	}
	for _, dark := range []bool{false, true} {
		for _, c := range CauseTokens {
			if want := "--c-" + c.Cause + ":"; !strings.Contains(themeTokens(dark), want) {
				t.Errorf("a theme lacks %s", want)
			}
		}
	}
}
