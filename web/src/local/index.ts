// Local tables in a browser: the implementation of `client/localTables.ts`.
import { mount } from 'svelte'
import { EngineError } from '../engine'
import { ApiError } from '../client/api'
import type { LocalTables } from '../client/localTables'
import { hints, textOf, hasMessage, loadPart, pages, part, t } from '../client/i18n.svelte'
import { IndexedDbTableStore, writerLock, reviewers, WorkerClient } from './browserServices'
import { LocalServer } from './localServer'
import { storageState } from './storageState.svelte'
import { MemoryStore, type LocalTableStore } from './localTableStore'
import { lazy } from '../client/lazyLoad'
import { fetchFile, fetchManifest } from './wasmFiles'
import { server } from '../client/serverInfo.svelte'
import { saveSetting } from '../components/settings.svelte'
import { ownName, seatInfo } from './localTable'

/** The catalog part for local tables. */
const words = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?local', import: 'default' }))
export const loadTexts = (): Promise<unknown> => Promise.all([loadPart(words), loadPart(pages)])

async function openStore(): Promise<LocalTableStore> {
  try {
    return await IndexedDbTableStore.open()
  } catch {
    onStorageFailure('page')
    return new MemoryStore()
  }
}

function onStorageFailure(how: typeof storageState.how): void {
  storageState.how = how
  showNotice()
}

function onBotFailure(why: Error | null): void {
  storageState.botsUnavailable = why?.message ?? ''
  if (why) showNotice()
}

let noticed = false
function showNotice(): void {
  if (noticed) return
  noticed = true
  void Promise.all([lazy(() => import('./StorageNotice.svelte')), loadTexts()]).then(([{ default: StorageNotice }]) => mount(StorageNotice, { target: document.body }))
}

ownName.text = () => t('page-you-first')

const thinker = new WorkerClient()
const channel = new BroadcastChannel('diamonds-own')

async function openServer(): Promise<LocalServer> {
  const tables = new LocalServer({
    store: await openStore(),
    manifest: fetchManifest,
    fetch: fetchFile,
    chooseAnswer: (...asked) => thinker.ask('think', ...asked),
    runJob: thinker.ask,
    reviewers,
    hasMessage,
    now: Date.now,
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    writerLock,
    notifyTabs: (id) => channel.postMessage(id),
    onStorageFailure: () => onStorageFailure('full'),
    onBotFailure,
  })
  channel.onmessage = ({ data }: MessageEvent<string>) => void tables.onChange(data)
  return tables
}

/** The local server of this page. */
export const localServer = openServer()

/** Return an error as text. An unexpected one means that a file could not be loaded. */
async function apiError(error: unknown): Promise<ApiError> {
  await loadTexts()
  if (!(error instanceof EngineError)) return new ApiError(0, t('page-local-away'))
  return new ApiError(409, hasMessage(error.id) ? textOf([error.id, error.values]) : t('page-local-not-now'))
}

/** Run a request on the local server. Throw an `ApiError` with a translated message if it fails. */
export async function withServer<T>(ask: (local: LocalServer) => Promise<T>): Promise<T> {
  try {
    return await ask(await localServer)
  } catch (error) {
    throw await apiError(error)
  }
}

export const ask: LocalTables['ask'] = <T>(path: string, init?: RequestInit) =>
  withServer(async (local) => {
    if (/(hint|review)$/.test(path)) await loadPart(hints) // reasons whose messages are not loaded would be dropped
    return (await local.ask(path, init?.body ? JSON.parse(init.body as string) : {})) as T
  })

const BOTS = /^bot:([1-5]|simple)$/

export const create: LocalTables['create'] = async (request) => {
  const { game, seats, options = {}, seats_taken_by, bot_speed = 'steady', hints, time_control } = request
  const places = seats_taken_by ?? []
  if (time_control || !places.every((place) => place === 'me' || BOTS.test(place))) return null
  try {
    const created = await (await localServer).create({ game, seats, options, places, pace: bot_speed, hints, name: server.info?.display_name ?? '' })
    saveSetting('own', true)
    return created
  } catch (error) {
    console.warn(error) // fall back to the server
    return null
  }
}

export const summaries: LocalTables['summaries'] = async () => {
  const stored = (await (await localServer).list()).sort((a, b) => b.last - a.last)
  return stored.map(({ id, game, seats, options, places, over, turn, created, last, outcome }) => {
    const others = places.map((place, seat) => seatInfo(place, seat, '')).filter(({ kind }) => kind === 'bot')
    return { id, game, title: game, seats, options, seat_holders: others, phase: over ? 'over' : 'playing', time_control: null, your_turn: turn && !over, withheld: false, created: created / 1000, last, outcome }
  })
}

export const listen: LocalTables['listen'] = (path, heard, refused) => {
  let end = (): void => {}
  let closed = false
  void withServer(async (local) => {
    const ended = await local.listen(path, heard)
    if (closed) ended()
    else end = ended
  }).catch((error: ApiError) => refused(error.message))
  return {
    close: () => {
      closed = true
      end()
    },
  }
}
