// Written by `python -m diamonds.server.api.typescript`; a test fails when it is not. Change the Python, then run `make types`.

export type Suit = 'D' | 'H' | 'S' | 'C'

/** A sentence: its id in the catalogues, and its values. */
export type MessageRef = [id: string, args: Record<string, any>]

/** How much time there is: `initial_s` seconds for the game and `increment_s` more for each decision; or `days_per_move` days for each. */
export interface TimeControlInfo {
  initial_s: number
  increment_s: number
  days_per_move: number
}

/** One option of a game, as data for a form. `seats` empty means any; `needs` names another option's value. */
export interface OptionInfo {
  name: string
  values: (boolean | number | string)[]
  default: boolean | number | string
  title: string
  value_labels: Record<string, string>
  description: string
  rule: string
  seats: number[]
  needs: Record<string, boolean | string> | null
  default_by: Record<string, Record<string, number>> | null
}

/** One of the three games. `time_controls` are suggested for live games, by the number of seats and by name (`fast`, `normal`, `slow`). */
export interface GameInfo {
  name: string
  title: string
  description: string
  seats: number[]
  default_seats: number
  options: OptionInfo[]
  time_controls: Record<string, Record<string, TimeControlInfo>>
}

/** A strength of bots that can be sat at a table. */
export interface LevelInfo {
  level: string
  title: string
  description: string
}

/** `GET /api/server`: what can be played here, and who you are. */
export interface ServerResponse {
  games: GameInfo[]
  levels: LevelInfo[]
  levels_unavailable: string
  display_name: string
  version: string
  server_name: string
}

/** `POST /api/me`: change your display name. */
export interface RenameRequest {
  name: string
}

/** `POST /api/token`: an identity for a program: send it as `Authorization: Bearer …`. */
export interface TokenResponse {
  token: string
  name: string
}

/** The clocks of a table, at the server's time `now` (in milliseconds since 1970). */
export interface ClockStateInfo {
  now: number
  remaining_ms: (number | null)[]
  running: number[]
  timeouts: number[]
  forfeited: number[]
  paused: boolean
}

/** Somebody whom all wait for is reminded of it, `by` another seat; until they have answered. */
export interface NudgeInfo {
  seat: number
  by: number
}

/** `POST /api/tables`. `seats_taken_by` has one entry a seat: `me` (kept for whoever makes the table), `open`, or `bot:LEVEL`. */
export interface CreateTableRequest {
  game: string
  seats: number
  options?: Record<string, boolean | number | string>
  seats_taken_by?: string[] | null
  private?: boolean
  substitute_after_s?: number
  hints?: boolean | null
  bot_speed?: 'calm' | 'quick' | 'steady'
  chat_mode?: 'all' | 'none' | 'phrases'
  time_control?: TimeControlInfo | null
  idempotency_key?: string | null
}

/** Who has a seat. `connected` says whether a person is connected; `substituted` whether a bot plays for them now. */
export interface SeatInfo {
  seat: number
  kind: 'bot' | 'open' | 'person'
  name: string
  level: string | null
  connected: boolean
  substituted: boolean
  reserved: boolean
  bot_status: '' | 'ready' | 'simple'
}

/** One line of the lobby. Of a table that is damaged only its id is known, and when it was made; it is listed for its people. */
export interface TableSummary {
  id: string
  game: string
  title: string
  seats: number
  options: Record<string, boolean | number | string>
  seat_holders: SeatInfo[]
  phase: 'damaged' | 'over' | 'playing' | 'waiting'
  time_control: TimeControlInfo | null
  your_turn: boolean
  created: number
}

/** `GET /api/tables`: public tables, newest first, and the caller's own. */
export interface TableListResponse {
  tables: TableSummary[]
  your_tables: TableSummary[]
}

/** Which game a table plays on from: the commitment of its deals, and after how many of its answers. */
export interface ForkInfo {
  commitment: string
  n: number
}

