/** How tables of one's own are kept: as long as they are wanted, as long as this page is open, or what has come last not at all. */
export const keeping: { how: 'kept' | 'page' | 'full' } = $state({ how: 'kept' })
