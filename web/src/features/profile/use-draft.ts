import { useState } from 'react'

const KEY = 'looptide-profile-draft'

type Names = { handle: string; artistName: string }

function storedDraft(userId: string): Names | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as (Names & { userId: string }) | null
    return stored?.userId === userId ? { handle: stored.handle, artistName: stored.artistName } : undefined
  } catch {
    return undefined
  }
}

/**
 * What is being typed, kept for this tab until it is saved: a session that ends in the middle, or a reload, costs
 * nobody their text. It is given to nobody but the same person.
 */
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