/** What is true of a table besides its game. */
export interface TableInfo {
  id: string
  game: string
  title: string
  seats: number
  options: Record<string, boolean | number | string>
  seat_holders: SeatInfo[]
  phase: 'over' | 'playing' | 'waiting'
  private: boolean
  substitute_after_s: number
  hints: boolean
  bot_speed: 'calm' | 'quick' | 'steady'
  chat_mode: 'all' | 'none' | 'phrases'
  chat_disabled: boolean
  former_player: boolean
  time_control: TimeControlInfo | null
  is_host: boolean
  invite: string | null
  reserved_seat: number | null
  commitment: string
  fork: ForkInfo | null
  rematch_table: string | null
  spectators: number
  proposal: ProposalInfo | null
  chat: ChatMessageInfo[]
}

/** What waits for the consent of others: a step back (`undo`), a seat (`sit`), another bot or none (`bot`), that clocks stand still (`pause`), or that a bot answers for somebody (`answer`). */
export interface ProposalInfo {
  id: number
  kind: 'answer' | 'bot' | 'pause' | 'sit' | 'undo'
  name: string
  is_yours: boolean
  seat: number
  to: number | null
  level: string | null
  waiting_for: number[]
}

/** Something said at a table: a `text`, or a ready `phrase`; `spectators_only` marks what a spectator said, which players read when the game is over. */
export interface ChatMessageInfo {
  name: string
  speaker: string
  at: number
  text: string
  phrase: 'again' | 'bye' | 'hello' | 'luck' | 'moment' | 'nice' | 'oops' | 'sorry' | 'thanks' | 'well-played' | null
  spectators_only: boolean
}

/** An event: after which answer, and what is heard of it; what may not be heard is `null`. */
export interface EventInfo {
  n: number
  event: Record<string, any>
  text: MessageRef | null
}

/** Cards in hand that are not legal, and why. */
export interface IllegalCardsInfo {
  cards: string[]
  text: MessageRef
}

/** The question put to the reader (its sentence is `GAME-question-QUESTION`): the legal answers by name, and which of the other cards in hand are `illegal`, and why (R1). */
export interface OpenQuestionInfo {
  question: string
  legal: (number | string)[]
  illegal: IllegalCardsInfo[]
}

/** First load, update and reconnect are this one message. Its SSE id is `version`. */
export interface TableUpdate {
  version: number
  n: number
  seat: number | null
  view: Record<string, any> | null
  events: EventInfo[]
  oldest_visible: number
  open_question: OpenQuestionInfo | null
  undo_min: number | null
  undo_last: number | null
  result: Record<string, any> | null
  table: TableInfo
  clocks: ClockStateInfo | null
  nudges: NudgeInfo[]
}

/** `POST /api/tables/ID/sit`: take a seat (by default the one kept for you, or the first open one). */
export interface SitRequest {
  seat?: number | null
  invite?: string | null
  nonce?: string | null
  idempotency_key?: string | null
}

/** `POST /api/tables/ID/stand`: leave your seat. During a game it is kept for you, and a bot plays on. */
export interface StandRequest {
  idempotency_key?: string | null
}

/** `POST /api/tables/ID/bot`: sit a bot of a level on an open seat, or with `level: null` send it away. */
export interface SetBotRequest {
  seat: number
  level: string | null
  idempotency_key?: string | null
}

/** `POST /api/tables/ID/bot-speed`: how fast the bots answer from now on; it is for whoever made the table to say. */
export interface SetBotSpeedRequest {
  bot_speed: 'calm' | 'quick' | 'steady'
  idempotency_key?: string | null
}

/** `POST /api/tables/ID/chat-mode`: what may be said at the table from now on; it is for whoever made the table to say. */
export interface SetChatModeRequest {
  chat_mode: 'all' | 'none' | 'phrases'
  idempotency_key: string
}

/** `POST /api/tables/ID/rematch`: the next game of the same people, each one seat on; whoever asks first makes its table. */
export interface RematchRequest {
  idempotency_key?: string | null
}

/** `POST /api/tables/ID/fast-forward`: bots answer at once until you are asked again, where you alone play against bots. */
export interface FastForwardRequest {
}

/** `POST /api/tables/ID/answers`: one or several answers, applied all or none; each but the last shows and ends nothing. */
export interface AnswersRequest {
  n: number
  answers: string[]
  idempotency_key: string
  thinking_ms?: number | null
}

/** An answer, like `play S4`, to your next question in the current trick, if the trick asks for this suit; null: for any. */
export interface PlannedAnswerInfo {
  answer: string
  suit?: 'C' | 'D' | 'H' | 'S' | null
}

