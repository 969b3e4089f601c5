"""The rules: one file per game, one function per sentence of its rule sheet.

A rules module is plain Python on a flat row (see `fields`), so that the same source runs interpreted and compiled. It defines:

``NAME VERSION SEATS RANKS FIELDS OPTIONS QUESTIONS EVENTS ILLEGAL_REASONS``
                                  the game as data; `diamonds.i18n` has its texts
``DEFAULT_SEATS``                 number of players by default
``TYPICAL_DECISIONS``             optional: a player's decisions in a game by number of seats, for clocks
``ENDINGS``                       the possible endings by name, with the values that belong to each
``EVENT_EXPIRY``                  optional: when events may no longer be shown (`diamonds.events.EventExpiry`)
``SCORE_PAD_FIELDS``              optional: the fields that a score pad notes at the end of every deal
``FACTS``                         with ``facts``: the explanations of endings by name, with their values
``start(s, cut)``                 lay out the first position; ``cut`` is each seat's card, the highest begins
``pack(s)``                       return the cards of a deal, as a set
``cards_dealt(s)``                return how many of them are handed out
``deal(s, deck, log)``            hand out a shuffled pack; only when ``to_act`` is 0 and the game is not over
``legal(s, seat)``                return the legal answers of a seat that owes one, as bits
``step(s, seat, answer, log)``    apply a legal answer (the caller has checked it)
``score(s, seat)``                return the seat's score so far; final when the game is over
``seats_ahead(s, seat)``          return how many seats did better; 0 for every winner
``team(s, seat)``                 return the seat's team, named by its lowest seat
``ending(s, values)``             return the index of the ending in ``ENDINGS``, and write its values
``facts(s, values)``              optional: return the index in ``FACTS`` of what explains the ending, or −1, and its piles
                                  as bits, and write its values
``deal_packets(s, packets)``      right after a deal, write each seat's or pile's cards, −1 after each (at most
                                  `cards.MAX_PACKET_NUMBERS` numbers); return who dealt or begins, and the size
``illegal_reason(s, seat, answer)``
                                  return the index in ``ILLEGAL_REASONS`` of why an answer is not legal, and its value
                                  or −1
``referee_counts(s)``             return the counts that an outside referee checks
"""
