import {
  createPath,
  type Location,
  NavigationType,
  type Navigator,
  parsePath,
  type To,
} from 'react-router-dom'

/** The state of a history entry. The router's own fields have the names that React Router gives them. */
interface Entry {
  usr: unknown
  key: string
  idx: number
  /** Identifies the page: entries of its layers have the same. */
  page: string
  /** The number of layers that are open at this entry. */
  depth: number
}

interface Layers {
  count: () => number
  closeAbove: (count: number) => void
  onChange: (listener: () => void) => () => void
}

/** The used part of `window`. */
type Tab = Pick<Window, 'history' | 'location' | 'addEventListener'>

interface Shown {
  location: Location
  type: NavigationType
}

/** Time after which a step in the history that the browser has not made is given up, in ms. */
const STEP_TIMEOUT_MS = 2_000

const newId = (): string => Math.random().toString(36).slice(2, 10)

/**
 * The history of a tab as React Router uses it, with an entry for each open layer (dialog, menu, drawer): Back closes the
 * last one, and closing it otherwise removes its entry. The router sees the pages only.
 * See docs/decisions/0093-back-closes-dialogs-through-history-entries.md.
 */
export class PageHistory {
  readonly #tab: Tab
  readonly #layers: Layers
  readonly #listeners = new Set<() => void>()
  /** The entry of the page, with the depth of the browser's current entry, and its URL. */
  #entry: Entry
  #url: string
  #shown: Shown
  /** While the browser makes a step that this class asked for: the timer that gives it up. */
  #step: ReturnType<typeof setTimeout> | undefined
  /** Navigations that wait for the step, which would else be made from their entry. */
  #queued: (() => void)[] = []
  #isSyncPlanned = false

  constructor(tab: Tab, layers: Layers) {
    this.#tab = tab
    this.#layers = layers
    this.#entry = this.#adopt(0)
    this.#url = hrefOf(tab.location)
    this.#shown = { location: locationOf(this.#url, this.#entry), type: NavigationType.Pop }
    tab.addEventListener('popstate', () => this.#onStep())
    layers.onChange(() => this.#planSync())
    // After a reload the layers are closed.
    this.#planSync()
  }

  readonly shown = (): Shown => this.#shown

  /** Returns how to remove the listener. */
  readonly onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly navigator: Navigator = {
    createHref: hrefFor,
    encodeLocation: (to) => new URL(hrefFor(to), this.#tab.location.origin),
    go: (delta) =>
      this.#whenSettled(() => this.#tab.history.go(delta < 0 ? delta - this.#entry.depth : delta)),
    push: (to, state) => this.#whenSettled(() => this.#push(hrefFor(to), state)),
    replace: (to, state) => this.#whenSettled(() => this.#replace(hrefFor(to), state)),
  }

  #push(url: string, state: unknown): void {
    // Replaces the entry of an open layer: Back from the new page leads to the page, not to a closed layer.
    const isLayer = this.#entry.depth > 0
    this.#entry = { usr: state ?? null, key: newId(), idx: this.#entry.idx + 1, page: newId(), depth: 0 }
    this.#url = url
    if (isLayer) this.#tab.history.replaceState(this.#entry, '', url)
    else this.#tab.history.pushState(this.#entry, '', url)
    this.#show(NavigationType.Push)
  }

  #replace(url: string, state: unknown): void {
    this.#entry = { ...this.#entry, usr: state ?? null, key: newId() }
    this.#url = url
    this.#tab.history.replaceState(this.#entry, '', url)
    this.#show(NavigationType.Replace)
  }

  /** The browser's current entry. One that this class has not made, as by a link to `#main`, is a new page. */
  #adopt(newIdx: number): Entry {
    const { history } = this.#tab
    const {
      usr = null,
      key = 'default',
      idx = newIdx,
      page,
      depth = 0,
    } = (history.state ?? {}) as Partial<Entry>
    const adopted = { usr, key, idx, page: page ?? newId(), depth }
    if (page === undefined) history.replaceState(adopted, '')
    return adopted
  }

  #show(type: NavigationType): void {
    this.#shown = { location: locationOf(this.#url, this.#entry), type }
    for (const listener of [...this.#listeners]) listener()
  }

  #whenSettled(navigate: () => void): void {
    if (this.#step === undefined) navigate()
    else this.#queued.push(navigate)
  }

  #settle(): void {
    clearTimeout(this.#step)
    this.#step = undefined
    const waiting = this.#queued
    this.#queued = []
    for (const navigate of waiting) navigate()
  }

  /** One microtask later: a layer that replaces another takes over its entry. */
  #planSync(): void {
    if (this.#isSyncPlanned) return
    this.#isSyncPlanned = true
    queueMicrotask(() => this.#sync())
  }

  /** Makes as many entries as layers are open. */
  #sync(): void {
    this.#isSyncPlanned = false
    if (this.#step !== undefined) return
    const { history } = this.#tab
    const open = this.#layers.count()
    if (open < this.#entry.depth) {
      this.#step = setTimeout(() => this.#settle(), STEP_TIMEOUT_MS)
      history.go(open - this.#entry.depth)
    }
    while (this.#entry.depth < open) {
      this.#entry = { ...this.#entry, depth: this.#entry.depth + 1 }
      history.pushState(this.#entry, '')
    }
  }

  #onStep(): void {
    const isOwn = this.#step !== undefined
    const before = this.#entry
    const there = this.#adopt(before.idx + 1)
    if (there.page === before.page) {
      this.#entry = { ...before, depth: there.depth }
      // The page has changed its URL while a layer was open.
      if (there.key !== before.key) this.#tab.history.replaceState(this.#entry, '', this.#url)
      if (!isOwn) this.#layers.closeAbove(there.depth)
      // Not before they have closed: one that stays open, as with unsaved changes, gets an entry again.
      setTimeout(() => this.#sync())
    } else {
      this.#entry = there
      this.#url = hrefOf(this.#tab.location)
      this.#show(NavigationType.Pop)
      // Leaves an entry of a layer that is not open. The layers of the page before are still there, so none is added.
      if (this.#layers.count() < there.depth) setTimeout(() => this.#sync())
    }
    this.#settle()
  }
}

const hrefFor = (to: To): string => (typeof to === 'string' ? to : createPath(to))

const hrefOf = ({
  pathname,
  search,
  hash,
}: Pick<Window['location'], 'pathname' | 'search' | 'hash'>): string => pathname + search + hash

function locationOf(url: string, { usr, key }: Entry): Location {
  const { pathname = '/', search = '', hash = '' } = parsePath(url)
  return { pathname, search, hash, state: usr, key }
}