/** `POST /api/tables/ID/plan`: prepare answers where the clock counts days. What is left out stays; an empty list cancels. */
export interface PlanRequest {
  plays_forced?: boolean | null
  answers?: PlannedAnswerInfo[] | null
}

/** `GET /api/tables/ID/plan`: what you have prepared; nobody else is told. Planned answers end with the trick. */
export interface PlanResponse {
  plays_forced: boolean
  answers: PlannedAnswerInfo[]
}

/** `POST /api/tables/ID/undo`: step back to `to`, or ask for it. */
export interface UndoRequest {
  n: number
  to: number
  idempotency_key: string
}

/** `POST /api/tables/ID/proposal`: agree to a wish, named by its id, or not; who asks withdraws it by not agreeing. */
export interface ProposalVoteRequest {
  proposal: number
  accept: boolean
  idempotency_key: string
}

/** `POST /api/tables/ID/chat`: a text, or else a ready phrase. */
export interface ChatRequest {
  idempotency_key: string
  text?: string | null
  phrase?: 'again' | 'bye' | 'hello' | 'luck' | 'moment' | 'nice' | 'oops' | 'sorry' | 'thanks' | 'well-played' | null
}

/** `POST /api/tables/ID/pause`: ask that all clocks stand still, or let them go on. */
export interface PauseRequest {
  on: boolean
  idempotency_key?: string | null
}

/** `POST /api/tables/ID/nudge`: remind somebody that all wait for them. */
export interface NudgeRequest {
  seat: number
}

/** `POST /api/tables/ID/substitute`: ask the others that a bot answers for somebody who is silent. */
export interface SubstituteRequest {
  seat: number
  idempotency_key?: string | null
}

/** `POST /api/tables/ID/fork`: a table for oneself and bots, that starts after n answers of a finished game. */
export interface ForkRequest {
  n: number
  seat: number
  level: string
  idempotency_key?: string | null
}

/** A table was made, and its secret fixed: `commitment` is its SHA-256. `invite` is empty where nobody can be invited. */
export interface TableCreatedResponse {
  id: string
  invite: string
  commitment: string
}

/** It is done, and durable. `n` and `version` are the table's now. */
export interface CommittedResponse {
  n: number
  version: number
}

/** Every error: one sentence with what to do, in the language that the request asks for (`Accept-Language`). */
export interface ErrorResponse {
  error: string
  id: string
  args: Record<string, any>
  update: TableUpdate | null
}

/** `POST /api/records/ID/import`: keep the game whose record was opened, if one person played it against bots and it is over. */
export interface ImportRequest {
  idempotency_key?: string | null
}

/** The open table after n answers. */
export interface ReplayStep {
  n: number
  answer: string | null
  view: Record<string, any>
  events: EventInfo[]
}

/** One deal on the score pad: the `deal`, from 1, and of its end what the reader may see, as in a view. */
export interface ScorePadLine {
  deal: number
  view: Record<string, any>
}

/** `GET /api/tables/ID/score-pad`: what the deals that are over have brought; of a finished game, all of it. */
export interface ScorePadResponse {
  lines: ScorePadLine[]
}

/** `GET /api/tables/ID/replay`: every step of a finished game, all hands open. A record may stop before there is a `result`. */
export interface ReplayResponse {
  table: TableInfo
  result: Record<string, any> | null
  steps: ReplayStep[]
}

/** A record that cannot be played again, as it is written; nothing but its form has been checked. */
export interface UnverifiedRecordInfo {
  game: string
  title: string
  options: Record<string, string>
  players: string[]
  seat_holders: string[]
  entries: string[]
}

/** `POST /api/records`: a record, opened. `ok` is whether it verifies, `findings` are sentences: what that means, or why it does not. */
export interface OpenedRecordResponse {
  id: string
  ok: boolean
  findings: MessageRef[]
  unverified: UnverifiedRecordInfo | null
  replay: ReplayResponse | null
}

/** `GET /api/tables/ID/verify`: whether the deals follow from the committed secret. `findings` are sentences. */
export interface DealVerificationResponse {
  ok: boolean
  findings: MessageRef[]
}

/** What was asked for is still being made (202): ask again. `total` is 0 as long as it is not known. */
export interface PendingResponse {
  done: number
  total: number
  ready: boolean
}

