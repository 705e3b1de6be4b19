// Package fiscal cuts time into the months, quarters and years of a company's fiscal calendar, in UTC: calendar months
// from a start month, or months of whole weeks (4-4-5, 4-5-4, 5-4-4) in years of 52 or 53 weeks.
//
// It guarantees that years follow each other without gap or overlap, that a year has four quarters of three months, and
// that the 53rd week belongs to the last month. It gives years no number, since companies number them by their first or
// by their last day. It never reads a clock.
package fiscal
