const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null')

/** Room for `{"leftOut":1234567890}` and its comma. */
const MARK_BYTES = 24

/**
 * A JSON value cut to at most `maxBytes` bytes of JSON (32 or more); one that fits is returned as it is. A list that was
 * cut ends with `{ leftOut: <number of items> }`, an object has a property `leftOut` with the number of its properties
 * that are missing, and a text ends with `…`. What is small is kept: the longest values are cut.
 */
export function truncateJson(value: unknown, maxBytes: number): unknown {
  if (value === undefined || bytesOf(value) <= maxBytes) return value
  if (typeof value === 'string') return fitText(value, maxBytes)
  if (Array.isArray(value)) return fitList(value, maxBytes)
  if (typeof value === 'object' && value !== null) return fitObject(value, maxBytes)
  return null
}

function fitText(text: string, maxBytes: number): string {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (bytesOf(`${text.slice(0, middle)}…`) <= maxBytes) low = middle
    else high = middle - 1
  }
  return `${text.slice(0, low).toWellFormed()}…`
}

function fitList(items: readonly unknown[], maxBytes: number): unknown[] {
  const room = maxBytes - 2 - MARK_BYTES
  // One long item must not push out all the others.
  const each = Math.max(32, Math.floor(room / 8))
  const kept: unknown[] = []
  let used = 0
  for (const item of items) {
    const fitted = truncateJson(item ?? null, Math.max(32, Math.min(each, room)))
    const bytes = bytesOf(fitted) + 1
    if (used + bytes > room) break
    kept.push(fitted)
    used += bytes
  }
  return kept.length === items.length ? kept : [...kept, { leftOut: items.length - kept.length }]
}

function fitObject(object: object, maxBytes: number): Record<string, unknown> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  let room = maxBytes - 2 - MARK_BYTES
  const kept = new Map<string, unknown>()
  // The smallest first: what they leave of their equal share is for the longest.
  const bySize = entries.toSorted(([, a], [, b]) => bytesOf(a) - bytesOf(b))
  for (const [index, [name, value]] of bySize.entries()) {
    const overhead = bytesOf(name) + 2
    const share = Math.floor(room / (bySize.length - index)) - overhead
    const fitted = truncateJson(value, Math.max(32, share))
    const bytes = bytesOf(fitted) + overhead
    if (bytes > room) continue
    kept.set(name, fitted)
    room -= bytes
  }
  const inOrder = entries.filter(([name]) => kept.has(name)).map(([name]) => [name, kept.get(name)])
  const missing = entries.length - inOrder.length
  return Object.fromEntries(missing === 0 ? inOrder : [...inOrder, ['leftOut', missing]])
}
