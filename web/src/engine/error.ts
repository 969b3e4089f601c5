// Something that cannot be done.

/** The id of the sentence that says why, and its values. */
export class EngineError extends Error {
  constructor(
    readonly id: string,
    readonly values: Record<string, unknown> = {},
  ) {
    super(id)
  }
}