/** One answer that a hint lists: by name (a set of cards to pass card by card), what it says, and why. */
export interface HintChoiceInfo {
  answers: (number | string)[]
  text: MessageRef
  gain: number
  gain_error: number
  gap: number
  gap_error: number
  tied: boolean
  reasons: MessageRef[]
}

/** `GET /api/tables/ID/hint`: the best answers to the reader's question, open since n, the best first. */
export interface HintResponse {
  n: number
  seat: number
  question: string
  unit: '%' | 'points'
  choices: HintChoiceInfo[]
  worlds: number
  text: MessageRef
}

/** What would have been best on the true cards, and by how much. */
export interface HindsightInfo {
  text: MessageRef
  cost: number
  cost_error: number
}

/** One decision of a seat, after n answers: what was answered, what was best as far as the seat could know, and the cost. */
export interface JudgedDecisionInfo {
  n: number
  seat: number
  deal: number
  question: string
  answers: (number | string)[]
  best_answers: (number | string)[]
  legal: (number | string)[]
  as_good_answers: ((number | string)[])[]
  text: MessageRef
  best: MessageRef
  cost: number
  cost_error: number
  marked: boolean
  reasons: MessageRef[]
  hindsight: HindsightInfo | null
  points: number
  value: number
  skill: number
  skill_error: number
}

/** One deal of an account: `end = start + cards + luck + skill`; the best answers would have brought `cost` more. */
export interface DealBreakdownInfo {
  start: number
  cards: number
  luck: number
  skill: number
  cost: number
  end: number
}

/** How a seat came to its result: `result = start + cards + luck + skill`. */
export interface ResultBreakdownInfo {
  seat: number
  start: number
  cards: number
  luck: number
  skill: number
  skill_error: number
  cost: number
  result: number
  decisions: number
  marked: number
  rounds: DealBreakdownInfo[]
}

/** Each seat's chance to win after n answers, forecast with all cards open. */
export interface WinChancesInfo {
  n: number
  chances: number[]
}

/** `GET /api/tables/ID/review`: a finished game, judged. A decision is marked if its cost is at least `material_difference` and certain. */
export interface ReviewResponse {
  unit: '%' | 'points'
  material_difference: number
  worlds: number
  decisions: JudgedDecisionInfo[]
  results: ResultBreakdownInfo[]
  chances: WinChancesInfo[]
}

/** A browser that is signed in. `created_day` and `last_seen_day` are days since 1970; `current`: it is the one that asks. */
export interface DeviceInfo {
  id: string
  label: string
  created_day: number
  last_seen_day: number
  current: boolean
}

/** A passkey; `created_day` is a day since 1970. */
export interface PasskeyInfo {
  id: string
  label: string
  created_day: number
}

/** `GET /api/me`: who you are here. */
export interface MeResponse {
  name: string
  has_chosen_name: boolean
  has_account: boolean
  has_recovery_code: boolean
  passkeys: PasskeyInfo[]
  devices: DeviceInfo[]
  table_count: number
  passkeys_unavailable: MessageRef | null
  registration: 'closed' | 'invitation' | 'open'
}

/** What a browser is asked for: the options of WebAuthn, as JSON. */
export interface WebAuthnOptionsResponse {
  options: Record<string, any>
}

/** `POST /api/me/account/begin`: an account with this name; where one needs an `invitation`, with its code. */
export interface BeginAccountRequest {
  name: string
  invitation?: string
}

/** `POST /api/me/account` and `POST /api/me/passkeys`: the passkey that was made, and what to call it. */
export interface PasskeyRequest {
  passkey: Record<string, any>
  label?: string
}

/** What is shown once and kept nowhere: a recovery `code`, or the secret of a `link`. */
export interface SecretResponse {
  code: string
  link: string
}

/** `POST /api/sign-in/passkey`: a passkey's answer. `bring_tables`: this browser's own tables come along. */
export interface PasskeySignInRequest {
  passkey: Record<string, any>
  label?: string
  bring_tables?: boolean
}

/** `POST /api/sign-in/link` and `…/link/look`: a link from another device. */
export interface LinkSignInRequest {
  link: string
  label?: string
  bring_tables?: boolean
}

