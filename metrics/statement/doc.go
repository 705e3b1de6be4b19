// Package statement builds the statement of an owner: what a team, project or other owner is charged for one billing
// month, over all accounts and providers, with the lines behind it. It owns the content and its JSON and CSV; command,
// REST, PDF and page show the same value.
//
// It asks datasets and computes only sums and the bridge to the month before (metrics/variance). All its figures are
// those of bills, so the statement of a closed month never changes. Figures that go on changing after the close, such
// as later adjustments, are not part of it.
package statement
