// Mines, as the page needs it.
import type { MinesView } from '../../net/types'
import type { Game } from '../contract'
import Help from './Help.svelte'
import Mines from './Mines.svelte'

const mines: Game<MinesView> = {
  Board: Mines,
  Help,
  asks: {
    claim: { places: 'alone', quiet: 'skip' },
    turn: { quiet: 'pass' },
    dig: { cards: true, places: 'alone', quiet: 'skip' },
    dig_first: { places: 'alone' },
    dig_second: { places: 'alone' },
    grow: { cards: true, quiet: 'skip' },
    grow_pile: { places: 'alone' },
    fight: { places: 'alone', quiet: 'end' },
    fight_card: { cards: true },
    defend: { cards: true, quiet: 'decline' },
    give: { cards: true },
  },
  answers: {
    'claim skip': 'Claim none',
    'turn pass': 'Pass',
    'turn go': 'Take the turn',
    'dig skip': 'Do not dig',
    'grow skip': 'Do not grow',
    'fight end': 'End the turn',
    'defend decline': 'Do not defend',
    'spoils conquer': 'Conquer the pile',
    'spoils raid': 'Raid a card',
  },
  cut: (view) => ({ cards: view.cut, seat: view.first, does: 'begins' }),
  closed: 'Only the glowing piles can be chosen.',
  deal: 'Game',
  scores: {
    title: 'Diamonds',
    suit: 'D',
    curve: {
      title: 'Diamonds held, turn by turn',
      scores: (view) => view.hand.map((cards) => cards?.filter((card) => card.startsWith('D')).length ?? 0),
      stretch: (view) => view.turns,
    },
  },
}
export default mines