/** `POST /api/sign-in/code`: the recovery code. */
export interface CodeSignInRequest {
  code: string
  label?: string
  bring_tables?: boolean
}

/** You are signed in, under this name. */
export interface SignedInResponse {
  name: string
}

/** `POST /api/me/devices/remove` and `POST /api/me/passkeys/remove`: which one, by its `id`. */
export interface RemoveRequest {
  id: string
}

/** `POST /api/me/sign-out`: this device, or `everywhere`. */
export interface SignOutRequest {
  everywhere?: boolean
}

/** `POST /api/me/delete`: everything that is kept about you, for good. `name` is yours, to be sure. */
export interface DeleteAccountRequest {
  name: string
}

/** It is done. */
export interface OkResponse {
  ok: boolean
}

/** A seat of a table in the lobby: `open` to whoever comes, `kept` for somebody, a `bot` of a level, or a `person`'s. */
export interface LobbySeatInfo {
  kind: 'bot' | 'kept' | 'open' | 'person'
  name: string
  level: string | null
  connected: boolean
}

/** A public table that can be joined (`waiting`) or watched (`playing`) now. */
export interface LobbyTableInfo {
  id: string
  game: string
  options: Record<string, boolean | number | string>
  phase: 'playing' | 'waiting'
  bot_speed: 'calm' | 'quick' | 'steady'
  time_control: TimeControlInfo | null
  seat_holders: LobbySeatInfo[]
  created: number
}

/** What somebody would play. After `bots_after_s` seconds bots may have the other seats. */
export interface SeekInfo {
  games: string[]
  seats: number[]
  bot_speeds: ('calm' | 'quick' | 'steady')[]
  time_controls: ('day' | 'fast' | 'none' | 'normal' | 'slow')[]
  bots_after_s: number | null
}

/** A seek as everybody in the lobby sees it: the display name, and what is sought. `id` is new with each seek and says nothing of the person. */
export interface ListedSeekInfo {
  id: string
  name: string
  games: string[]
  seats: number[]
  bot_speeds: ('calm' | 'quick' | 'steady')[]
  time_controls: ('day' | 'fast' | 'none' | 'normal' | 'slow')[]
}

/** A friend, and whether they are online: nothing else reveals where they are. */
export interface FriendInfo {
  name: string
  online: boolean
}

/** Somebody asks somebody to play. `name` is the other one; bots have the seats that the two leave. */
export interface ChallengeInfo {
  id: string
  name: string
  game: string
  seats: number
  options: Record<string, boolean | number | string>
  bot_speed: 'calm' | 'quick' | 'steady'
  time_control: TimeControlInfo | null
}

/** What the lobby tells the reader alone: what they `seek`, and at which table somebody has been found (`matched_table`). */
export interface PersonalLobbyInfo {
  seek: SeekInfo | null
  matched_table: string | null
  has_account: boolean
  friends: FriendInfo[]
  friend_requests_in: string[]
  blocked: string[]
  challenges_in: ChallengeInfo[]
  challenge_out: ChallengeInfo | null
}

/** An event of `GET /api/lobby`. Its SSE id is the `version`. */
export interface LobbyUpdate {
  version?: number | null
  tables?: LobbyTableInfo[] | null
  upserted?: LobbyTableInfo[] | null
  removed?: string[] | null
  hidden_count?: number | null
  seek_count?: number | null
  people_count?: number | null
  seeks?: ListedSeekInfo[] | null
  personal?: PersonalLobbyInfo | null
}

/** `POST /api/seek`: play whichever of these games, numbers of seats, paces and clocks comes first; the ones you like best first. */
export interface SeekRequest {
  games: string[]
  seats: number[]
  bot_speeds: ('calm' | 'quick' | 'steady')[]
  time_controls?: ('day' | 'fast' | 'none' | 'normal' | 'slow')[]
  bots_after_s?: number | null
}

/** `POST /api/seek/end`: look for nobody any more. */
export interface CancelSeekRequest {
}

/** `POST /api/friends`: ask somebody to be friends, by the name of their account, or agree to it. The reply tells nothing. */
export interface FriendRequest {
  name: string
}

/** `POST /api/relationships`: `part` with a friend or with somebody who asks to be one; `block` them, or `unblock` somebody. */
export interface RelationshipRequest {
  name: string
  action: 'block' | 'part' | 'unblock'
}

