// Where bots think: a question comes in, the number of an answer goes out.
import { Mind, type Manifest, type Row } from '../engine'
import { file, manifest } from './modules'

export interface Asked {
  id: number
  game: string
  row: Row
  seat: number
  /** `simple`, or one that thinks. */
  level: string
  bits: bigint
}
export interface Thought {
  id: number
  answer: number | null
  why: string
}

let said: Promise<Manifest> | null = null
const minds = new Map<string, Promise<Mind>>()

function mindOf(game: string): Promise<Mind> {
  let mind = minds.get(game)
  if (!mind) {
    said ??= manifest()
    mind = said.then((one) => Mind.open(one.games[game]!, file))
    minds.set(game, mind)
    mind.catch(() => {
      minds.delete(game) // asked for again next time
      said = null
    })
  }
  return mind
}

async function answer({ game, row, seat, level, bits }: Asked): Promise<number> {
  const mind = await mindOf(game)
  return level === 'simple' ? mind.choose(row, seat) : mind.think(row, seat, level, bits).answer
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { id } = data
  answer(data).then(
    (found) => postMessage({ id, answer: found, why: '' } satisfies Thought),
    (error: unknown) => postMessage({ id, answer: null, why: String(error) } satisfies Thought),
  )
})
