const STORED_AS = 'looptide.player'

/** The state of the player when the page was left. */
export interface Resume {
  /** The key of the current queue entry. */
  key: string
  positionS: number
  isPlaying: boolean
}

/** Stores the state for a reload of this tab. */
export function storeResume(resume: Resume): void {
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify(resume))
  } catch {
    // Without storage the video starts at its beginning after a reload.
  }
}

/** The stored state of this queue entry; undefined if there is none, or it is invalid. */
export function readResume(key: string): Resume | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORED_AS) ?? 'null')
    return isResume(value) && value.key === key ? value : undefined
  } catch {
    return undefined
  }
}

/** Reads and removes the state: it applies only to the first video after a reload. */
export function takeResume(key: string): Resume | undefined {
  const resume = readResume(key)
  try {
    sessionStorage.removeItem(STORED_AS)
  } catch {
    return undefined
  }
  return resume
}

const isResume = (value: unknown): value is Resume =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  'positionS' in value &&
  'isPlaying' in value &&
  typeof value.positionS === 'number' &&
  value.positionS >= 0 &&
  typeof value.isPlaying === 'boolean'
