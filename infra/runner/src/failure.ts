/** Something the operator can put right; its message is one sentence that says how. Shown without a stack. */
export class Failure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
  }
}
