import { expect, test } from 'vitest'
import { type Draft, type DraftStorage, DraftStore, MAX_DRAFTS } from './draft-store.ts'

const draft = (key: string, value: unknown = key): Draft => ({
  key,
  kind: 'playlist',
  label: `${key} playlist`,
  path: '/admin?tab=channels',
  value,
})

/** Draft storage in memory that fails while `isFull` is set. */
class MemoryStorage implements DraftStorage {
  readonly stored = new Map<string, Map<string, Draft>>()
  writes = 0
  isFull = false

  async read(account: string) {
    return [...(this.stored.get(account)?.values() ?? [])]
  }
  async write(account: string, written: Draft) {
    this.writes += 1
    if (this.isFull) throw new Error('QuotaExceededError')
    this.stored.set(account, (this.stored.get(account) ?? new Map()).set(written.key, written))
  }
  async remove(account: string, key: string) {
    this.stored.get(account)?.delete(key)
  }
  async clear() {
    this.stored.clear()
  }
}

/** Resolves when all writes have been attempted. */
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

test('a draft survives a reload, marked as restored until it is changed', async () => {
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

test('a removed draft is removed from the browser storage', async () => {
  const storage = new MemoryStorage()
  const store = new DraftStore(storage)
  await store.open('mara')
  store.put(draft('jazz'))
  await written(store)
  store.remove('jazz')
  await written(store)
  expect(await storage.read('mara')).toEqual([])
})

test('an account sees only its own drafts, and signing out removes those of all accounts', async () => {
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

test('if the storage is full, the draft stays in memory and is reported as unwritten', async () => {
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

test('at most MAX_DRAFTS drafts are stored', async () => {
  const storage = new MemoryStorage()
  const store = new DraftStore(storage)
  await store.open('mara')
  for (let index = 0; index <= MAX_DRAFTS; index += 1) store.put(draft(`list ${index}`))
  await written(store)
  expect(await storage.read('mara')).toHaveLength(MAX_DRAFTS)
  expect(store.state().hasUnwritten).toBe(true)
})

test('a change made while stored drafts are read is not replaced by the stored draft', async () => {
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
