// Tables of one's own, in a browser: what the page asks of such a table (`net/own.ts`) is answered here.
import { mount } from 'svelte'
import { Refused } from '../engine'
import { Refusal } from '../net/api'
import type { Own } from '../net/own'
import { inWords, known, learn, pages, part, say } from '../net/words.svelte'
import { Database, penOf, Thinker } from './browser'
import { OwnHouse } from './house'
import { keeping } from './keeping.svelte'
import { Memory, type Store } from './kept'
import { file, manifest } from './modules'
import Notice from './Notice.svelte'

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
  if (keeping.how === how) return
  if (keeping.how === 'kept') void worded().then(() => mount(Notice, { target: document.body }))
  keeping.how = how
}

const thinker = new Thinker()
const channel = new BroadcastChannel('diamonds-own')

async function open(): Promise<OwnHouse> {
  const house = new OwnHouse({
    store: await store(),
    manifest,
    fetch: file,
    think: (...asked) => thinker.think(...asked),
    now: Date.now,
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    pen: penOf,
    tell: (id) => channel.postMessage(id),
    lost: () => notKept('full'),
  })
  channel.onmessage = ({ data }: MessageEvent<string>) => void house.happened(data)
  return house
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

export const ask: Own['ask'] = <T>(path: string, init?: RequestInit) => asked((house) => house.ask(path, init?.body ? JSON.parse(init.body as string) : {}) as Promise<T>)

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
