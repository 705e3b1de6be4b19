// Package visible owns the display of text from files, bills and databases on a terminal: control characters, escape
// sequences, line separators and characters that change the direction of writing are shown as \u and four digits, as in
// JSON, so that a name can neither move the cursor nor look like another name or a separate line.
//
// The command line prints everything through a Writer; values inside lines and cells also pass Text or Fprintf, which
// escape line ends and tabs as well.
package visible
