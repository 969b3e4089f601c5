// Any other game: its fields are listed, and its answers are buttons.
import type { GameUi } from '../contract'
import GenericBoard from './GenericBoard.svelte'

const generic: GameUi = { Board: GenericBoard, questions: {}, answers: {}, dealLabel: 'page-generic-deal', scores: { title: 'page-game-over-points' } }
export default generic
