/** The cached response that pushed changes are applied to. */
export interface ChangeTarget<Change> {
  /** A request for the answer is under way. */
  isBusy: () => boolean
  /** There is an answer. */
  isLoaded: () => boolean
  /** Applies changes in the order in which they arrived. */
  apply: (changes: readonly Change[]) => void
  reload: () => void
}

/**
 * Buffers changes that the server pushes and applies them together to an answer that was fetched. SWR discards the
 * answer of a request if the same key is mutated while that request is under way. So nothing is applied until the
 * request has ended; then the changes are applied to its answer. A change may be contained in the answer already:
 * applying one twice must have the effect of applying it once.
 */
export class PushedChanges<Change> {
  readonly #target: ChangeTarget<Change>
  readonly #delayMs: number
  #changes: Change[] = []
  #isReloadDue = false
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Changes that arrive within `delayMs` are applied together. */
  constructor(target: ChangeTarget<Change>, delayMs: number) {
    this.#target = target
    this.#delayMs = delayMs
  }

  push(...changes: readonly Change[]): void {
    for (const change of changes) this.#changes.push(change)
    this.#schedule()
  }

  /** Requests the answer again: once for all calls within the delay, and after the request under way, if there is one. */
  reload(): void {
    this.#isReloadDue = true
    this.#schedule()
  }

  /** To be called when a request has ended. */
  requestEnded(): void {
    if (this.#changes.length > 0) this.#applyChanges()
    if (this.#isReloadDue) this.#schedule()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#flush()
    }, this.#delayMs)
  }

  #flush(): void {
    if (this.#target.isBusy()) return
    this.#applyChanges()
    if (!this.#isReloadDue) return
    this.#isReloadDue = false
    this.#target.reload()
  }

  #applyChanges(): void {
    const changes = this.#changes
    if (changes.length === 0 || this.#target.isBusy()) return
    this.#changes = []
    // Without an answer the next request begins after these changes, so that its answer contains them.
    if (this.#target.isLoaded()) this.#target.apply(changes)
  }
}
