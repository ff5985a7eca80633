// The search's weights: those of Sphinx, but names of the reference come first.
var Scorer = {objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 25, 2: -5}, objPrioDefault: 0, title: 15, partialTitle: 7, term: 5,
              partialTerm: 2};
