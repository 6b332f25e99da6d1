import { randomId } from './random-id.ts'

const KEY = 'looptide-viewer'

let id: string | undefined

/** A made-up number for this browser, so that one viewer's reports count once. It names nobody. */
export function viewerId(): string {
  id ??= stored() ?? randomId()
  return id
}

function stored(): string | undefined {
  try {
    const known = localStorage.getItem(KEY) ?? randomId()
    localStorage.setItem(KEY, known)
    return known
  } catch {
    return undefined
  }
}
