### What Diamonds says, in English. docs/languages.md tells how to write this file and how to add a language.
###
### A sentence is found by its id. What a value is follows from its name: $seat, $to, $victim, $dealer, $first and $loser are
### people, "you" for the reader and else a name; $card, $cards and $suit come with their suits drawn; $number and the like are
### numbers. A sentence uses all of its values, but what is told need not: others may hear less of it than its reader.

## How lists, foreign texts and nothing are said within sentences.

list-and = { $before } and { $last }
list-or = { $before } or { $last }
quoted = “{ $text }”
as-it-is = { $text }
nothing = nothing

## What every game says: why something cannot be.

game-seats = { $game } is for { $few } to { $many } players, not { $given }.
game-seats-exactly = { $game } is for { $number } players, not { $given }.
game-no-option = { $game } has no option { $given }; it has { $options }.
game-other-rules = It was played by rules version { $version } of { $name }; this program plays version { $ours }.
game-answer-form = An answer is a question and what you answer, like “play H7”.
game-no-answer = { $given } is no answer to “{ $question }”
game-no-number = { $number } is the number of no answer to “{ $question }”
game-no-question = { $game } has no question { $given }.
game-no-seat = There is no seat { $given } at this table.
game-not-an-answer = { $given } is not an answer.
game-over = The game is over.
game-not-your-turn = It is not your turn.
game-other-question = The question is { $question }, not { $given }.
game-unknown = There is no game { $given }; the games are { $games }.

## Why an option cannot be so. Names and values of options stay as they are typed.

option-seats = { $option } is for { $either } players ({ $rule }).
option-seats-range = { $option } is for { $few } to { $many } players ({ $rule }).
option-needs = { $option } needs { $other } to be { $value } ({ $rule }).
option-range = { $option } is { $few } to { $many }, not { $given } ({ $rule }).
option-one-of = { $option } is { $either }, not { $given } ({ $rule }).

## What the house says to who may not, or has had enough.

server-no-token = That token is not one of this house: ask for one at POST /api/token.
server-who-are-you = Say who you are: open /api/house first (a cookie), or ask for a token at POST /api/token.
server-other-site = Another site may not act for you here.
server-no-host = The request does not say which house it wants: it has no Host.
server-address-too-long = The address is too long.
server-send-json = Send JSON, with Content-Type: application/json.
server-ended-early = The request ended too early.
server-not-utf-8 = The request cannot be read: it is not UTF-8.
server-key-used = This key was used for another request: choose a new one.
server-reviews-enough = Enough games are being reviewed: wait until one is done.
server-thinking-enough = Much is being thought through for you already: wait a moment.
server-record-gone = This record is not here any more: open it again.
server-record-opening = A record is being opened for you already: wait until it is.
server-records-enough = Enough records are being opened: wait a moment.
server-too-many = Too many { $what } at once: wait a moment.
server-too-many-open = Too many { $what } are open: close some first.
server-many-answers = answers
server-many-changes = changes
server-many-connections = connections
server-many-guests = new guests
server-many-history = old games
server-many-lines = lines
server-many-lists = looks at the list
server-many-looks = looks at a table
server-many-questions = questions
server-many-records = records
server-many-requests = requests
server-many-seats = changes of seats
server-many-streams = streams
server-many-tables = new tables
server-many-undos = undos
server-too-large = The request is larger than { $most } bytes.
server-closing = The house is closing: come back in a moment.
server-read-only = This page can only be read.
server-headers-too-large = The headers are too large.
server-too-slow = The request came too slowly.
server-too-deep = The request cannot be read: it is nested too deeply.
server-nothing-here = There is no such thing here.
server-broken = Something went wrong here; it has been written down.
server-unreadable = The request cannot be read: { $why }.
server-other-name = This house is not called { $given }. Whoever runs it can add that name: diamonds serve --name { $name }
server-no-rules = The rules page of { $name } is not installed.

## Names and talk.

server-name-empty = A name needs at least one character.
server-name-unseen = A name is made of characters that can be seen.
server-name-ours = That is what the house calls others: choose another name.
server-nothing-to-say = There is nothing to say.
server-name-long = A name has at most { $most } characters.

## Tables and their seats.

