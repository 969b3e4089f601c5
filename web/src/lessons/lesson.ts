// The session of a lesson: the table of each step, the check of answers, feedback.
import { checkOptions, EngineError, type RulesModule, type StackedDeck } from '../engine'
import type { CommittedResponse, TableUpdate } from '../client/types'
import { MemoryStore, type StoredEntry, type StoredTable } from '../local/storage'
import { LocalSession } from '../local/session'
import { LocalTable } from '../local/localTable'
import type { Course, StackedDeal, Step } from './course'

const FIXED_SECRET = '00'.repeat(32)
const SILENT_ERROR: EngineError = new EngineError('as-it-is', { text: '' }) // the lesson itself says what is wrong

/** Whether an answer is among those that a pattern names: `play D*`. */
export function matches(pattern: string, answer: string): boolean {
  const [question, ...some] = pattern.split(' ')
  const [asked, given = ''] = answer.split(' ')
  return question === '*' || (question === asked && some.some((one) => (one.endsWith('*') ? given.startsWith(one.slice(0, -1)) : given === one)))
}

/** The answer that a pattern names first. */
const firstAnswer = (pattern: string): string => pattern.split(' ').slice(0, 2).join(' ')

/** The cards of a table in the order in which they are dealt: where each place's cards come from in a deck, the rules are asked. */
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

/** A table of a course, when the cards have been dealt. */
export function stackedTable(rules: RulesModule, table: StackedDeal, name: string, id: string): LocalTable {
  const { me, options, cut } = table
  const seats = cut.length
  const kept: StoredTable = {
    id, game: rules.name, version: rules.info.version, seats, options, name, places: cut.map((_, seat) => (seat === me ? 'me' : 'bot:1')), secret: FIXED_SECRET,
    nonces: cut.map(() => ''), fork: null, pace: 'steady', hints: false, created: Date.now(), again: null, last: 0, turn: false, over: false,
  }
  return new LocalTable(kept, rules, '', stackDeck(rules, seats, table))
}

/** What others answer next: what is written for one of them, or the first that is legal; nothing once all that was written is done. */
function nextAnswer(table: LocalTable, seat: number, script: string[]): string | null {
  const at = script.findIndex((line) => line.startsWith(`${seat} `))
  if (at < 0) return null
  const [line] = script.splice(at, 1)
  const open = table.legalAnswers(seat)
  return open.find((one) => one === line!.slice(2)) ?? open[0]!
}

const applyAnswer = (table: LocalTable, seat: number, answer: string): void =>
  table.answers(seat, table.n, [answer]).forEach((line) => table.apply({ n: table.n, line, at: Date.now() }))

/** The learner gives answers, and others theirs in between and afterwards. */
function play(table: LocalTable, mine: string[], script: string[]): void {
  const [own, others] = [[...mine], [...script]]
  while (!table.over) {
    const seat = table.toAct.includes(table.seat) ? table.seat : table.toAct[0]!
    const answer = seat === table.seat ? own.shift() : nextAnswer(table, seat, others)
    if (!answer) return
    applyAnswer(table, seat, answer)
  }
}

/** The table where a step begins: each step before it at the same table was done as its file says first. */
export function startStep(course: Course, k: number, rules: RulesModule, name: string, id: string): LocalTable {
  let from = k
  while (!course.steps[from]!.at) from--
  const { table: which, played } = course.steps[from]!.at!
  const table = stackedTable(rules, course.tables[which]!, name, id)
  for (const line of played) applyAnswer(table, Number(line[0]), line.slice(2))
  for (const step of course.steps.slice(from, k)) play(table, step.do.map(firstAnswer), step.then ?? [])
  return table
}

/** What is said of a step: how it is asked, that it was done, or why an answer was not the one asked for. The rest of a sentence's id. */
export type Feedback = { how: 'asks' | 'right' | 'wrong'; id: string }

/** What comes of answers: done, on the way, or the name of what is said against them. */
export type JudgedAnswer = { how: 'done' | 'on' } | { how: 'wrong'; why: string }

/** Whether answers, after others that were right, do what a step asks. They are legal at this table. */
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

/** A running course. The local server uses it in place of a `LocalSession`. */
export class LessonSession {
  table!: LocalTable
  feedback!: Feedback
  #session!: LocalSession
  #correctAnswers: string[] = []
  #script: string[] = []
  #done = false
  #listeners = new Map<(message: TableUpdate) => void, () => void>()
  #tables = 0

  constructor(
    readonly course: Course,
    readonly rules: RulesModule,
    readonly name: string,
    /** A step has begun at a table of this id, or something else is said. */
    readonly onChange: (lesson: LessonSession) => void,
    readonly sleep: (ms: number) => Promise<void> = (ms) => new Promise((go) => setTimeout(go, ms)),
  ) {}

  stepIndex = 0

  get step(): Step {
    return this.course.steps[this.stepIndex]!
  }
  get id(): string {
    return this.table.stored.id
  }
  get isWatched(): boolean {
    return this.#session.isWatched
  }

  /** Begin a step; at the table that one sits at, if that is where it begins. */
  async begin(k: number): Promise<void> {
    const before = this.#done && k === this.stepIndex + 1 ? this.table : null
    this.stepIndex = k
    const id = `own-${`lesson${++this.#tables}`.padEnd(32, '_')}`
    const table = startStep(this.course, k, this.rules, this.name, id)
    this.#correctAnswers = []
    this.#script.splice(0, Infinity, ...(this.step.then ?? []))
    this.#done = false
    if (!before || !isSameState(before, table)) await this.#join(table)
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

  /** Others who wait for something to answer. */
  #waiting: (() => void)[] = []

  /** What another answers, once it is written what that is. */
  async #botAnswer(table: LocalTable, seat: number): Promise<number> {
    for (;;) {
      const answer = table === this.table ? nextAnswer(table, seat, this.#script) : null
      if (answer) return table.rules.info.questions.find(({ name }) => answer.startsWith(`${name} `))!.answers.findIndex((one) => answer.endsWith(` ${one}`))
      await new Promise<void>((go) => this.#waiting.push(go))
    }
  }

  #setFeedback(feedback: Feedback): void {
    this.feedback = feedback
    this.onChange(this)
  }

  /** Answers are given if they are the ones asked for. */
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
    const done = await this.#session.answer(n, answers)
    if (this.#done) this.#setFeedback({ how: 'right', id: `${this.step.name}-right` })
    return done
  }

  listen(onMessage: (message: TableUpdate) => void): () => void {
    let isUpdate = false
    const forward = (message: TableUpdate): void => {
      onMessage(this.#adjusted(isUpdate ? message : { ...message, events: [] })) // what led here is not told
      isUpdate = true
    }
    const end = this.#session.listen(forward)
    this.#listeners.set(forward, end)
    return () => {
      this.#listeners.delete(forward)
      end()
    }
  }

  /** Nothing is taken back here; and once a step is done, nothing is asked before the next. */
  #adjusted(message: TableUpdate): TableUpdate {
    const withoutUndo = { ...message, undo_to: null, undo_step: null }
    if (!this.#done || !this.table.toAct.includes(this.table.seat)) return withoutUndo
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

/** Whether two tables are the same to all who sit there. */
const isSameState = (one: LocalTable, other: LocalTable): boolean => one.state.length === other.state.length && one.state.every((number, k) => number === other.state[k])
