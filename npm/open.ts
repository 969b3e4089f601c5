// The engine for Node and browsers, which differ only in how a file is read.
import { gameOf, Judge, Mind, OwnGame, readRecord, Reasons, Refused, Rules, type Fetch, type Header, type Manifest } from './publicNames'
import { verifyHash } from '../web/src/engine/wasmModule'
import { files, manifest as sum } from './files.js'

export * from './publicNames'

const MANIFEST = 'manifest.json'

/** The place of the modules: the address of a folder, ending in `/`, or a function from a file name to its bytes. */
export type From = string | { readonly href: string } | Fetch

/** The settings of a new game: either names or the number of seats. Everything else has defaults. */
export type Start = Partial<Omit<Header, 'players'>> & ({ players: string[] } | { seats: number; players?: string[] })

/** A bot of one level. It returns an answer to a seat's open question; equal bits give equal answers. */
export type Bot = (game: OwnGame, seat: number, bits?: bigint) => number | string

export class Engine {
  readonly #opened = new Map<string, Promise<unknown>>()

  constructor(
    readonly manifest: Manifest,
    readonly fetch: Fetch,
  ) {}

  /** The names of the games. */
  get games(): string[] {
    return Object.keys(this.manifest.games)
  }

  /** The names of a game's bots, weakest first. */
  levels = (game: string): string[] => Object.keys(this.#info(game).thinking?.efforts ?? {})

  rules = (game: string): Promise<Rules> => this.#once(`rules ${game}`, () => Rules.open(game, this.manifest, this.fetch), game)
  mind = (game: string): Promise<Mind> => this.#once(`mind ${game}`, () => Mind.open(this.#info(game), this.fetch), game)
  judge = (game: string): Promise<Judge> => this.#once(`judge ${game}`, () => Judge.open(this.#info(game), this.fetch), game)
  reasons = (game: string): Promise<Reasons> => this.#once(`reasons ${game}`, () => Reasons.open(this.#info(game), this.fetch), game)

  /** Start a game, cut and dealt. Its cards follow from a new secret unless one is given. */
  async start(game: string, start: Start): Promise<OwnGame> {
    const rules = await this.rules(game)
    const seats = start.seats ?? start.players?.length ?? 0
    const each = (of: (seat: number) => string): string[] => Array.from({ length: seats }, (_, seat) => of(seat))
    const header = { seated: each(() => 'person'), ...start, seats, players: start.players ?? each((seat) => `Seat ${seat}`) }
    return new OwnGame(rules, header, this.manifest.record)
  }

  /** Return a bot, which sees only what its seat may see. Levels take up to half a second: in a page, call them in a worker. */
  async bot(game: string, level: string): Promise<Bot> {
    const mind = await this.mind(game)
    if (level !== 'simple' && !this.levels(game).includes(level)) throw new RangeError(`Levels of ${game}: simple, ${this.levels(game).join(', ')}; not ${level}.`)
    return (played, seat, bits = crypto.getRandomValues(new BigUint64Array(1))[0]!) => {
      const view = played.seen(seat)
      const answer = level === 'simple' ? mind.choose(view, seat) : mind.think(view, seat, level, bits).answer
      const asked = played.rules.info.questions[played.rules.question(view)]!
      return asked.answers[answer]!
    }
  }

  /** Replay a record, given as text or data. The deals must be fair, the answers legal and the result correct; `Refused` is thrown otherwise. */
  async verify(record: unknown): Promise<OwnGame> {
    const data = typeof record === 'string' ? parsed(record) : record
    return readRecord(data, await this.rules(gameOf(data, this.manifest.record)), this.manifest.record)
  }

  #info(game: string): Manifest['games'][string] {
    const info = Object.hasOwn(this.manifest.games, game) ? this.manifest.games[game] : undefined
    if (!info) throw new Refused('game-unknown', { given: game, games: this.games })
    return info
  }

  /** Open something once and cache it. Failures are not cached. */
  async #once<What>(key: string, open: () => Promise<What>, game: string): Promise<What> {
    this.#info(game)
    let opened = this.#opened.get(key) as Promise<What> | undefined
    if (!opened) {
      opened = open()
      this.#opened.set(key, opened)
      opened.catch(() => this.#opened.delete(key))
    }
    return await opened
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused('record-not-readable')
  }
}

/** A function that reads the bytes at an address. @internal */
type Read = (url: URL) => Promise<Uint8Array<ArrayBuffer>>

function readerOf(from: From, read: Read): Fetch {
  if (typeof from === 'function') return from
  const folder = typeof from === 'string' ? new URL(from, globalThis.location?.href) : from.href
  return (file) => read(new URL(file, folder))
}

/** A function that opens the engine. The modules are those of this package, or those at `from`, for example a server's `/engine/`. */
export type Open = (given?: { from?: From }) => Promise<Engine>

/** Return a function that opens the engine with this way of reading files. @internal */
export const opener =
  (read: Read): Open =>
  async ({ from } = {}) => {
    const fetch = from === undefined ? (file: string) => read(files[file]!) : readerOf(from, read)
    const manifest = from === undefined ? await verifyHash({ file: MANIFEST, sha256: sum, bytes: 0 }, fetch) : await fetch(MANIFEST)
    return new Engine(JSON.parse(new TextDecoder().decode(manifest)) as Manifest, fetch)
  }
