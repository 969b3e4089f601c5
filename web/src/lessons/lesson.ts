// The session of a lesson: the table of each step, the check of answers, feedback.
import { checkOptions, EngineError, type RulesModule, type StackedDeck } from '../engine'
import type { CommittedResponse, TableUpdate } from '../client/types'
import { MemoryStore, type StoredEntry, type StoredTable } from '../local/localTableStore'
import { LocalSession } from '../local/localSession'
import { LocalTable } from '../local/localTable'
import type { Course, StackedDeal, Step } from './course'

const FIXED_SECRET = '00'.repeat(32)
const SILENT_ERROR: EngineError = new EngineError('as-it-is', { text: '' }) // the lesson shows its own message

/** Return whether an answer matches a pattern such as `play D*`. */
export function matches(pattern: string, answer: string): boolean {
  const [question, ...some] = pattern.split(' ')
  const [asked, given = ''] = answer.split(' ')
  return question === '*' || (question === asked && some.some((one) => (one.endsWith('*') ? given.startsWith(one.slice(0, -1)) : given === one)))
}

/** Return the first answer that a pattern allows. */
const firstAnswer = (pattern: string): string => pattern.split(' ').slice(0, 2).join(' ')

/** Return the deck that deals these cards. A trial deal reveals where each position of the deck goes. */
function stackDeck(rules: RulesModule, seats: number, { options, cut, cards }: StackedDeal): StackedDeck {
  const number = (card: string): number => rules.info.cards.indexOf(card)
  const row = rules.blank(seats, checkOptions(rules.name, rules.info, seats, options))
  const cuts = cut.map(number)
  rules.start(row, cuts)
  const pack = rules.pack(row)
  rules.deal(row, pack)
  const deck = new Array<number>(pack.length)
  const taken = new Set<number>()
  rules.laidOut(row).packets.forEach((packet, k) =>
    packet.forEach((card, at) => {
      const stackedCard = cards[k]?.[at]
      if (stackedCard === undefined) return
      deck[pack.indexOf(number(card))] = number(stackedCard)
      taken.add(number(stackedCard))
    }),
  )
  const rest = pack.filter((card) => !taken.has(card))
  return { cut: cuts, deck: Array.from(deck, (card) => card ?? rest.shift()!) }
}

/** Return a table of a course after the deal. */
export function stackedTable(rules: RulesModule, table: StackedDeal, name: string, id: string): LocalTable {
  const { me, options, cut } = table
  const seats = cut.length
  const kept: StoredTable = {
    id, game: rules.name, version: rules.info.version, seats, options, name, places: cut.map((_, seat) => (seat === me ? 'me' : 'bot:1')), secret: FIXED_SECRET,
    nonces: cut.map(() => ''), fork: null, pace: 'steady', hints: false, created: Date.now(), again: null, last: 0, turn: false, over: false,
  }
  return new LocalTable(kept, rules, '', stackDeck(rules, seats, table))
}

/** Return the next answer of another player: the scripted one if it is legal, else the first legal one; `null` at the end of the script. */
function nextAnswer(table: LocalTable, seat: number, script: string[]): string | null {
  const at = script.findIndex((line) => line.startsWith(`${seat} `))
  if (at < 0) return null
  const [line] = script.splice(at, 1)
  const open = table.legalAnswers(seat)
  return open.find((one) => one === line!.slice(2)) ?? open[0]!
}

const applyAnswer = (table: LocalTable, seat: number, answer: string): void =>
  table.answers(seat, table.n, [answer]).forEach((line) => table.apply({ n: table.n, line, at: Date.now() }))

/** Apply the learner's answers, and those of the others in between and afterwards. */
function play(table: LocalTable, mine: string[], script: string[]): void {
  const [own, others] = [[...mine], [...script]]
  while (!table.over) {
    const seat = table.toAct.includes(table.seat) ? table.seat : table.toAct[0]!
    const answer = seat === table.seat ? own.shift() : nextAnswer(table, seat, others)
    if (!answer) return
    applyAnswer(table, seat, answer)
  }
}

/**
 * Return the table at the start of a step, before or after the others' answers that lead to it. Earlier steps at the
 * same table are played with their first correct answers.
 */
export function startStep(course: Course, k: number, rules: RulesModule, name: string, id: string, isLed = true): LocalTable {
  let from = k
  while (!course.steps[from]!.at) from--
  const { table: which, played } = course.steps[from]!.at!
  const table = stackedTable(rules, course.tables[which]!, name, id)
  for (const line of played) applyAnswer(table, Number(line[0]), line.slice(2))
  for (const step of course.steps.slice(from, k)) play(table, step.do.map(firstAnswer), [...(step.first ?? []), ...(step.then ?? [])])
  if (isLed) play(table, [], course.steps[k]!.first ?? [])
  return table
}

