// Package prose reads what people read: documents, pages, messages and comments. It counts
// turns of phrase that a reader has to read twice, and says what to write instead.
//
// It owns the list of turns and the ways to find text in a file. It knows no grammar: a turn
// is a pattern with few false alarms, never a rule about style.
package prose