/** `POST /api/tables/ID/block`: block whoever has a seat there, with an account or without. */
export interface BlockSeatRequest {
  seat: number
}

/** `POST /api/challenges`: ask somebody who has an account to play, by name. The reply tells nothing; it stands for a minute. */
export interface ChallengeRequest {
  name: string
  game: string
  seats: number
  options?: Record<string, boolean | number | string>
  bot_speed?: 'calm' | 'quick' | 'steady'
  time_control?: TimeControlInfo | null
}

/** What a challenge is called. */
export interface ChallengeCreatedResponse {
  id: string
}

/** `POST /api/challenges/answer`: agree to a challenge, or not; who asks takes it back by not agreeing. */
export interface ChallengeAnswerRequest {
  id: string
  accept: boolean
}

/** The table at which the two play now, if they do. */
export interface ChallengeAnswerResponse {
  table: string | null
}

/** `GET /api/about`: about this server. `is_moderator`: you are a moderator, and get what moderators get. */
export interface AboutResponse {
  name: string
  address: string
  rules: string
  imprint: string
  registration: 'closed' | 'invitation' | 'open'
  is_moderator: boolean
}

/** What the event `order` of a stream says: you are `warned` or `banned`, or the table is `closed`; and why, and until when. */
export interface ModerationNotice {
  kind: 'banned' | 'closed' | 'warned'
  reason: string
  until: number
}

/** `POST /api/moderation/acknowledge`: you have read the `warning`, which is the text that you were told. */
export interface AcknowledgeRequest {
  warning: string
}

/** `POST /api/tables/ID/report`: tell the hosts of somebody: who has a `seat`, or who said a line (`speaker`, as in the line). */
export interface ReportRequest {
  reason: 'cheating' | 'name' | 'other' | 'rude' | 'spoiling'
  text?: string
  seat?: number | null
  speaker?: string | null
}

/** How somebody stands: until when they are muted or banned (0: they are not), and whether a warning waits to be read. */
export interface SanctionsInfo {
  warned: boolean
  muted_until: number
  banned_until: number
}

/** A report: by whom, of whom, at which table, and what was said there last. */
export interface ReportInfo {
  id: number
  reporter: string
  name: string
  table: string
  reason: 'cheating' | 'name' | 'other' | 'rude' | 'spoiling'
  text: string
  chat_excerpt: ChatMessageInfo[]
  at: number
  resolved: boolean
  sanctions: SanctionsInfo
}

/** `GET /api/moderation/reports`: those that wait, the oldest first, and the last ones that were handled. `waiting` counts all that wait. */
export interface ReportsResponse {
  waiting: number
  open: ReportInfo[]
  resolved: ReportInfo[]
}

/** Somebody with an account, as hosts see them: `created_day` is a day since 1970; how many tables, and how often what was done. */
export interface AccountInfo {
  name: string
  created_day: number
  tables: number
  reports: number
  warnings: number
  mutes: number
  bans: number
  sanctions: SanctionsInfo
}

/** `GET /api/moderation/accounts?name=`: accounts in whose names this occurs, a few of them. */
export interface AccountsResponse {
  accounts: AccountInfo[]
}

/** A table that is waiting or played now: who has its seats ("" where it is open), and how many watch. */
export interface ModeratorTableInfo {
  table: string
  game: string
  phase: 'playing' | 'waiting'
  private: boolean
  seat_names: string[]
  spectators: number
  created: number
}

/** `GET /api/moderation/tables`: the newest tables at which people are. */
export interface ModeratorTablesResponse {
  tables: ModeratorTableInfo[]
}

/** Something that was done: by which `moderator` ("" on the machine itself, or by somebody who is forgotten), to whom, until when, why. */
export interface ActionInfo {
  id: number
  at: number
  moderator: string
  action: string
  name: string
  removed_name: string
  table: string
  until: number
  reason: string
}

/** `GET /api/moderation/actions?before=`: what hosts have done, the last first. */
export interface AuditLogResponse {
  actions: ActionInfo[]
}

