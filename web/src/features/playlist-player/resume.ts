const STORED_AS = 'looptide.player'

/** Where the player was when the page was left. */
export type Resume = {
  /** The entry of the queue that was on. */
  key: string
  positionS: number
  isPlaying: boolean
}

/** Keeps it for a reload of this tab. */
export function storeResume(resume: Resume): void {
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify(resume))
  } catch {
    // Without storage the video starts at its beginning after a reload.
  }
}

/** What was kept for this entry of the queue; undefined if there is nothing, or it is not sound. */
export function readResume(key: string): Resume | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORED_AS) ?? 'null')
    return isResume(value) && value.key === key ? value : undefined
  } catch {
    return undefined
  }
}

/** Reads it, and forgets it: it holds for the first video after a reload. */
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
