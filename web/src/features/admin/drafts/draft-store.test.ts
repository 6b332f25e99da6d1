import { expect, test } from 'vitest'
import { type Draft, type DraftStorage, DraftStore, MAX_DRAFTS } from './draft-store.ts'

const draft = (key: string, value: unknown = key): Draft => ({
  key,
  kind: 'playlist',
  label: `${key} playlist`,
  path: '/admin?tab=channels',
  value,
})

/** A browser's storage that fails on demand. */
class MemoryStorage implements DraftStorage {
  readonly kept = new Map<string, Map<string, Draft>>()
  writes = 0
  isFull = false

  async read(account: string) {
    return [...(this.kept.get(account)?.values() ?? [])]
  }
  async write(account: string, written: Draft) {
    this.writes += 1
    if (this.isFull) throw new Error('QuotaExceededError')
    this.kept.set(account, (this.kept.get(account) ?? new Map()).set(written.key, written))
  }
  async remove(account: string, key: string) {
    this.kept.get(account)?.delete(key)
  }
  async clear() {
    this.kept.clear()
  }
}

/** Resolves when nothing is left to be written, or cannot be. */
const written = (store: DraftStore) =>
  new Promise<void>((resolve) => {
    const unsubscribe = store.subscribe(() =>
      setTimeout(() => {
        unsubscribe()
        resolve()
      }),
    )
  })
const keysOf = (store: DraftStore) => store.state().drafts.map(({ key }) => key)

test('a draft outlives the page, marked as restored until it is changed', async () => {
  const storage = new MemoryStorage()
  const before = new DraftStore(storage)
  await before.open('mara')
  before.put(draft('jazz', 1))
  before.put(draft('jazz', 2))
  expect(before.state().hasUnwritten).toBe(true)
  await written(before)
  expect(before.state().hasUnwritten).toBe(false)

  const after = new DraftStore(storage)
  expect(after.state().isReady).toBe(false)
  await after.open('mara')
  expect(after.find('jazz')).toEqual(draft('jazz', 2))
  expect([...after.state().restored]).toEqual(['jazz'])
  after.put(draft('jazz', 3))
  expect([...after.state().restored]).toEqual([])
})

test('a draft that is dropped is gone from the browser too', async () => {
  const storage = new MemoryStorage()
  const store = new DraftStore(storage)
  await store.open('mara')
  store.put(draft('jazz'))
  await written(store)
  store.drop('jazz')
  await written(store)
  expect(await storage.read('mara')).toEqual([])
})

test('an account sees its own drafts only, and a sign-out removes those of all', async () => {
  const storage = new MemoryStorage()
  const store = new DraftStore(storage)
  await store.open('mara')
  store.put(draft('jazz'))
  await written(store)
  await store.open('nils')
  expect(keysOf(store)).toEqual([])
  await store.open('mara')
  expect(keysOf(store)).toEqual(['jazz'])
  await store.close()
  expect(keysOf(store)).toEqual([])
  await store.open('mara')
  expect(keysOf(store)).toEqual([])
})

test('a browser that takes nothing leaves the draft on the page, and says that leaving loses it', async () => {
  const storage = new MemoryStorage()
  storage.isFull = true
  const store = new DraftStore(storage)
  await store.open('mara')
  store.put(draft('jazz'))
  await written(store)
  expect([keysOf(store), store.state().hasUnwritten, storage.writes]).toEqual([['jazz'], true, 1])
  storage.isFull = false
  store.put(draft('jazz', 2))
  await written(store)
  expect(store.state().hasUnwritten).toBe(false)
})

test('no more drafts are kept than the limit', async () => {
  const storage = new MemoryStorage()
  const store = new DraftStore(storage)
  await store.open('mara')
  for (let index = 0; index <= MAX_DRAFTS; index += 1) store.put(draft(`list ${index}`))
  await written(store)
  expect(await storage.read('mara')).toHaveLength(MAX_DRAFTS)
  expect(store.state().hasUnwritten).toBe(true)
})

test('what is changed before the browser has answered is not replaced by what it kept', async () => {
  const storage = new MemoryStorage()
  await storage.write('mara', draft('jazz', 'old'))
  await storage.write('mara', draft('rock', 'old'))
  const store = new DraftStore(storage)
  const opened = store.open('mara')
  store.put(draft('jazz', 'new'))
  await opened
  expect(store.find('jazz')?.value).toBe('new')
  expect([...store.state().restored]).toEqual(['rock'])
})
