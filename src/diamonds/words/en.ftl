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
