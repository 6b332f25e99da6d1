/** Editors whose changes are collected in a draft until they are saved. */
export type DraftKind = 'playlist' | 'theme' | 'page-layout' | 'schedule'

/** Unsaved changes of one editor. */
export interface Draft<Value = unknown> {
  /** Unique for an account, e.g. `playlist:night-jazz`. */
  key: string
  kind: DraftKind
  /** Name in the page header, e.g. "Night Jazz playlist". */
  label: string
  /** URL path of the editor. */
  path: string
  /** Serializable data. Editors validate it when they read it. */
  value: Value
}

export interface DraftStorage {
  read(account: string): Promise<Draft[]>
  write(account: string, draft: Draft): Promise<void>
  remove(account: string, key: string): Promise<void>
  /** Removes the drafts of all accounts. */
  clear(): Promise<void>
}

export interface DraftState {
  /** The drafts of the account have been loaded. */
  isReady: boolean
  drafts: readonly Draft[]
  /** Keys of drafts that were loaded from the browser and not changed since. */
  restored: ReadonlySet<string>
  /** Some changes are not (or cannot be) written to the browser: leaving the page would lose them. */
  hasUnwritten: boolean
}

/** Maximum number of drafts stored per account. Each editor limits the size of its draft. */
export const MAX_DRAFTS = 20
const EMPTY: DraftState = { isReady: false, drafts: [], restored: new Set(), hasUnwritten: false }

/**
 * The drafts of the signed-in account, in memory and written to the browser so that they survive a reload. Writes run
 * one at a time, and only the newest state of a draft is written.
 */
export class DraftStore {
  readonly #storage: DraftStorage
  readonly #listeners = new Set<() => void>()
  #state = EMPTY
  #account: string | undefined
  /** Keys whose newest state is not yet written. */
  readonly #unwritten = new Set<string>()
  /** Unwritten keys whose last write failed. A change of the draft triggers the next attempt. */
  readonly #failed = new Set<string>()
  #writing: Promise<void> | undefined

  constructor(storage: DraftStorage) {
    this.#storage = storage
  }

  readonly state = (): DraftState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Loads the stored drafts of an account. Without browser storage there are none. */
  async open(account: string): Promise<void> {
    if (account === this.#account) return
    this.#account = account
    this.#unwritten.clear()
    this.#failed.clear()
    this.#set(EMPTY)
    const stored = await this.#storage.read(account).catch(() => [])
    if (this.#account !== account) return
    const changed = new Set(this.#state.drafts.map(({ key }) => key))
    const restored = stored.filter(({ key }) => !changed.has(key))
    this.#set({
      ...this.#state,
      isReady: true,
      drafts: [...restored, ...this.#state.drafts],
      restored: new Set(restored.map(({ key }) => key)),
    })
  }

  /** Removes all drafts from memory and from the browser. */
  async close(): Promise<void> {
    this.#account = undefined
    this.#unwritten.clear()
    this.#failed.clear()
    this.#set(EMPTY)
    await this.#writing
    await this.#storage.clear().catch(() => undefined)
  }

  find(key: string): Draft | undefined {
    return this.#state.drafts.find((draft) => draft.key === key)
  }

  /** Adds a draft, or replaces the one with the same key. */
  put(draft: Draft): void {
    const { drafts } = this.#state
    const isKnown = drafts.some(({ key }) => key === draft.key)
    this.#change(
      draft.key,
      isKnown ? drafts.map((known) => (known.key === draft.key ? draft : known)) : [...drafts, draft],
    )
  }

  /** Removes a draft after it was saved or discarded. */
  remove(key: string): void {
    if (this.find(key) === undefined) return
    this.#change(
      key,
      this.#state.drafts.filter((draft) => draft.key !== key),
    )
  }

  #change(key: string, drafts: readonly Draft[]): void {
    const restored = new Set([...this.#state.restored].filter((known) => known !== key))
    this.#unwritten.add(key)
    this.#failed.delete(key)
    this.#set({ ...this.#state, drafts, restored, hasUnwritten: true })
    this.#writing ??= this.#write()
  }

  async #write(): Promise<void> {
    for (;;) {
      const account = this.#account
      const key = [...this.#unwritten].find((unwritten) => !this.#failed.has(unwritten))
      if (account === undefined || key === undefined) break
      const draft = this.find(key)
      const isWritten = await this.#writeOne(account, key, draft)
      if (account !== this.#account) continue
      if (this.find(key) !== draft) continue
      if (isWritten) this.#unwritten.delete(key)
      else this.#failed.add(key)
    }
    this.#writing = undefined
    this.#set({ ...this.#state, hasUnwritten: this.#unwritten.size > 0 })
  }

  async #writeOne(account: string, key: string, draft: Draft | undefined): Promise<boolean> {
    if (draft !== undefined && this.#state.drafts.indexOf(draft) >= MAX_DRAFTS) return false
    try {
      if (draft === undefined) await this.#storage.remove(account, key)
      else await this.#storage.write(account, draft)
      return true
    } catch {
      return false
    }
  }

  #set(state: DraftState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
