import type { IncomingMessage } from 'node:http'

/** `first-last`, `first-` or `-suffix` (RFC 9110 §14.1.2). */
const RANGE = /^(?:(\d+)-(\d*)|-(\d+))$/

/** The first and the last byte, both included. */
type ByteRange = readonly [first: number, last: number]

/**
 * Replaces the `Range` of a request for a file by one that `@fastify/send` serves as RFC 9110 §14 says. By itself it
 * refuses invalid ranges and suffixes that are longer than the file with 416, and applies ranges to HEAD. A range is one
 * of the file as it is stored, not of its compressed form.
 */
export function readRange(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  size: number,
): void {
  const requested = method === 'GET' ? parseRanges(headers.range ?? '', size) : null
  if (requested === null) {
    delete headers.range
    return
  }
  const satisfiable = requested.filter(([first, last]) => first < size && first <= last)
  const [range] = satisfiable
  if (range === undefined) headers.range = `bytes=${size}-`
  // The whole file, instead of a body in several parts.
  else if (satisfiable.length > 1) delete headers.range
  else headers.range = `bytes=${range[0]}-${range[1]}`
  if (headers.range !== undefined) delete headers['accept-encoding']
}

/** The ranges of a `Range` header. Null for one that must be ignored: invalid, or in another unit. */
function parseRanges(header: string, size: number): ByteRange[] | null {
  const list = /^bytes=(.*)$/i.exec(header.trim())?.[1]
  if (list === undefined) return null
  const ranges: ByteRange[] = []
  // A list may have empty elements (RFC 9110 §5.6.1).
  for (const text of list.split(',').map((part) => part.trim())) {
    if (text === '') continue
    const match = RANGE.exec(text)
    if (match === null) return null
    const [, first = '', last = '', suffix] = match
    if (last !== '' && Number(first) > Number(last)) return null
    if (suffix === undefined)
      ranges.push([Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)])
    // An empty file has no byte that a range could select.
    else ranges.push(Number(suffix) === 0 ? [size, size] : [Math.max(0, size - Number(suffix)), size - 1])
  }
  return ranges.length === 0 ? null : ranges
}
