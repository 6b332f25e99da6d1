import type { Session } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { failureText } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { UNKNOWN_DEVICE, useSessions } from './api.ts'
import { useTokenRevocation } from './tokens/use-tokens.tsx'

/** The user's sessions; each can be signed out, and all others at once. `onSignOut` ends the session of this browser. */
export function SessionsSection({ onSignOut }: { onSignOut: () => void }) {
  const { data: sessions, error, mutate, end, endOthers } = useSessions()
  const [busyWith, setBusyWith] = useState<string>()
  const tokens = useTokenRevocation()

  const act = async (id: string, work: () => Promise<void>, done: string) => {
    if (busyWith) return
    setBusyWith(id)
    try {
      await work()
      toast({ title: 'Signed Out', description: done, tone: 'success' })
    } catch (failure) {
      toast({
        title: 'Error',
        description: failureText(failure, 'Failed to sign out the device.'),
        tone: 'error',
      })
    } finally {
      setBusyWith(undefined)
    }
  }

  if (!sessions && error) {
    return <ErrorNotice text="Your devices could not be loaded." onRetry={() => void mutate()} />
  }
  if (!sessions) return <Skeleton className="h-40" />
  const others = sessions.filter((session) => !session.current)
  const endAllOthers = async () => {
    await endOthers()
    await tokens.revokeIfChosen()
  }
  const othersText = others.length === 1 ? '1 other device' : `${others.length} other devices`

  return (
    <>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {sessions
          .toSorted((a, b) => Number(b.current) - Number(a.current))
          .map((session) => (
            <Device
              key={session.id}
              session={session}
              isBusy={busyWith !== undefined}
              onSignOut={() =>
                session.current
                  ? onSignOut()
                  : void act(
                      session.id,
                      () => end(session.id),
                      `${session.device ?? UNKNOWN_DEVICE} is signed out.`,
                    )
              }
            />
          ))}
      </ul>
      {others.length > 0 ? (
        <div className="grid justify-items-start gap-2">
          {tokens.field}
          <Button
            aria-disabled={busyWith !== undefined}
            onClick={() => void act('others', endAllOthers, `${othersText} signed out.`)}
          >
            Sign Out {othersText}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">You are not signed in on other devices.</p>
      )}
    </>
  )
}

function Device(props: { session: Session; isBusy: boolean; onSignOut: () => void }) {
  const { session } = props
  const name = session.device ?? UNKNOWN_DEVICE
  return (
    <li className="flex items-center gap-4 rounded-md border border-line/70 bg-panel px-4 py-3">
      <Icon name="tv" className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-sm text-muted">
          {session.current ? (
            <span className="font-semibold text-link">This device</span>
          ) : (
            `Last used ${timeAgo(session.refreshedAt, Date.now())}`
          )}
          {` · Signed in ${timeAgo(session.createdAt, Date.now())}`}
          {session.network && ` · ${session.network}`}
        </p>
      </div>
      {session.paired && !session.current && (
        <Link to={paths.remote()} className={buttonClass('plain')}>
          Remote
        </Link>
      )}
      <Button
        tone="plain"
        aria-label={session.current ? 'Sign out this device' : `Sign out ${name}`}
        aria-disabled={props.isBusy}
        className="-mr-3"
        onClick={props.onSignOut}
      >
        Sign Out
      </Button>
    </li>
  )
}
