// The storage of local tables. `how` tells how long they are kept: durably (`kept`), as long as this page is open
// (`page`), or no longer because the disk is full (`full`). `botsUnavailable` is the reason why bots cannot answer.
export const storageState: { how: 'kept' | 'page' | 'full'; botsUnavailable: string } = $state({ how: 'kept', botsUnavailable: '' })