/** The scores of a player or a team by seat: points, or ♦ taken, or cards and piles. Unknown numbers are missing. */
export type Tally = { seats: number[]; counts: Record<string, number> }[]

/** Return the scores at a table, as far as the learner may know them. */
export function tallyOf({ rules, state, seat: me, stored }: LocalTable): Tally {
  const data = rules.data(state) as unknown as Record<string, number[] | undefined> & { hand: string[][]; owner: (number | null)[] }
  const seats = stored.places.map((_, seat) => seat)
  if (data.showroom) {
    const [team, vault] = [data.team!, data.vault!]
    return seats.filter((seat) => team.indexOf(team[seat]!) === seat).map((seat) => ({ seats: seats.filter((one) => team[one] === team[seat]), counts: { points: data.showroom![seat]! + 2 * vault[seat]! } }))
  }
  if (data.taken) return seats.map((seat) => ({ seats: [seat], counts: { diamonds: data.taken![seat]! } }))
  return seats.map((seat) => ({
    seats: [seat],
    counts: { ...(seat === me && { diamonds: data.hand[seat]!.filter((card) => card.startsWith('D')).length }), cards: data.hand[seat]!.length, piles: data.owner.filter((one) => one === seat).length },
  }))
}

/** The feedback of a step: its task, success, or why an answer was wrong. `id` is the rest of the message id. */
export interface Feedback {
  how: 'asks' | 'right' | 'wrong'
  id: string
  /** The scores now, and before the answers that the feedback concerns. */
  tally: Tally
  before: Tally | null
}

/** The verdict on answers: done, not yet complete, or wrong with the name of its feedback. */
export type JudgedAnswer = { how: 'done' | 'on' } | { how: 'wrong'; why: string }

/** Judge legal answers that follow earlier correct ones. */
export function judgeAnswer(step: Step, before: string[], answers: string[], copy: () => LocalTable): JudgedAnswer {
  const all = [...before, ...answers]
  const against = (answer: string): JudgedAnswer => ({ how: 'wrong', why: Object.entries(step.wrong ?? {}).find(([pattern]) => matches(pattern, answer))?.[1] ?? 'wrong' })
  for (const [k, answer] of all.entries()) if (!step.do[k] || !matches(step.do[k]!, answer)) return against(answer)
  if (all.length < step.do.length) return { how: 'on' }
  const table = copy()
  const n = table.n
  play(table, all, step.then ?? [])
  const { events } = table.message(n)
  const came = (wanted: Record<string, unknown>): boolean => events.some(({ event }) => Object.entries(wanted).every(([name, value]) => event[name] === value))
  return (step.brings ?? []).every(came) ? { how: 'done' } : against(all.at(-1)!)
}

/** A running course. The local server uses it instead of a `LocalSession`. */
export class LessonSession {
  table!: LocalTable
  feedback!: Feedback
  #session!: LocalSession
  #correctAnswers: string[] = []
  #script: string[] = []
  /** All scripted answers of the step, and the number of lines before them. */
  #wholeScript: string[] = []
  #begunAt = 0
  #done = false
  /** The feedback to the latest answers, held back until the others have played. */
  #next: Pick<Feedback, 'how' | 'id'> | null = null
  /** The scores before those answers. */
  #answered: Tally | null = null
  #listeners = new Map<(message: TableUpdate) => void, () => void>()
  #tables = 0

  constructor(
    readonly course: Course,
    readonly rules: RulesModule,
    readonly name: string,
    /** Called when a step begins or the feedback changes. */
    readonly onChange: (lesson: LessonSession) => void,
    readonly sleep: (ms: number) => Promise<void> = (ms) => new Promise((go) => setTimeout(go, ms)),
  ) {}

  stepIndex = 0
  /** True if the step does not continue the table shown before. */
  isFresh = false
  /** The trick of the deal with which the step began, from 1. */
  trick = 1

  get step(): Step {
    return this.course.steps[this.stepIndex]!
  }
  get id(): string {
    return this.table.stored.id
  }
  get isWatched(): boolean {
    return this.#session.isWatched
  }

