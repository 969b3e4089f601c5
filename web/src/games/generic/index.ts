// Any other game: its fields are listed, and its answers are buttons.
import type { Game } from '../contract'
import GenericBoard from './GenericBoard.svelte'

const plain: Game = { Board: GenericBoard, asks: {}, answers: {}, deal: 'page-plain-deal', scores: { title: 'page-over-points' } }
export default plain
