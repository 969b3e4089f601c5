// Any other game: its fields are listed, and its answers are buttons.
import type { GameUi } from '../contract'
import GenericBoard from './GenericBoard.svelte'

const generic: GameUi = { Board: GenericBoard, questions: {}, answers: {}, dealLabel: 'page-plain-deal', scores: { title: 'page-over-points' } }
export default generic
