/**
 * How tables of one's own are kept: as long as they are wanted, as long as this page is open, or what has come last not at all.
 * And whether their bots can think: `stuck` is why not.
 */
export const storageState: { how: 'kept' | 'page' | 'full'; botsUnavailable: string } = $state({ how: 'kept', botsUnavailable: '' })
