// How local tables are stored: durably, as long as this page is open, or (with a full disk) not from now on.
// `botsUnavailable` says why bots cannot answer.
export const storageState: { how: 'kept' | 'page' | 'full'; botsUnavailable: string } = $state({ how: 'kept', botsUnavailable: '' })
