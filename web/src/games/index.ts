// The games that the page knows, each loaded when it is first played. Any other game is shown plainly.
import type { Game } from './contract'

type Load = () => Promise<{ default: Game<any> }>

const GAMES = new Map<string, Load>([
  ['crystals', () => import('./crystals')],
  ['fourteen', () => import('./fourteen')],
  ['mines', () => import('./mines')],
])
const plain: Load = () => import('./plain')

/** What the page knows of a game. */
export const load = async (name: string): Promise<Game> => (await (GAMES.get(name) ?? plain)()).default
