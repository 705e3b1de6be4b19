// Package money owns exact amounts and the only rounding in the program.
//
// An Amount is an exact decimal. Amounts that fit whole units of 1e-12 in an
// int64 (±9.2 million of the currency) stay machine integers; anything wider
// or finer is kept as an arbitrary-precision decimal. No float enters or
// leaves this package: providers that write binary floats are read through
// their shortest decimal text.
//
// Split is the single place where money is divided: largest remainder over
// units of 1e-12, so that the shares always add up to the amount exactly. An
// amount's own digits below 1e-12 go whole to the largest share.
//
// The package refuses NaN, infinities, exponents outside a sane range and
// anything that is not a plain decimal number. It knows nothing of currencies:
// an Amount is never added across two of them because every key that leads to
// an Amount carries the currency (shared design, section 3).
package money
