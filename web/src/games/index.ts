// The games of this client. Each is loaded with its catalog part when it is first played. Any other game gets the generic display.
import { loadPart, pages, part } from '../client/i18n.svelte'
import type { GameUi } from './gameUi'

// Import only the default export; otherwise the bundler adds a file that lists the rest.
type LoadGame = () => Promise<GameUi<any>>

const GAMES = new Map<string, LoadGame>([
  ['crystals', async () => (await import('./crystals')).default],
  ['fourteen', async () => (await import('./fourteen')).default],
  ['mines', async () => (await import('./mines')).default],
])
const CATALOG_PARTS = new Map([
  ['crystals', part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?crystals', import: 'default' }))],
  ['fourteen', part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?fourteen', import: 'default' }))],
  ['mines', part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?mines', import: 'default' }))],
])
const generic: LoadGame = async () => (await import('./generic')).default

/** Load the client of a game and its catalog part. */
export async function loadGame(name: string): Promise<GameUi> {
  const words = CATALOG_PARTS.get(name) ?? pages
  const [game] = await Promise.all([(GAMES.get(name) ?? generic)(), loadPart(words)])
  return game
}
