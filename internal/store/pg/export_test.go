package pg

// Internals for external tests.
var AppendAmount = appendAmount
var FamilySQL = familySQL
var Fence = fence
var FragmentCall = fragmentCall
var Fragments = fragments
var WorstQualitySQL = worstQualitySQL
