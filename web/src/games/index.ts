// The games that the page knows, each loaded when it is first played, with its words. Any other game is shown plainly.
import { learn, pages, part } from '../client/i18n.svelte'
import type { Game } from './contract'

// Nothing but its game is taken of a part: else the bundler adds a file that lists the rest.
type Load = () => Promise<Game<any>>

const GAMES = new Map<string, Load>([
  ['crystals', async () => (await import('./crystals')).default],
  ['fourteen', async () => (await import('./fourteen')).default],
  ['mines', async () => (await import('./mines')).default],
])
const WORDS = new Map([
  ['crystals', part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?crystals', import: 'default' }))],
  ['fourteen', part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?fourteen', import: 'default' }))],
  ['mines', part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?mines', import: 'default' }))],
])
const plain: Load = async () => (await import('./generic')).default

/** What the page knows of a game, once it can say all that happens in it. */
export async function load(name: string): Promise<Game> {
  const words = WORDS.get(name) ?? pages
  const [game] = await Promise.all([(GAMES.get(name) ?? plain)(), learn(words)])
  return game
}
