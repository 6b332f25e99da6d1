/** Most characters of a name in a schedule document (packages/contracts/src/schedule.ts, `Name`). */
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
  const used = new Set(others.map(({ id }) => id))
  const base =
    toName(title)
      .toLowerCase()
      .slice(0, MAX_LENGTH - 4)
      .replace(/[-_]+$/, '') || 'item'
  let id = base
  for (let number = 2; used.has(id); number += 1) id = `${base}-${number}`
  return id
}
