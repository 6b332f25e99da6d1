import { type ReactNode, useState } from 'react'
import { useSession } from '../lib/session.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Only admins have drafts. Without its code, e.g. offline, nothing can be read or removed. */
const loadDrafts = async () => (await import('../features/admin/drafts/account-drafts.ts')).drafts

/**
 * Signs out and removes the unsaved changes of the account from this browser; asks first when there are some.
 * `question` is to be rendered.
 */
export function useSignOut(): { signOut: () => Promise<void>; question: ReactNode } {
  const { userId, isAdmin, signOut } = useSession()
  const [unsaved, setUnsaved] = useState<readonly string[]>([])

  const leave = async () => {
    // First, so that nothing stays when the page is left right after.
    if (isAdmin) await loadDrafts().then((drafts) => drafts.close(), ignore)
    await signOut()
  }
  const ask = async () => {
    const labels = isAdmin && userId ? await labelsOf(userId).catch(() => []) : []
    if (labels.length > 0) setUnsaved(labels)
    else await leave()
  }
  return {
    signOut: ask,
    question: unsaved.length > 0 && (
      <ConfirmDialog
        title="Sign out and lose unsaved changes?"
        confirmLabel="Sign Out"
        onConfirm={() => void leave()}
        onCancel={() => setUnsaved([])}
      >
        <p>Unsaved: {unsaved.join(', ')}</p>
      </ConfirmDialog>
    ),
  }
}

const ignore = (): void => undefined

async function labelsOf(userId: string): Promise<string[]> {
  const drafts = await loadDrafts()
  await drafts.open(userId)
  return drafts.state().drafts.map(({ label }) => label)
}
