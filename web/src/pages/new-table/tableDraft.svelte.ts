// The draft of a new table: the last choice in this browser, limited to what the server offers.
import { server } from '../../client/serverInfo.svelte'
import { isStaticSite } from '../../client/staticSite'
import { isAllowed, defaultValue, type OptionValue } from '../../client/options'
import type { CreateTableRequest, GameOptionInfo, TableInfo, TimeControlInfo } from '../../client/types'
import { hasPlayed, loadSetting, saveSetting } from '../../components/settings.svelte'

interface Choice {
  game: string
  seats: number
  options: Record<string, OptionValue>
  /** By seat: `open`, a bot that differs from the others, or `null`. */
  places: (string | null)[]
  /** The level of the bots. */
  level: string
  private: boolean
  /** `null`: hints are allowed if one person plays against bots. */
  hints: boolean | null
  pace: TableInfo['bot_speed']
  /** The name of one of the game's time controls, a number of days, or empty. */
  clock: string
}

const DEFAULTS: Choice = { game: '', seats: 4, options: {}, places: [], level: '', private: true, hints: null, pace: 'steady', clock: '' }

/** Options that determine the length of a game. A first game against bots is as short as possible. */
const LENGTH_OPTIONS = ['rounds', 'target'] as const

export class TableDraft {
  choice: Choice = $state({ ...DEFAULTS, ...loadSetting<Partial<Choice>>('choice', {}) })

  game = $derived(server.info?.games.find((one) => one.name === this.choice.game) ?? server.info?.games[0] ?? null)
  seats = $derived(this.game ? (this.game.seats.includes(this.choice.seats) ? this.choice.seats : this.game.default_seats) : 4)
  #offered = $derived(server.info?.levels.filter((one) => one.plugin || /^\d+$/.test(one.level)) ?? [])
  /** Numbered levels and plug-in bots are for playing; the others are for programs and comparisons. */
  levels = $derived(this.#offered.some((one) => !one.plugin) ? this.#offered : (server.info?.levels ?? []))
  level = $derived((this.levels.find((one) => one.level === this.choice.level) ?? this.levels[0])?.level ?? '')
  places = $derived(Array.from({ length: this.seats }, (_, seat) => (seat === 0 ? 'me' : this.#place(this.choice.places[seat]))))
  bots = $derived(this.places.filter((one) => one.startsWith('bot:')))
  openSeats = $derived(this.places.filter((one) => one === 'open').length)
  clocks = $derived(this.game?.time_controls[this.seats] ?? {})
  clock: TimeControlInfo | null = $derived(isStaticSite ? null : Number(this.choice.clock) ? { initial_s: 0, increment_s: 0, days_per_move: Number(this.choice.clock) } : (this.clocks[this.choice.clock] ?? null))
  /** The game's options that apply to this table. */
  options = $derived(this.game?.options.filter((option) => isAllowed(option, this.seats, this.value)) ?? [])
  #isFirst = !hasPlayed()
  /** The option that determines the length of the game, if it has one. */
  length = $derived(LENGTH_OPTIONS.find((name) => this.value(name) !== undefined))
  /** True for a short first game, whose length the player did not choose. */
  isShortened = $derived(this.#isFirst && !this.openSeats && this.choice.options[`${this.game?.name}.${this.length}`] === undefined)

  /** True if any advanced option differs from its default. */
  isCustomized = $derived(
    this.choice.hints !== null || this.choice.pace !== DEFAULTS.pace || this.clock !== null || this.options.some((option) => this.value(option.name) !== this.#usual(option)),
  )

  #place(place: string | null | undefined): string {
    return (place === 'open' && !isStaticSite) || this.levels.some((one) => `bot:${one.level}` === place) ? place! : `bot:${this.level}`
  }

  #usual(option: GameOptionInfo): OptionValue {
    const isShort = this.#isFirst && !this.openSeats && LENGTH_OPTIONS.some((name) => name === option.name)
    return isShort ? option.values[0]! : defaultValue(option, this.seats, this.value)
  }

  /** Return the value of an option: the choice if it is valid, else the default. */
  value = (name: string): OptionValue | undefined => {
    const option: GameOptionInfo | undefined = this.game?.options.find((one) => one.name === name)
    if (!option) return undefined
    const given = this.choice.options[`${this.game!.name}.${name}`]
    const means = option.seats.length === 0 || option.seats.includes(this.seats)
    return means && given !== undefined && option.values.includes(given) ? given : this.#usual(option)
  }

  choose = (change: Partial<Choice>): void => {
    Object.assign(this.choice, change)
    saveSetting('choice', this.choice)
  }

  setOption = (option: GameOptionInfo, value: OptionValue): void =>
    this.choose({ options: { ...this.choice.options, [`${this.game!.name}.${option.name}`]: value } })

  /** Set the level of all bots, replacing choices for single seats. */
  setBots = (level: string): void => this.choose({ level, places: this.choice.places.map((one) => (one === 'open' ? one : null)) })

  /** Open this number of seats, starting from the last; bots take the others. */
  setOpenSeats = (number: number): void =>
    this.choose({ places: this.places.map((one, seat) => (seat >= this.seats - number ? 'open' : one === 'open' ? null : (this.choice.places[seat] ?? null))) })

  setPlace = (seat: number, place: string): void =>
    this.choose({ places: Array.from({ length: Math.max(seat + 1, this.choice.places.length) }, (_, k) => (k === seat ? place : (this.choice.places[k] ?? null))) })

  get request(): CreateTableRequest {
    const { private: unlisted, hints, pace } = this.choice
    const options = Object.fromEntries(this.options.map((option) => [option.name, this.value(option.name)!]))
    return { game: this.game!.name, seats: this.seats, options, seats_taken_by: this.places, private: unlisted, hints, bot_speed: pace, time_control: this.clock }
  }
}
