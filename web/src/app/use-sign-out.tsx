import { type ReactNode, useState } from 'react'
import { useSession } from '../lib/session/session.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Only admins have drafts. If the code cannot be loaded, e.g. offline, drafts can be neither read nor removed. */
const loadDrafts = async () => (await import('../features/admin/drafts/account-drafts.ts')).drafts

/**
 * Signs out and removes the account's unsaved changes from this browser, after a confirmation if there are any.
 * Render `confirmation`.
 */
export function useSignOut(): { signOut: () => Promise<void>; confirmation: ReactNode } {
  const { userId, isAdmin, signOut } = useSession()
  const [unsaved, setUnsaved] = useState<readonly string[]>([])

  const leave = async () => {
    // Drafts first, so that none remain if the page is closed right after.
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
    confirmation: unsaved.length > 0 && (
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
