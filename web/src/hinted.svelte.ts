import { SvelteSet } from 'svelte/reactivity'

/** The answers that the open hint names, by their names: cards, piles and buttons mark themselves. */
export const hinted = new SvelteSet<string>()