/** `POST /api/moderation/actions`: do something about somebody, for so many `hours` if it has an end, and for a `reason`, which they are told. */
export interface ActionRequest {
  action: 'ban' | 'close' | 'handle' | 'mute' | 'rename' | 'unban' | 'unmute' | 'warn'
  reason?: string
  hours?: number | null
  new_name?: string | null
  name?: string | null
  report_id?: number | null
  action_id?: number | null
  table?: string | null
  seat?: number | null
}

/** `POST /api/moderation/invitations`: a code by which one guest may become an account, once and for so many hours. */
export interface InvitationRequest {
  hours?: number
}

/** The code, which is kept nowhere, and until when it is good. */
export interface InvitationResponse {
  code: string
  until: number
}

/** A table at which it is your turn; `deadline_ms` is when your time is up, by the server's clock (milliseconds since 1970), where there is a clock. */
export interface TurnInfo {
  table: string
  game: string
  others: string[]
  deadline_ms: number | null
  days_per_move: number
}

/** Where it is your turn, those tables first at which you have least time left, those without a clock last, and who challenges you (`challenges_in`); `now` is the server's time. */
export interface TurnFeedUpdate {
  now: number
  turns: TurnInfo[]
  challenges_in: ChallengeInfo[]
}

/** A browser that takes messages; `current` is the one that asks. */
export interface PushSubscriptionInfo {
  id: string
  label: string
  created_day: number
  current: boolean
}

/** `POST /api/push/quiet`: when no message is to come, in minutes of the day in a time zone (`Europe/Berlin`); alike: never. */
export interface QuietHoursRequest {
  start_minute: number
  end_minute: number
  time_zone: string
}

/** `GET /api/push`: the key by which push services know this server, your browsers that take messages, and your quiet hours. */
export interface PushResponse {
  key: string
  subscriptions: PushSubscriptionInfo[]
  quiet_hours: QuietHoursRequest | null
}

/** `POST /api/push`: this browser takes messages when it is your turn; the rest is as its `PushSubscription` says it. */
export interface SubscribeRequest {
  endpoint: string
  p256dh: string
  auth: string
  label?: string
}

/** `POST /api/push/remove`: a browser of yours takes no messages any more. */
export interface UnsubscribeRequest {
  id: string
}

/** What a seat sees of crystals. */
export interface CrystalsView {
  /** how many play */
  seats: number
  /** the seats that owe an answer, as bits; 0 when cards are wanted or the game is over */
  to_act: number[]
  /** which question they owe it to: its place in the game's list of questions */
  question: string | null
  /** deals so far */
  deals: number
  /** whether the game has ended */
  over: boolean
  /** option: how many rounds the game has */
  rounds: number
  /** option: two cards each a trick */
  two_cards: boolean
  /** option: partners */
  partnership: boolean
  /** option: 0 for the left neighbour, 1 for one seat further each round */
  pass_to: number
  /** option: every card is in play */
  perfect: boolean
  /** option: the thief goes round */
  thief: boolean
  /** option: what a team starts with */
  team_start: number
  /** vaults are open: by option, or because the game has ended */
  open_vaults: boolean
  /** option: the table counts cards taken, and shows tricks older than the last */
  memory_aid: boolean
  /** the card each seat cut for the first deal */
  cut: (string | null)[]
  /** the round being played, from 1 */
  round: number
  /** who deals this round */
  dealer: number | null
  /** how many cards everyone passes this round; 0 until the dealer has chosen */
  passing: number
  /** to whom each seat passes cards this round */
  passes_to: (number | null)[]
  /** cards in hand */
  hand: (string[] | null)[]
  /** cards set aside unseen */
  aside: string[] | null
  /** cards of the own hand chosen to be passed */
  chosen: (string[] | null)[]
  /** cards this seat has passed on this round */
  given: (string[] | null)[]
  /** cards this seat was passed this round */
  received: (string[] | null)[]
  /** who led the trick on the table */
  leader: number | null
  /** the suit led */
  led: Suit | null
  /** the cards of the trick on the table, in the order they were played */
  trick: string[]
  /** how many cards lie in the trick */
  trick_size: number
  /** the cards of the trick before */
  last_trick: string[]
  /** who led the trick before */
  last_leader: number | null
  /** who won the trick before */
  last_winner: number | null
  /** cards each seat has played this round */
  played: (string[] | null)[]
  /** suits each seat has shown to be out of */
  void: (Suit[] | null)[]
  /** tricks each seat has won this round */
  tricks: number[]
  /** cards of each suit that each team has taken this round */
  taken: ((number | null)[])[]
  /** points in the Supply */
  supply: number
  /** points put away for good */
  vault: (number | null)[]
  /** points on show */
  showroom: number[]
  /** before whom the thief lies */
  thief_at: number | null
  /** who is choosing a victim */
  taker: number | null
  /** what happens next by itself: see the stages below */
  stage: number
  /** the team of each seat, by its lowest seat */
  team: number[]
}

