import { MediaQuery } from 'svelte/reactivity'

/** Room for a round table. */
export const wide = new MediaQuery('(min-width: 860px) and (min-height: 600px)')
/** Room for the log beside the table. */
export const beside = new MediaQuery('(min-width: 1160px)')
