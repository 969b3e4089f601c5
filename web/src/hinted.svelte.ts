let names = $state.raw<readonly string[]>([])

/** The answers that the open hint names, by their names: cards, piles and buttons mark themselves. */
export const hinted = {
  has: (name: string): boolean => names.includes(name),
  set: (all: readonly string[]): void => void (names = all),
}
