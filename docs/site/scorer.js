// The weights of the search, as Sphinx has them but for names of the reference, which come first.
var Scorer = {objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 25, 2: -5}, objPrioDefault: 0, title: 15, partialTitle: 7, term: 5,
              partialTerm: 2};
