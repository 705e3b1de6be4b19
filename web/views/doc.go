// Package views turns view models into HTML.
//
// It owns the markup of every page and part, and the plain structs that the
// parts take. Views never query, never compute money and never choose words
// that depend on figures: sentences and printed figures arrive ready from
// package dashboard, formatted by package format. They guarantee that no
// element carries a style attribute or an inline script, that names from
// outside stand in <bdi>, and that every chart has a table twin.
package views
