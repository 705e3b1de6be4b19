// Package views turns view models into HTML.
//
// It has the markup of every page and part, and the plain structs that the
// parts take. Views never query, never compute money and never choose words
// that depend on figures: package dashboard passes in sentences and printed
// figures, formatted by package format. No
// element has a style attribute or an inline script, names from
// outside are in <bdi>, and every chart has a table with the same data.
package views