table-unknown = There is no such table.
table-not-in-memory = There is no such table in memory.
table-quicker = Someone was quicker; look again.
table-moved-on = The game has moved on; look again.
table-no-seat = You have no seat at this table.
table-not-begun = The game has not begun: seats are still open.
table-nothing-to-undo = There is nothing to undo: the game is not being played.
table-no-moment = There is no such earlier moment in this game.
table-learned = You have learned something since: that cannot be taken back.
table-one-seat = You can have one seat.
table-play-on-not-over = The game is not over: it can be played on from any moment once it is.
table-no-such-seat = There is no such seat at this table.
table-place-form = A place is “me”, “open”, or “bot:LEVEL”.
table-seat-already = You have a seat at this table already.
table-seat-taken = That seat is taken.
table-nonce = Send a nonce of your own: it goes into the shuffle (it may be empty).
table-seat-given-away = Your seat was given to someone else, and you have seen its hand: in this game you can only watch.
table-bots-before = Before the game only who made the table chooses its bots.
table-bots-during = During the game only those who sit at the table ask for other bots.
table-somebody-there = Somebody has that seat.
table-no-bot-there = No bot has that seat.
table-asked-already = Somebody asks for something already: that is to be answered first.
table-nobody-to-agree = Once cards are dealt seats change hands only if someone else who plays is here and agrees.
table-not-asked-any-more = Nobody asks for that any more.
table-not-asked = You are not asked.
table-private = This table is private: ask for its invitation link.
table-all-taken = All seats are taken.
table-full = A table has room for { $most } entries, and this one is full: begin another.
table-places = A table of { $seats } has { $seats } places, not { $number }.
table-moments = The game has the moments 0 to { $last } to play on from.
table-answer-ends = { $given } ends a request: see what it leads to before you go on.
table-seat-held = You have seen the hand of seat { $number }: in this game you can sit down there and nowhere else.
table-damaged = This table is damaged and cannot be shown; whoever runs this house can read why.
table-partners-silent = Partners do not talk during a round (C23).
table-nobody-talks = Nobody talks to partners during their game (C23): what is said here, they read.
table-record-not-over = There is a record when the game is over: until then it would show hidden cards.
table-replay-not-over = There is a replay when the game is over: until then it would show hidden cards.
table-secret-not-over = The secret is published when the game is over: until then it would show hidden cards.

## Hints and reviews: why there is none.

hint-for-players = You have no seat at this table: hints are for those who play.
hint-none-here = There are no hints at this table: they are for games against bots, unless the host allows them.
hint-not-your-turn = A hint is given when it is your turn.
hint-review-not-over = There is a review when the game is over: until then it would show hidden cards.
hint-review-left = There is a review when the game is over; this one was left before.
hint-review-failed = The review could not be made; the reason has been written down.
hint-game-not-over = A game is reviewed when it is over: until then a review would show hidden cards.

## Bots.

bot-unknown = There is no bot { $name }; the bots are { $bots }.

## Records.

record-no-secret = The record does not show its secret, so its cards cannot be dealt: the game was not over yet.
record-other-secret = The secret is not the one that was committed to before play: the cards cannot be trusted (R3).
record-other-result = The record's result is not what its entries lead to.
record-early-result = The record names a result, but its entries stop before the game is over.
record-fork = The record’s “fork” does not fit its deals and entries.
record-not-readable = The record is not JSON that can be read.
record-not-an-object = A record is a JSON object.

## Crystals: its title, options and questions.

crystals-title = Crystals
crystals-option-rounds = How many rounds are played.
crystals-option-two-cards = Each trick has two cards from each of the two players.
crystals-option-partnership = Partners share a Vault and a Showroom and pass to each other.
crystals-option-pass-to = Cards are passed to the left, or one seat further each round.
crystals-option-perfect = A smaller pack, all of it dealt: everyone knows which cards are in play.
crystals-option-thief = A ♣ action takes from whoever has the thief, and the thief moves on.
crystals-option-team-start = The crystals with which a team's Showroom starts.
crystals-option-open-vaults = Everyone sees what lies in the Vaults.
crystals-option-memory-aid = The table counts the cards that each player has taken; off, it shows the last trick only.
crystals-ask-count = How many cards does everyone pass on?
crystals-ask-pass = Choose a card to pass on.
crystals-ask-play = Play a card.
crystals-ask-victim = From whose Showroom do you take a crystal?

## Crystals: what is told.

