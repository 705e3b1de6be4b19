package pg

// What tests of this room look at from outside.
var AppendAmount = appendAmount
var FamilySQL = familySQL
var Fence = fence
var FragmentCall = fragmentCall
var Fragments = fragments
var ParseNumeric = parseNumeric
var WorstQualitySQL = worstQualitySQL
