import type { Profile } from '@looptide/contracts/http/users'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'
import { ApiError } from '../../lib/api/api-error.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useMember } from './api.ts'

/** A user's public page: name, picture and playlists. */
export function MemberPage({ playlists }: { playlists: (member: Profile) => ReactNode }) {
  const { handle = '' } = useParams()
  const { data: member, error, mutate } = useMember(handle)
  const { userId } = useSession()
  usePageTitle(member?.handle ? `@${member.handle}` : `@${handle}`)
  const isUnknown = error instanceof ApiError && !error.isOutage

  return (
    <main id="main" className="mx-auto grid max-w-5xl gap-10 px-4 py-10 sm:px-6 lg:py-14">
      {member ? (
        <>
          <header className="flex flex-wrap items-center gap-x-6 gap-y-4">
            <Avatar name={member.handle ?? handle} url={member.avatarUrl} size="huge" />
            <div className="min-w-0 flex-1 basis-48">
              <h1 className="truncate text-3xl font-bold">
                {member.artistName ?? `@${member.handle ?? handle}`}
              </h1>
              {member.artistName && <p className="truncate text-lg text-muted">@{member.handle}</p>}
            </div>
            {member.userId === userId && (
              <Link to={paths.members()} className={buttonClass('quiet')}>
                Edit My Profile
              </Link>
            )}
          </header>
          <section aria-labelledby="playlists" className="grid gap-4">
            <h2 id="playlists" className="text-xl font-semibold">
              Public playlists
            </h2>
            {playlists(member)}
          </section>
        </>
      ) : isUnknown ? (
        <EmptyNotice heading="h1" title={`No user named @${handle}`}>
          <p>They may have changed their handle, or left.</p>
          <Link to={paths.root()} className={buttonClass('quiet')}>
            Return to Home
          </Link>
        </EmptyNotice>
      ) : error ? (
        <>
          <h1 className="sr-only">@{handle}</h1>
          <ErrorNotice text="This page could not be loaded." onRetry={() => void mutate()} />
        </>
      ) : (
        <Waiting handle={handle} />
      )}
    </main>
  )
}

function Waiting({ handle }: { handle: string }) {
  return (
    <>
      <h1 className="sr-only">@{handle}</h1>
      <div className="flex items-center gap-6">
        <Skeleton className="size-32 rounded-full" />
        <Skeleton className="h-10 w-60" />
      </div>
      <Skeleton className="h-48" />
    </>
  )
}
