import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { loader } from '../lib/browser/loader.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session/session.tsx'
import { useConfirm } from '../ui/use-confirm.tsx'

/** Only users of the dashboard have drafts. If the code cannot be loaded, e.g. offline, drafts can be neither read nor removed. */
const loadDrafts = loader(async () => (await import('../features/admin/drafts/account-drafts.ts')).drafts)

/**
 * Signs out and removes the account's unsaved changes from this browser. Asks first if there are any, and always for
 * an anonymous user, who cannot sign in again. Render `confirmation`.
 */
export function useSignOut(): { signOut: () => Promise<void>; confirmation: ReactNode } {
  const { userId, isAnonymous, may, signOut } = useSession()
  const navigate = useNavigate()
  const hasDrafts = may('dashboard:watch')
  const { confirm, confirmation } = useConfirm()

  const leave = async () => {
    // Drafts first, so that none remain if the page is closed right after.
    if (hasDrafts) await loadDrafts().then((drafts) => drafts.close(), ignore)
    await signOut()
  }
  const ask = async () => {
    if (isAnonymous) {
      confirm({
        title: 'Sign out and lose your playlists?',
        confirmLabel: 'Sign Out',
        text: (
          <p>You have no account, so you cannot sign in again. Create an account to keep your playlists.</p>
        ),
        alternative: { label: 'Create Account', onChosen: () => void navigate(paths.createAccount()) },
        onConfirm: leave,
      })
      return
    }
    const unsaved = hasDrafts && userId ? await labelsOf(userId).catch(() => []) : []
    if (unsaved.length === 0) return leave()
    confirm({
      title: 'Sign out and lose unsaved changes?',
      confirmLabel: 'Sign Out',
      text: <p>Unsaved: {unsaved.join(', ')}</p>,
      onConfirm: leave,
    })
  }
  return { signOut: ask, confirmation }
}

const ignore = (): void => undefined

async function labelsOf(userId: string): Promise<string[]> {
  const drafts = await loadDrafts()
  await drafts.open(userId)
  return drafts.state().drafts.map(({ label }) => label)
}
