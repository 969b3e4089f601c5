### What Diamonds says, in English. docs/languages.md tells how to write this file and how to add a language.
###
### A sentence is found by its id. What a value is follows from its name: $seat, $to, $victim, $dealer, $first and $loser are
### people, "you" for the reader and else a name; $card, $cards and $suit come with their suits drawn; $number and the like are
### numbers. Every sentence uses all of its values, and no other.

## How lists, foreign texts and nothing are said within sentences.

list-and = { $before } and { $last }
list-or = { $before } or { $last }
quoted = “{ $text }”
nothing = nothing

## Crystals: how it ends (C21).

crystals-end-points = most points
crystals-end-vault = level in points, most in the Vault
crystals-end-shared = level in points and in the Vault: a shared victory

## Fourteen: how it ends (F8, F12).

fourteen-end-target = { $points } points, { $target } or more needed
fourteen-end-last-hand = { $hands } hands have been played: the highest total wins

## Mines: how it ends (M10–M12).

mines-end-seven = seven ♦ in hand
mines-end-barred = seven ♦ had become impossible for the other player
mines-end-barred-as-seen = seven ♦ had become impossible for the other player, as both could tell
mines-end-idle = six turns in a row changed nothing, more ♦ in hand
mines-end-draw = six turns in a row changed nothing: a draw
