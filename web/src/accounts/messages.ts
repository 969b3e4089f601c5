// The catalog part of accounts.
import { part } from '../client/i18n.svelte'

export const people = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?people', import: 'default' }))
