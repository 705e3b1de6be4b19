package verify

// What tests of this room look at from outside.
type Invariant = invariant

var CheckDigests = checkDigests
var OfRollUps = ofRollUps
var OfSharing = ofSharing
