/**
 * How tables of one's own are kept: as long as they are wanted, as long as this page is open, or what has come last not at all.
 * And whether their bots can think: `stuck` is why not.
 */
export const keeping: { how: 'kept' | 'page' | 'full'; stuck: string } = $state({ how: 'kept', stuck: '' })
