// The error type of the engine.

/** An error with a message id and arguments. */
export class EngineError extends Error {
  constructor(
    readonly id: string,
    readonly values: Record<string, unknown> = {},
  ) {
    super(id)
  }
}
