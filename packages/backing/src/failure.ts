/** An error that the operator can fix. Its message is a sentence that says how; it is shown without a stack. */
export class Failure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
  }
}
