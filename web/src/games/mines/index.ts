// The client's description of mines.
import type { MinesView } from '../../client/types'
import type { GameUi } from '../contract'
import MinesBoard from './MinesBoard.svelte'

/** The player's own piles that have cards (M6). */
const diggable = ({ owner, left }: MinesView, seat: number) =>
  new Set(owner.flatMap((one, pile) => (one === seat && left[pile] ? [String(pile)] : [])))

/** The ♣ in hand (M8). */
const clubs = ({ hand }: MinesView, seat: number) => new Set(hand[seat]?.filter((card) => card.startsWith('C')))

/** The ♠ in hand, if the player's piles hold at least two cards (M6). */
function spades({ owner, left, hand }: MinesView, seat: number): Set<string> {
  const cards = left.reduce((sum, number, pile) => sum + (owner[pile] === seat ? number : 0), 0)
  return new Set(cards < 2 ? [] : hand[seat]?.filter((card) => card.startsWith('S')))
}

const mines: GameUi<MinesView> = {
  Board: MinesBoard,
  help: () => import('./MinesHelp.svelte'),
  pad: () => import('./MinesScorePad.svelte'),
  questions: {
    claim: { places: true, quiet: 'skip' },
    turn: { quiet: 'pass', through: { first: 'go', then: 'dig', prompt: 'page-mines-turn', places: diggable, cards: spades, skip: 'skip' } },
    dig: { cards: true, places: true, quiet: 'skip' },
    dig_first: { places: true },
    dig_second: { places: true },
    grow: { cards: true, quiet: 'skip' },
    grow_pile: { places: true },
    fight: { places: true, quiet: 'end', cardFirst: { then: 'fight_card', cards: clubs } },
    fight_card: { cards: true },
    defend: { cards: true, quiet: 'decline' },
    give: { cards: true },
  },
  answers: {
    'claim skip': 'page-mines-claim-skip',
    'turn pass': 'page-mines-turn-pass',
    'turn go': 'page-mines-turn-go',
    'dig skip': 'page-mines-dig-skip',
    'grow skip': 'page-mines-grow-skip',
    'fight end': 'page-mines-fight-end',
    'defend decline': 'page-mines-defend-decline',
    'spoils conquer': 'page-mines-spoils-conquer',
    'spoils raid': 'page-mines-spoils-raid',
  },
  unavailable: 'page-mines-glowing',
  dealLabel: 'page-mines-game',
  final: () => import('./MinesFinalBoard.svelte'),
  scores: {
    title: 'page-mines-diamonds',
    suit: 'D',
    lost: { barred: 'page-mines-lost-barred', barred_as_seen: 'page-mines-lost-as-seen' },
    curve: {
      title: 'page-mines-turns',
      scores: (view) => view.hand.map((cards) => cards?.filter((card) => card.startsWith('D')).length ?? 0),
      stretch: (view) => view.turns,
    },
  },
  coach: () => import('./coach'),
}
export default mines
