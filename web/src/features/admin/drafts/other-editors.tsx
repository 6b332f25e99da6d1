import { topics } from '@looptide/contracts/realtime'
import { useEffect, useState } from 'react'
import { realtime } from '../../../lib/clients.ts'
import { othersEditing } from '../../../lib/realtime/presence.ts'
import { useSession } from '../../../lib/session/session.tsx'

/**
 * Shows who else is editing, e.g. "Mara is also editing this playlist.", and announces this page to other admins
 * through realtime presence while it is mounted. `draftKey` identifies what is edited; `what` is its name in the
 * sentence.
 */
export function OtherEditors({ draftKey, what }: { draftKey: string; what: string }) {
  const { userId, me } = useSession()
  const name = me?.profile.artistName ?? me?.profile.handle
  const [others, setOthers] = useState<readonly string[]>([])
  useEffect(() => {
    if (!userId || !name) return
    const subscription = realtime.subscribe('admin', topics.admin, {
      pushes: {},
      presence: {
        own: { userId, name, keys: [draftKey] },
        onChange: (all) => setOthers(othersEditing(all, draftKey, userId)),
      },
    })
    return () => {
      subscription.leave()
      setOthers([])
    }
  }, [userId, name, draftKey])
  return (
    <p role="status" className="text-sm text-muted empty:hidden">
      {others.length > 0 && `${listOf(others)} ${others.length === 1 ? 'is' : 'are'} also editing ${what}.`}
    </p>
  )
}

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
