const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null')

/** Bytes reserved for `{"leftOut":1234567890}` and its comma. */
const LEFT_OUT_BYTES = 24

/**
 * Truncates a JSON value to `maxBytes` bytes of JSON (at least 32). A value that fits is returned unchanged. A truncated
 * array ends with `{ leftOut: <number of omitted items> }`, a truncated object has a property `leftOut` with the number
 * of omitted properties, and a truncated string ends with `…`. The longest values are truncated first.
 */
export function truncateJson(value: unknown, maxBytes: number): unknown {
  if (value === undefined || bytesOf(value) <= maxBytes) return value
  if (typeof value === 'string') return truncateText(value, maxBytes)
  if (Array.isArray(value)) return truncateArray(value, maxBytes)
  if (typeof value === 'object' && value !== null) return truncateObject(value, maxBytes)
  return null
}

function truncateText(text: string, maxBytes: number): string {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (bytesOf(`${text.slice(0, middle)}…`) <= maxBytes) low = middle
    else high = middle - 1
  }
  return `${text.slice(0, low).toWellFormed()}…`
}

function truncateArray(items: readonly unknown[], maxBytes: number): unknown[] {
  const remaining = maxBytes - 2 - LEFT_OUT_BYTES
  // One long item must not displace all others.
  const each = Math.max(32, Math.floor(remaining / 8))
  const kept: unknown[] = []
  let used = 0
  for (const item of items) {
    const fitted = truncateJson(item ?? null, Math.max(32, Math.min(each, remaining)))
    const bytes = bytesOf(fitted) + 1
    if (used + bytes > remaining) break
    kept.push(fitted)
    used += bytes
  }
  return kept.length === items.length ? kept : [...kept, { leftOut: items.length - kept.length }]
}

function truncateObject(object: object, maxBytes: number): Record<string, unknown> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  let remaining = maxBytes - 2 - LEFT_OUT_BYTES
  const kept = new Map<string, unknown>()
  // Smallest first: the unused part of their equal share goes to the longest.
  const bySize = entries.toSorted(([, a], [, b]) => bytesOf(a) - bytesOf(b))
  for (const [index, [name, value]] of bySize.entries()) {
    const overhead = bytesOf(name) + 2
    const share = Math.floor(remaining / (bySize.length - index)) - overhead
    const fitted = truncateJson(value, Math.max(32, share))
    const bytes = bytesOf(fitted) + overhead
    if (bytes > remaining) continue
    kept.set(name, fitted)
    remaining -= bytes
  }
  const inOrder = entries.filter(([name]) => kept.has(name)).map(([name]) => [name, kept.get(name)])
  const missing = entries.length - inOrder.length
  return Object.fromEntries(missing === 0 ? inOrder : [...inOrder, ['leftOut', missing]])
}
