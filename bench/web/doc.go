// Command bench/web measures how fast the pages of a database come: each alone, and their panels at a steady rate
// (make bench-web).
//
// It serves an existing database over HTTP, such as that of a demo or the year of bench/report, and finds the pages by
// the links of the rail (pages.go). Of each page it takes the time to the frame, the time to the end, and the bytes
// before the first chart. Then it asks panels alone, as the script of a page does (panels.go). Last, by turns, a bare
// handler runs the statements of the same panels and answers with their rows as JSON (peer.go).
package main