crystals-cut = { $seat ->
    [you] You cut { $card }.
   *[other] { $seat } cuts { $card }.
}
crystals-dealt = { $dealer ->
    [you] Round { $round }: you deal.
   *[other] Round { $round }: { $dealer } deals.
}
crystals-count = { $seat ->
    [you] You choose: everyone passes { $number }.
   *[other] { $seat } chooses: everyone passes { $number }.
}
crystals-chosen = { $seat ->
    [you] You have chosen what to pass.
   *[other] { $seat } has chosen what to pass.
}
crystals-passed = { $seat ->
    [you] You pass { $cards } to { $to }.
   *[other] { $seat } passes { $cards } to { $to }.
}
crystals-passed-hidden = { $seat ->
    [you] You pass cards to { $to }: { $number }.
   *[other] { $seat } passes cards to { $to }: { $number }.
}
crystals-played = { $seat ->
    [you] You play { $card }.
   *[other] { $seat } plays { $card }.
}
crystals-diamond = { $seat ->
    [you] ♦ You put a crystal from the Supply into the Vault.
   *[other] ♦ { $seat } puts a crystal from the Supply into the Vault.
}
crystals-heart = { $seat ->
    [you] ♥ You put a crystal from the Supply into the Showroom.
   *[other] ♥ { $seat } puts a crystal from the Supply into the Showroom.
}
crystals-spade = { $seat ->
    [you] ♠ You move a crystal from the Showroom into the Vault.
   *[other] ♠ { $seat } moves a crystal from the Showroom into the Vault.
}
crystals-club = { $seat ->
    [you] ♣ You take a crystal from { $victim }.
   *[other] ♣ { $seat } takes a crystal from { $victim }.
}
crystals-nothing = { $seat ->
    [you] { $suit } You take the action, but no crystal can move (C3).
   *[other] { $suit } { $seat } takes the action, but no crystal can move (C3).
}
crystals-trick = { $seat ->
    [you] You win the trick, led in { $suit }.
   *[other] { $seat } wins the trick, led in { $suit }.
}
crystals-most = { $seat ->
    [you] You took the most { $suit }: { $number }.
   *[other] { $seat } took the most { $suit }: { $number }.
}
crystals-tie = No one alone took the most { $suit }: no action.
crystals-no-trick = { $seat ->
    [you] You won no trick: two ♦ actions (C20).
   *[other] { $seat } won no trick: two ♦ actions (C20).
}
crystals-thief = The thief moves on to { $seat }.
crystals-score = { $seat ->
    [you] You have { $vault } in the Vault and { $showroom } on show: { $score } points.
   *[other] { $seat } has { $vault } in the Vault and { $showroom } on show: { $score } points.
}

## Crystals: why an answer is not legal.

crystals-not-count = One, two or three cards are passed ({ $rule }).
crystals-not-no-seat = There is no seat { $number } to take from ({ $rule }).
crystals-not-own-showroom = You cannot take from your own Showroom ({ $rule }).
crystals-not-lowest-seat = Name that team by its lowest seat, { $number } ({ $rule }).
crystals-not-nothing-on-show = There is no crystal on show to take from there ({ $rule }).
crystals-not-in-hand = That card is not in your hand ({ $rule }).
crystals-not-chosen-already = You have chosen that card already ({ $rule }).
crystals-not-in-order = Name the cards you pass in ascending order: that one would leave too few above it, or comes too late ({ $rule }).
crystals-not-follow = You hold { $suit }: follow suit ({ $rule }).

## Crystals: how it ends (C21).

crystals-end-points = most points
crystals-end-vault = level in points, most in the Vault
crystals-end-shared = level in points and in the Vault: a shared victory

## Fourteen: its title, options and questions.

fourteen-title = Fourteen
fourteen-option-match = A card may make fourteen with the last card, or with either of the last two.
fourteen-option-scoring = Points come from ♦ taken, from a bid kept, or from tricks.
fourteen-option-bids = Bids are said in turn, or chosen by all at the same time.
fourteen-option-target = The total that ends the game.
fourteen-ask-bid = How many ♦ will you take?
fourteen-ask-play = Play a card.

## Fourteen: what is told.

fourteen-cut = { $seat ->
    [you] You cut { $card }.
   *[other] { $seat } cuts { $card }.
}
fourteen-dealt = { $dealer ->
    [you] Hand { $hand }: you deal.
   *[other] Hand { $hand }: { $dealer } deals.
}
fourteen-bid = { $seat ->
    [you] You bid { $number }.
   *[other] { $seat } bids { $number }.
}
fourteen-sealed = { $seat ->
    [you] You have written down a bid.
   *[other] { $seat } has written down a bid.
}
fourteen-played = { $seat ->
    [you] You play { $card }.
   *[other] { $seat } plays { $card }.
}
fourteen-turned = { $seat ->
    [you] Fourteen! You turn the suit to { $suit }.
   *[other] Fourteen! { $seat } turns the suit to { $suit }.
}
fourteen-trick = { $seat ->
    [you] You win the trick; ♦ in it: { $diamonds }.
   *[other] { $seat } wins the trick; ♦ in it: { $diamonds }.
}
fourteen-scored = { $seat ->
    [you] You score { $points } and have { $total }.
   *[other] { $seat } scores { $points } and has { $total }.
}
fourteen-again = The highest total is shared: another hand (F8).

## Fourteen: why an answer is not legal.

fourteen-not-in-hand = That card is not in your hand ({ $rule }).
fourteen-not-follow-or-last = You hold { $suit }: follow suit, or make fourteen with the last card ({ $rule }).
fourteen-not-follow-or-last-two = You hold { $suit }: follow suit, or make fourteen with either of the last two cards ({ $rule }).

## Fourteen: how it ends (F8, F12).

