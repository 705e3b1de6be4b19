// Package paper lays out the statement of an owner and draws it as PDF. It owns the order and the words of the sheet,
// which the page of the statement shows too, so that page and paper have the same figures.
//
// A PDF has the same bytes for the same statement: its dates are those of the billing month, and the fonts are in the
// binary. Inter has Latin, Greek and Cyrillic letters; others are drawn as boxes and keep their text.
package paper
