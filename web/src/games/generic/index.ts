// The description of games without a client of their own: a list of fields, answers as buttons.
import type { GameUi } from '../contract'
import GenericBoard from './GenericBoard.svelte'

const generic: GameUi = { Board: GenericBoard, questions: {}, answers: {}, dealLabel: 'page-generic-deal', scores: { title: 'page-game-over-points' } }
export default generic