fourteen-end-target = { $points } points, { $target } or more needed
fourteen-end-last-hand = { $hands } hands have been played: the highest total wins

## Mines: its title, options and questions.

mines-title = Mines
mines-option-defence = A defending ♣ may have any rank, or must match the attacking ♣ as a ♥ must.
mines-option-impossible = That someone can no longer get seven ♦ is judged on the cards as they lie, or only on what both players know.
mines-ask-claim = You passed: which neighbouring pile do you claim?
mines-ask-turn = Pass, or take your turn?
mines-ask-dig = Dig one card from a pile of yours, or discard a ♠ to dig two.
mines-ask-dig-first = From which pile do you dig first?
mines-ask-dig-second = And from which pile then?
mines-ask-grow = Discard a ♥ to mark another pile?
mines-ask-grow-pile = Which pile do you mark?
mines-ask-fight = Fight for a pile, or end the turn?
mines-ask-fight-card = With which ♣ do you attack?
mines-ask-defend = Defend your pile?
mines-ask-spoils = Conquer the pile, or raid a card?
mines-ask-give = Which card do you hand over?

## Mines: what is told.

mines-cut = { $seat ->
    [you] You cut { $card }.
   *[other] { $seat } cuts { $card }.
}
mines-dealt = { $first ->
    [you] Thirteen piles are laid out. You begin.
   *[other] Thirteen piles are laid out. { $first } begins.
}
mines-claimed = { $seat ->
    [you] You claim pile { $pile }.
   *[other] { $seat } claims pile { $pile }.
}
mines-passed = { $seat ->
    [you] You pass.
   *[other] { $seat } passes.
}
mines-dug = { $seat ->
    [you] You dig { $card } from pile { $pile }.
   *[other] { $seat } digs { $card } from pile { $pile }.
}
mines-dug-hidden = { $seat ->
    [you] You dig a card from pile { $pile }.
   *[other] { $seat } digs a card from pile { $pile }.
}
mines-discarded = { $seat ->
    [you] You discard { $card }.
   *[other] { $seat } discards { $card }.
}
mines-grew = { $seat ->
    [you] You grow onto pile { $pile }.
   *[other] { $seat } grows onto pile { $pile }.
}
mines-attacked = { $seat ->
    [you] You fight for pile { $pile }.
   *[other] { $seat } fights for pile { $pile }.
}
mines-defended = { $seat ->
    [you] You defend with { $card }.
   *[other] { $seat } defends with { $card }.
}
mines-declined = { $seat ->
    [you] You do not defend.
   *[other] { $seat } does not defend.
}
mines-conquered = { $seat ->
    [you] You conquer pile { $pile }.
   *[other] { $seat } conquers pile { $pile }.
}
mines-raided = { $seat ->
    [you] You raid for a card.
   *[other] { $seat } raids for a card.
}
mines-gave = { $seat ->
    [you] You hand { $card } to { $to }.
   *[other] { $seat } hands { $card } to { $to }.
}
mines-gave-hidden = { $seat ->
    [you] You hand a card to { $to }.
   *[other] { $seat } hands a card to { $to }.
}
mines-seven = { $seat ->
    [you] You hold { $diamonds } ♦ and win.
   *[other] { $seat } holds { $diamonds } ♦ and wins.
}
mines-barred = { $seat ->
    [you] You win: seven ♦ have become impossible for { $loser } (M11).
   *[other] { $seat } wins: seven ♦ have become impossible for { $loser } (M11).
}
mines-idle = Six turns in a row changed nothing: the game ends (M12).

## Mines: why an answer is not legal.

mines-not-unclaimed = Choose an unclaimed pile that touches one of yours ({ $rule }).
mines-not-own-pile = Dig from a pile under your marker that has a card left ({ $rule }).
mines-not-no-club = You have no ♣ to fight with: end the turn ({ $rule }).
mines-not-their-pile = Fight for an opponent's pile that touches one of yours ({ $rule }).
mines-not-in-hand = That card is not in your hand ({ $rule }).
mines-not-two-cards = A ♠ digs two cards, and your piles hold fewer ({ $rule }).
mines-not-heart = Growing takes a ♥ ({ $rule }).
mines-not-club = Fighting takes a ♣ ({ $rule }).
mines-not-defence = Defend with any ♣, or a ♥ of the attacking ♣'s rank or higher, ace high ({ $rule }).
mines-not-defence-ranked = Defend with a ♣ or ♥ of the attacking ♣'s rank or higher, ace high ({ $rule }).

## Mines: how it ends (M10–M12).

mines-end-seven = seven ♦ in hand
mines-end-barred = seven ♦ had become impossible for the other player
mines-end-barred-as-seen = seven ♦ had become impossible for the other player, as both could tell
mines-end-idle = six turns in a row changed nothing, more ♦ in hand
mines-end-draw = six turns in a row changed nothing: a draw
