// The hint in two or three lines, for the coach to say; empty if no hint is known. In a module of its own, because it is
// loaded on first use.
export const coachAdvice = $state({ text: '' })
