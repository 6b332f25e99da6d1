import { useState } from 'react'

const KEY = 'looptide-profile-draft'

interface Names {
  handle: string
  artistName: string
}

function storedDraft(userId: string): Names | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as (Names & { userId: string }) | null
    return stored?.userId === userId ? { handle: stored.handle, artistName: stored.artistName } : undefined
  } catch {
    return undefined
  }
}

/** Whether this tab stores unsaved names, of any account. */
export function hasStoredDraft(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

/** An unsaved form value, kept for this tab and user until it is saved, so that it survives a reload or a sign-out. */
export function useDraft(userId: string, saved: Names) {
  const [draft, setDraft] = useState(() => storedDraft(userId) ?? saved)
  const store = (write: () => void) => {
    try {
      write()
    } catch {
      // Without storage the draft lives as long as the page.
    }
  }
  return {
    draft,
    setDraft: (names: Names) => {
      setDraft(names)
      store(() => sessionStorage.setItem(KEY, JSON.stringify({ userId, ...names })))
    },
    forget: () => store(() => sessionStorage.removeItem(KEY)),
  }
}
