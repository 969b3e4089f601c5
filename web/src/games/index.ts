// The games that the page knows, each loaded when it is first played, with its words. Any other game is shown plainly.
import { learn, part } from '../net/words.svelte'
import type { Game } from './contract'

type Load = () => Promise<{ default: Game<any> }>

const GAMES = new Map<string, Load>([
  ['crystals', () => import('./crystals')],
  ['fourteen', () => import('./fourteen')],
  ['mines', () => import('./mines')],
])
const WORDS = new Map([
  ['crystals', part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?crystals', import: 'default' }))],
  ['fourteen', part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?fourteen', import: 'default' }))],
  ['mines', part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?mines', import: 'default' }))],
])
const plain: Load = () => import('./plain')

/** What the page knows of a game, once it can say all that happens in it. */
export async function load(name: string): Promise<Game> {
  const words = WORDS.get(name)
  const [game] = await Promise.all([(GAMES.get(name) ?? plain)(), words && learn(words)])
  return game.default
}
