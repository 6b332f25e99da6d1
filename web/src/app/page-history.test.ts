import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PageHistory } from './page-history.ts'

/** A browser tab: its history makes steps later, as a browser does. */
function createTab() {
  const entries: { state: unknown; url: string }[] = [{ state: null, url: '/' }]
  let index = 0
  let onPop: () => void = () => undefined
  const put = (state: unknown, url?: string | URL | null) => ({
    state: structuredClone(state),
    url: url === undefined || url === null ? (entries[index]?.url ?? '/') : String(url),
  })
  const history = {
    get state() {
      return entries[index]?.state
    },
    pushState: (state: unknown, _: string, url?: string | URL | null) => {
      entries.splice(index + 1, entries.length, put(state, url))
      index += 1
    },
    replaceState: (state: unknown, _: string, url?: string | URL | null) => {
      entries[index] = put(state, url)
    },
    go: (delta: number) =>
      void setTimeout(() => {
        if (!entries[index + delta]) return
        index += delta
        onPop()
      }),
  }
  const location = {
    get pathname() {
      return entries[index]?.url ?? '/'
    },
    search: '',
    hash: '',
    origin: 'http://station',
  }
  return {
    window: {
      history,
      location,
      addEventListener: (_: string, listener: () => void) => {
        onPop = listener
      },
    } as unknown as ConstructorParameters<typeof PageHistory>[0],
    back: () => history.go(-1),
    forward: () => history.go(1),
    urls: () => entries.map(({ url }) => url),
    index: () => index,
  }
}

function createLayers() {
  const open: string[] = []
  let onChange: () => void = () => undefined
  return {
    open,
    add: (name: string) => {
      open.push(name)
      onChange()
    },
    close: () => {
      open.pop()
      onChange()
    },
    layers: {
      count: () => open.length,
      closeAbove: (count: number) => {
        if (open.splice(count).length > 0) onChange()
      },
      onChange: (listener: () => void) => {
        onChange = listener
        return () => undefined
      },
    },
  }
}

/** Makes all planned steps of the history, and those that follow from them. A step takes 1 ms at most. */
const settle = () => vi.advanceTimersByTimeAsync(10)

let tab: ReturnType<typeof createTab>
let dialogs: ReturnType<typeof createLayers>
let pages: PageHistory
const path = () => pages.shown().location.pathname
beforeEach(() => {
  vi.useFakeTimers()
  tab = createTab()
  dialogs = createLayers()
  pages = new PageHistory(tab.window, dialogs.layers)
  pages.navigator.push('/live', null)
})

afterEach(() => {
  vi.useRealTimers()
})

describe('Back', () => {
  it('closes nested layers one by one, then leaves the page', async () => {
    for (const name of ['guide', 'block', 'track']) {
      dialogs.add(name)
      await settle()
    }
    for (const left of [['guide', 'block'], ['guide'], []]) {
      tab.back()
      await settle()
      expect([path(), dialogs.open]).toEqual(['/live', left])
    }
    tab.forward()
    await settle()
    expect([path(), dialogs.open]).toEqual(['/live', []])
    tab.back()
    await settle()
    expect(path()).toBe('/')
  })

  it('leaves the page at once after a layer was closed otherwise', async () => {
    dialogs.add('guide')
    await settle()
    dialogs.close()
    await settle()
    tab.back()
    await settle()
    expect(path()).toBe('/')
  })

  it('returns from a page to the page whose dialog had the link', async () => {
    dialogs.add('search')
    await settle()
    pages.navigator.push('/search', null)
    dialogs.close()
    await settle()
    expect(tab.urls()).toEqual(['/', '/live', '/search'])
    tab.back()
    await settle()
    expect(path()).toBe('/live')
  })

  it('keeps the URL that the page was given while a layer was open', async () => {
    dialogs.add('channels')
    await settle()
    pages.navigator.replace('/other', null)
    dialogs.close()
    await settle()
    expect([path(), tab.urls()[tab.index()]]).toEqual(['/other', '/other'])
  })

  it('skips the entry of a layer that a reload has closed', async () => {
    dialogs.add('guide')
    await settle()
    dialogs = createLayers()
    pages = new PageHistory(tab.window, dialogs.layers)
    await settle()
    expect(tab.index()).toBe(1)
    tab.back()
    await settle()
    expect(path()).toBe('/')
  })
})

it('reuses the entry of a layer for the one that replaces it', async () => {
  dialogs.add('details')
  await settle()
  dialogs.close()
  dialogs.add('player')
  await settle()
  expect(tab.urls()).toEqual(['/', '/live', '/live'])
})

it('navigates after a step back that is under way', async () => {
  dialogs.add('guide')
  await settle()
  dialogs.close()
  await Promise.resolve()
  pages.navigator.push('/search', null)
  await settle()
  expect([path(), tab.urls()]).toEqual(['/search', ['/', '/live', '/search']])
})

it('has as many entries as layers are open, whatever happens', async () => {
  const action = fc.constantFrom('open', 'close', 'back', 'forward', 'push', 'replace')
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
      tab = createTab()
      dialogs = createLayers()
      pages = new PageHistory(tab.window, dialogs.layers)
      for (const [step, what] of actions.entries()) {
        if (what === 'open') dialogs.add(`dialog ${step}`)
        else if (what === 'close') dialogs.close()
        else if (what === 'back') tab.back()
        else if (what === 'forward') tab.forward()
        else {
          // The layers of a page close when another one is shown.
          pages.navigator[what](`/page-${step}`, null)
          if (what === 'push') dialogs.layers.closeAbove(0)
        }
        await settle()
        expect(pages.shown().location.pathname).toBe(tab.urls()[tab.index()])
        const { depth } = tab.window.history.state as { depth: number }
        expect(depth).toBe(dialogs.open.length)
      }
    }),
    { numRuns: 40 },
  )
})