/** What a seat sees of fourteen. */
export interface FourteenView {
  /** how many play */
  seats: number
  /** the seats that owe an answer, as bits; 0 when cards are wanted or the game is over */
  to_act: number[]
  /** which question they owe it to: its place in the game's list of questions */
  question: string | null
  /** deals so far */
  deals: number
  /** whether the game has ended */
  over: boolean
  /** option: how many cards back a card may make fourteen with, less one */
  match: number
  /** option: 0 for ♦ taken, 1 for bids, 2 for tricks */
  scoring: number
  /** option: whether bids are sealed */
  bids: boolean
  /** option: the total that ends the game */
  target: number
  /** the card each seat cut for the first deal */
  cut: (string | null)[]
  /** who deals this hand */
  dealer: number | null
  /** cards in hand */
  hand: (string[] | null)[]
  /** cards set aside unseen */
  aside: string[] | null
  /** ♦ each seat has promised to take this hand */
  bid: (number | null)[]
  /** whether the bids of this hand are known to all */
  bids_open: boolean
  /** who led the trick on the table */
  leader: number | null
  /** the current suit */
  suit: Suit | null
  /** how many times fourteen was made in this trick */
  turned: number
  /** the cards of the trick on the table, in the order they were played */
  trick: string[]
  /** how many cards lie in the trick */
  trick_size: number
  /** the cards of the trick before */
  last_trick: string[]
  /** who led the trick before */
  last_leader: number | null
  /** who won the trick before */
  last_winner: number | null
  /** cards each seat has played this hand */
  played: string[][]
  /** suits each seat has shown to be out of */
  void: Suit[][]
  /** ♦ each seat has taken this hand */
  taken: number[]
  /** tricks each seat has won this hand */
  tricks: number[]
  /** points each seat has scored, written at the end of a hand or of the game */
  totals: number[]
  /** the team of each seat, by its lowest seat */
  team: number[]
}

/** What a seat sees of mines. */
export interface MinesView {
  /** how many play */
  seats: number
  /** the seats that owe an answer, as bits; 0 when cards are wanted or the game is over */
  to_act: number[]
  /** which question they owe it to: its place in the game's list of questions */
  question: string | null
  /** deals so far */
  deals: number
  /** whether the game has ended */
  over: boolean
  /** option: 1 when a defending ♣ must have the attacking ♣'s rank or more */
  defence: number
  /** option: 1 when that seven ♦ are impossible is judged only on what both players know */
  impossible: number
  /** the card each seat cut to see who begins */
  cut: (string | null)[]
  /** who took the first turn */
  first: number | null
  /** whose turn it is */
  turn: number | null
  /** turns begun */
  turns: number
  /** turns in a row without a marker placed, a card drawn or a card discarded */
  idle: number
  /** whether this turn has placed a marker, drawn or discarded */
  busy: boolean
  /** whether each seat passed on its last turn */
  passed: boolean[]
  /** whose marker lies on each pile */
  owner: (number | null)[]
  /** cards left in each pile */
  left: number[]
  /** the cards of each pile, top first; those already drawn are none */
  piles: ((string | null)[])[]
  /** cards in hand */
  hand: (string[] | null)[]
  /** how many cards each seat holds */
  hand_size: number[]
  /** cards each seat has handed over and the other still holds, as both know */
  known: (string[] | null)[]
  /** cards discarded */
  discards: string[]
  /** the pile being fought for */
  attacked: number
  /** the ♣ that attacks */
  attack: string | null
  /** how the game ended: see the endings below */
  ending: number
  /** who has won; none for a draw */
  winner: number | null
  /** the team of each seat, by its lowest seat */
  team: number[]
}
