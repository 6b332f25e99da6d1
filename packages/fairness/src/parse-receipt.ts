import type { Receipt } from './receipt.ts'

/** Bounds of what is read: a page or a command must not be stopped by a hostile file. */
const MAX_ITEMS = 100_000
const MAX_TEXT = 200

type Check = (value: unknown, path: string) => string | undefined

/** Returns what is wrong with the form of a receipt, with the path of the first fault; undefined for a receipt. */
export function faultOfForm(value: unknown): string | undefined {
  return receiptForm(value, '')
}

/** Whether a value has the form of a receipt. Its content may still be wrong. */
export const isReceipt = (value: unknown): value is Receipt => faultOfForm(value) === undefined

const text: Check = (value, path) =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT
    ? undefined
    : `${path} is not a text of 1 to ${MAX_TEXT} characters`

const integer: Check = (value, path) =>
  Number.isSafeInteger(value) && !Object.is(value, -0) ? undefined : `${path} is not an integer`

const matching =
  (pattern: RegExp, what: string): Check =>
  (value, path) =>
    typeof value === 'string' && pattern.test(value) ? undefined : `${path} is not ${what}`

const list =
  (item: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} is not a list`
    if (value.length > MAX_ITEMS) return `${path} has more than ${MAX_ITEMS} items`
    for (const [index, one] of value.entries()) {
      const fault = item(one, `${path}[${index}]`)
      if (fault !== undefined) return fault
    }
    return undefined
  }

const object =
  (members: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return `${path || 'the receipt'} is not an object`
    const given = new Map<string, unknown>(Object.entries(value))
    const prefix = path === '' ? '' : `${path}.`
    for (const name of given.keys())
      if (!Object.hasOwn(members, name)) return `${prefix}${name.slice(0, MAX_TEXT)} is unknown`
    for (const [name, check] of Object.entries(members)) {
      const fault = check(given.get(name), `${prefix}${name}`)
      if (fault !== undefined) return fault
    }
    return undefined
  }

const receiptForm = object({
  currency: matching(/^(?:turn|vote)$/, 'turn or vote'),
  decidedAt: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a time such as 2026-11-27T20:15:00.000Z'),
  isConsistent: (value, path) => (typeof value === 'boolean' ? undefined : `${path} is not true or false`),
  requests: list(object({ id: text, requestedAtMs: integer, durationMs: integer })),
  ballots: list(object({ voter: matching(/^[0-9a-f]{32}$/, 'a pseudonym'), approved: list(text) })),
  loadsBefore: list(integer),
  loadsAfter: list(integer),
  passedOver: list(object({ request: text, rule: text })),
  winner: text,
  order: list(text),
  digest: matching(/^[0-9a-f]{64}$/, 'a SHA-256 in hex'),
})
