// Tables of one's own, in a browser: what the page asks of such a table (`net/own.ts`) is answered here.
import { mount } from 'svelte'
import { Refused } from '../engine'
import { Refusal } from '../client/api'
import type { Own } from '../client/localTables'
import { hints, inWords, known, learn, pages, part, say } from '../client/i18n.svelte'
import { Database, penOf, reviewers, Thinker } from './browser'
import { OwnHouse, type Wish } from './localServer'
import { keeping } from './storageState.svelte'
import { Memory, type Store } from './storage'
import { file, manifest } from './wasmFiles'
import { house } from '../client/server.svelte'
import { remember } from '../components/settings.svelte'
import StorageNotice from './StorageNotice.svelte'
import { placeOf } from './localTable'

/** What is said of one's own tables. */
const words = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?own', import: 'default' }))
export const worded = (): Promise<unknown> => Promise.all([learn(words), learn(pages)])

async function store(): Promise<Store> {
  try {
    return await Database.open()
  } catch {
    notKept('page')
    return new Memory()
  }
}

function notKept(how: typeof keeping.how): void {
  keeping.how = how
  notice()
}

function stuck(why: Error | null): void {
  keeping.stuck = why?.message ?? ''
  if (why) notice()
}

let noticed = false
function notice(): void {
  if (noticed) return
  noticed = true
  void worded().then(() => mount(StorageNotice, { target: document.body }))
}

const thinker = new Thinker()
const channel = new BroadcastChannel('diamonds-own')

async function open(): Promise<OwnHouse> {
  const tables = new OwnHouse({
    store: await store(),
    manifest,
    fetch: file,
    think: (...asked) => thinker.ask('think', ...asked),
    ask: thinker.ask,
    reviewers,
    known,
    now: Date.now,
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    pen: penOf,
    tell: (id) => channel.postMessage(id),
    lost: () => notKept('full'),
    stuck,
  })
  channel.onmessage = ({ data }: MessageEvent<string>) => void tables.happened(data)
  return tables
}

/** All tables that are kept here. */
export const ownHouse = open()

/** A refusal in words; whatever else went wrong, it was that something could not be had. */
async function refusal(error: unknown): Promise<Refusal> {
  await worded()
  if (!(error instanceof Refused)) return new Refusal(0, say('page-own-away'))
  return new Refusal(409, known(error.id) ? inWords([error.id, error.values]) : say('page-own-not-now'))
}

/** What is asked of the tables here; a `Refusal` in words if it cannot be. */
export async function asked<T>(ask: (house: OwnHouse) => Promise<T>): Promise<T> {
  try {
    return await ask(await ownHouse)
  } catch (error) {
    throw await refusal(error)
  }
}

export const ask: Own['ask'] = <T>(path: string, init?: RequestInit) =>
  asked(async (house) => {
    if (/(hint|review)$/.test(path)) await learn(hints) // which words there are decides what is said
    return (await house.ask(path, init?.body ? JSON.parse(init.body as string) : {})) as T
  })

const BOTS = /^bot:([1-5]|simple)$/

export const begin: Own['begin'] = async (wish) => {
  const { game, seats, options, places, pace, hints, clock } = wish as typeof wish & Wish
  if (clock || !places.every((place) => place === 'me' || BOTS.test(place))) return null
  try {
    const made = await (await ownHouse).make({ game, seats, options, places, pace, hints, name: house.info?.name || say('page-you-first') })
    remember('own', true)
    return made
  } catch (error) {
    console.warn(error) // whatever is missing here, a house has it
    return null
  }
}

export const lines: Own['lines'] = async () => {
  const kept = (await (await ownHouse).list()).sort((a, b) => b.last - a.last)
  return kept.map(({ id, game, seats, options, places, over, turn, created }) => {
    const others = places.map((place, seat) => placeOf(place, seat, '')).filter(({ kind }) => kind === 'bot')
    return { id, game, title: game, seats, options, places: others, phase: over ? 'over' : 'playing', clock: null, turn: turn && !over, created }
  })
}

export const listen: Own['listen'] = (path, heard, refused) => {
  let end = (): void => {}
  let closed = false
  void asked(async (house) => {
    const ended = await house.listen(path, heard)
    if (closed) ended()
    else end = ended
  }).catch((error: Refusal) => refused(error.message))
  return {
    close: () => {
      closed = true
      end()
    },
  }
}
