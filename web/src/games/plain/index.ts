// Any other game: its fields are listed, and its answers are buttons.
import type { Game } from '../contract'
import Plain from './Plain.svelte'

const plain: Game = { Board: Plain, asks: {}, answers: {}, deal: 'page-plain-deal', scores: { title: 'page-over-points' } }
export default plain
