// Package visible owns how text of files, bills and databases is shown on a terminal:
// control characters, escape sequences, line separators and characters that change the
// direction of writing are shown as \u and four digits, as JSON writes them, so that a name
// can neither move the cursor nor look like another one or like a line of its own.
//
// Everything that the command line prints passes a Writer; values inside lines and cells
// pass Text or Fprintf, which escape line ends and tabs as well.
package visible
