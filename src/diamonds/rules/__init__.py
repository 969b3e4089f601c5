"""Nothing but rules: one file a game, each function a sentence of its rule sheet.

A rules module is plain Python on a flat row (see `fields`), so that one source runs interpreted and compiled. It offers

``NAME VERSION SEATS RANKS FIELDS OPTIONS QUESTIONS EVENTS ILLEGAL_REASONS``
                                  what the game is, as data; `diamonds.i18n` puts words to it
``DEFAULT_SEATS``                 how many play unless it is said
``TYPICAL_DECISIONS``             may be left out: how many decisions a player has in a game, by the seats, for clocks
``ENDINGS``                       how the game may end, by name, with the values that belong to each
``EVENT_EXPIRY``                  what is told only once, in a game where not everything may be looked up
``SCORE_PAD_FIELDS``              the fields that a score pad notes at the end of every deal; without it there is none
``start(s, cut)``                 lay out the first position; ``cut`` is each seat's card, the highest begins
``pack(s)``                       the cards of a deal, as a set
``cards_dealt(s)``                how many of them are handed out
``deal(s, deck, log)``            hand out a shuffled pack; only when ``to_act`` is 0 and the game is not over
``legal(s, seat)``                the legal answers of a seat that owes one, as bits
``step(s, seat, answer, log)``    apply a legal answer (legality is the caller's business)
``score(s, seat)``                the seat's score so far; final when the game is over
``seats_ahead(s, seat)``          how many seats did better; 0 for every winner
``team(s, seat)``                 the seat's team, named by its lowest seat
``ending(s, values)``             how the game ended: which of ``ENDINGS``; writes down its values
``facts(s, values)``              what an ending rests on: which of ``FACTS``, or −1, and the places it speaks of, as bits; writes down
                                  its values
``deal_packets(s, packets)``      how it lies right after a deal: writes each seat's or pile's cards, −1 after each (`cards.MAX_PACKET_NUMBERS`
                                  numbers at most); returns who dealt or begins, and how many numbers there are
``illegal_reason(s, seat, answer)``
                                  why an answer is not legal: which of ``ILLEGAL_REASONS``, and the value it speaks of or −1
``referee_counts(s)``             the counts that an outside referee checks
"""
