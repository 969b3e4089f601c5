// The fallback UI for games without their own: a list of fields, and answers as buttons.
import type { GameUi } from '../gameUi'
import GenericBoard from './GenericBoard.svelte'

const generic: GameUi = { Board: GenericBoard, questions: {}, answers: {}, dealLabel: 'page-generic-deal', scores: { title: 'page-game-over-points' } }
export default generic
