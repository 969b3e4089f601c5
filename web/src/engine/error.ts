// The error of the engine: the id of a message, and its values.

/** The id of the sentence that says why, and its values. */
export class EngineError extends Error {
  constructor(
    readonly id: string,
    readonly values: Record<string, unknown> = {},
  ) {
    super(id)
  }
}
