import { REQUEST_SOURCES } from '@looptide/contracts/schedule'

/** Maximum length of a name in a schedule document (packages/contracts/src/schedule.ts, `Name`). */
const MAX_LENGTH = 64

/** A text as a name of the document: letters, digits, `-` and `_`. Empty if nothing of it is left. */
export function toName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^[-_]+|[-_]+$/g, '')
}

/** An id made from a title that no other item has. */
export function newId(title: string, others: readonly { id: string }[]): string {
  const used = others.map(({ id }) => id)
  return unused(toName(title).toLowerCase(), 'item', used)
}

/** The name of a new source, made from a text: none that is used or reserved. */
export const newName = (text: string, others: readonly string[]): string =>
  unused(toName(text), 'source', [...others, ...REQUEST_SOURCES])

function unused(name: string, fallback: string, others: readonly string[]): string {
  const used = new Set(others)
  const base = name.slice(0, MAX_LENGTH - 4).replace(/[-_]+$/, '') || fallback
  let found = base
  for (let number = 2; used.has(found); number += 1) found = `${base}-${number}`
  return found
}