  /** Begin a step; keep the current table if the step begins there. */
  async begin(k: number): Promise<void> {
    const before = this.#done && k === this.stepIndex + 1 ? this.table : null
    this.stepIndex = k
    const id = `own-${`lesson${++this.#tables}`.padEnd(32, '_')}`
    const table = startStep(this.course, k, this.rules, this.name, id)
    this.#correctAnswers = []
    this.#done = false
    this.#next = this.#answered = null
    const isContinued = before !== null && isSameState(before, startStep(this.course, k, this.rules, this.name, '', false))
    this.#wholeScript = [...(isContinued ? (this.step.first ?? []) : []), ...(this.step.then ?? [])]
    this.#script.splice(0, Infinity, ...this.#wholeScript)
    this.#begunAt = table.lines.length - (isContinued ? (this.step.first?.length ?? 0) : 0)
    this.isFresh = !isContinued && this.#tables > 1
    this.trick = 1 + table.message(null).events.filter(({ event }) => event.event === 'trick').length
    if (!isContinued) await this.#join(table)
    this.#setFeedback({ how: 'asks', id: this.step.name })
    for (const go of this.#waiting.splice(0)) go()
    this.#notifyAll()
  }

  async #join(table: LocalTable): Promise<void> {
    this.table = table
    const store = new MemoryStore()
    await store.make(table.stored, table.lines.map((line, n): StoredEntry => ({ n, line, at: 0 })))
    this.#session = new LocalSession(table, {
      store,
      chooseAnswer: (_, __, seat) => this.#botAnswer(table, seat),
      now: Date.now,
      sleep: this.sleep,
      writerLock: (_, changed) => (queueMicrotask(() => changed(true)), { take: async () => {}, drop: () => {} }),
      notifyTabs: () => {},
      onStorageFailure: () => {},
      onBotFailure: () => {},
    })
  }

  /** Bots that wait for the next script. */
  #waiting: (() => void)[] = []

  /** Return the scripted answer of a bot as soon as there is one. */
  async #botAnswer(table: LocalTable, seat: number): Promise<number> {
    for (;;) {
      const answer = table === this.table ? nextAnswer(table, seat, this.#script) : null
      if (answer) return table.rules.info.questions.find(({ name }) => answer.startsWith(`${name} `))!.answers.findIndex((one) => answer.endsWith(` ${one}`))
      await new Promise<void>((go) => this.#waiting.push(go))
    }
  }

  #setFeedback(feedback: Pick<Feedback, 'how' | 'id'>): void {
    const isWrong = feedback.how === 'wrong'
    this.feedback = { ...feedback, tally: tallyOf(this.table), before: isWrong ? null : this.#answered }
    if (!isWrong) this.#answered = null
    this.onChange(this)
  }

  /** True while the others have nothing to play until the learner continues. */
  get #isQuiet(): boolean {
    const { toAct, seat, lines } = this.table
    const number = (some: readonly string[], of: number): number => some.filter((line) => line.startsWith(`${of} `)).length
    return toAct.every((one) => one === seat || number(lines.slice(this.#begunAt), one) >= number(this.#wholeScript, one))
  }

  /** Show the feedback to the latest answers once the others have played. */
  #report(): void {
    const next = this.#next
    if (!next || !this.#isQuiet) return
    this.#next = null
    this.#setFeedback(next)
  }

  /** Apply the answers if they are correct. */
  async answer(n: number, answers: string[]): Promise<CommittedResponse> {
    if (this.#done) throw SILENT_ERROR
    this.table.answers(this.table.seat, n, answers)
    const found = judgeAnswer(this.step, this.#correctAnswers, answers, () => startStep(this.course, this.stepIndex, this.rules, this.name, ''))
    if (found.how === 'wrong') {
      this.#setFeedback({ how: 'wrong', id: `${this.step.name}-${found.why}` })
      throw SILENT_ERROR
    }
    this.#done = found.how === 'done'
    this.#correctAnswers.push(...answers)
    this.#answered ??= tallyOf(this.table)
    if (this.#done) this.#next = { how: 'right', id: `${this.step.name}-right` }
    else if (this.#correctAnswers.length === this.step.secondTaskAfter) this.#next = { how: 'asks', id: `${this.step.name}-then` }
    const done = await this.#session.answer(n, answers)
    this.#report()
    return done
  }

  listen(onMessage: (message: TableUpdate) => void): () => void {
    const forward = (message: TableUpdate): void => {
      onMessage(this.#adjusted(message))
      this.#report()
    }
    const end = this.#session.listen(forward)
    this.#listeners.set(forward, end)
    return () => {
      this.#listeners.delete(forward)
      end()
    }
  }

  /** Remove undo, and the open question once the step is done. */
  #adjusted(message: TableUpdate): TableUpdate {
    const withoutUndo = { ...message, undo_to: null, undo_step: null }
    if (!this.#done || !this.#isQuiet) return withoutUndo
    return { ...withoutUndo, open_question: null, view: { ...message.view, question: null }, table: { ...message.table, phase: 'over' } }
  }

  #notifyAll(): void {
    for (const tell of this.#listeners.keys()) tell(this.table.message(this.table.n))
  }

  fastForward = (): void => this.#session.fastForward()
  setBotSpeed = (pace: Parameters<LocalSession['setBotSpeed']>[0]): Promise<void> => this.#session.setBotSpeed(pace)
  change: LocalSession['change'] = (change) => this.#session.change(change)
  catchUp = (): Promise<void> => this.#session.catchUp()
  undo = (): Promise<CommittedResponse> => Promise.reject(SILENT_ERROR)
}

/** Return whether two tables have the same state. */
const isSameState = (one: LocalTable, other: LocalTable): boolean => one.state.length === other.state.length && one.state.every((number, k) => number === other.state[k])
