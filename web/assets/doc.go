// Package assets owns the files that pages load: the design tokens,
// the style sheet that is built from them, scripts, fonts and their licences.
//
// Everything is embedded; building needs no Node. A file is served under a
// name that carries the hash of its content and may be cached for ever. It
// guarantees that tokens exist once, in tokens.go, where their contrast and
// distance floors are tested, and that the style sheet and the scripts obey
// the strict content security policy of package web.
package assets
