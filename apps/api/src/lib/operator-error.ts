/** What only the operator can mend. The message says what is wrong and what to do, so it is shown without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** One that starting again does not mend. */
export class FinalError extends OperatorError {
  override name = 'FinalError'
}
