import { encodeQR } from 'qr'
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { authClient } from '../lib/clients.ts'
import { useSession } from '../lib/session/session.tsx'
import { toast } from '../ui/toast.ts'
import { createAccounts, MAX_OTHERS, type TvAccount, useOthers } from './accounts.ts'
import { type PairedSession, type PairingState, startPairing } from './pairing.ts'
import { TvButton } from './parts.tsx'
import type { Tv } from './use-tv.ts'

const accounts = createAccounts({
  storage: () => window.localStorage,
  post: (path, body) =>
    fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  adopt: authClient.adoptSession,
})

/** Who is watching: the accounts of this television, or the sign-in with another device. */
export function AccountPanel({ tv }: { tv: Tv }) {
  const session = useSession()
  const others = useOthers(accounts)
  const [isAdding, setIsAdding] = useState(false)
  const close = () => tv.setPanel('info')
  const watching = useWatching()
  const isFirst = session.status === 'signed-out' && others.length === 0
  if (isAdding || isFirst) {
    const back = isFirst ? close : () => setIsAdding(false)
    return <SignIn watching={watching} onDone={() => setIsAdding(false)} onCancel={back} />
  }
  return (
    <WhoIsWatching
      watching={watching}
      others={others}
      onAdd={() => setIsAdding(true)}
      onSignOut={watching && (() => void session.signOut())}
      onClose={close}
    />
  )
}

/** The account that is signed in. */
function useWatching(): TvAccount | undefined {
  const { userId, me, email } = useSession()
  const auth = useSyncExternalStore(authClient.onChange, authClient.state)
  if (auth.status !== 'signed-in' || userId === undefined) return undefined
  const name = me?.profile.artistName ?? me?.profile.handle ?? email ?? 'Signed in'
  return { userId, name, session: auth.session }
}

function WhoIsWatching(props: {
  watching: TvAccount | undefined
  others: readonly TvAccount[]
  onAdd: () => void
  onSignOut: (() => void) | undefined
  onClose: () => void
}) {
  const { watching, others, onAdd, onSignOut, onClose } = props
  // By name, so that none moves when another one is chosen.
  const all = [...others, ...(watching ? [watching] : [])].toSorted((a, b) => a.name.localeCompare(b.name))
  const choose = async (account: TvAccount) => {
    if (account.userId === watching?.userId) return
    const choice = await accounts.choose(account, watching)
    if (choice === 'ended') toast({ title: `${account.name} has to sign in again` })
    if (choice === 'failed') toast({ title: 'The account could not be changed. Please try again.' })
  }
  return (
    <div className="tv-main">
      <h2 className="tv-heading">Who is watching?</h2>
      <ul className="tv-list">
        {all.map((account) => (
          <li key={account.userId}>
            <TvButton className="tv-item" onPress={() => void choose(account)}>
              <bdi className="tv-name">{account.name}</bdi>
              {account.userId === watching?.userId && <span className="tv-left tv-muted">watching</span>}
            </TvButton>
          </li>
        ))}
      </ul>
      <p className="tv-muted">
        {all.length > MAX_OTHERS
          ? 'This TV has as many accounts as it can keep. Sign one out to add another one.'
          : 'This TV is one of the devices of each account. It can be signed out on any of the others, too.'}
      </p>
      <div className="tv-row">
        <TvButton isFirst onPress={onClose}>
          Close
        </TvButton>
        {all.length <= MAX_OTHERS && <TvButton onPress={onAdd}>Add an account</TvButton>}
        {onSignOut && <TvButton onPress={onSignOut}>Sign out</TvButton>}
      </div>
    </div>
  )
}

const postForm = (path: string, form: URLSearchParams): Promise<Response> =>
  fetch(path, { method: 'POST', body: form })

function SignIn(props: { watching: TvAccount | undefined; onDone: () => void; onCancel: () => void }) {
  const { watching, onDone, onCancel } = props
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<PairingState>({ kind: 'starting' })
  const adopt = useEffectEvent(async (session: PairedSession) => {
    await accounts.add(session, watching)
    onDone()
  })
  // Each attempt is a pairing of its own.
  useEffect(
    () => startPairing({ fetch: postForm, onState: setState, onSession: (session) => adopt(session) }),
    [attempt],
  )
  return (
    <>
      <div className="tv-main">
        <h2 className="tv-heading">Sign in</h2>
        <div role="status" className="tv-lines">
          <Steps state={state} />
        </div>
        {/* Another row once it is over, so that its first button gets the focus. */}
        <div key={String(isOver(state))} className="tv-row">
          {isOver(state) && (
            <TvButton isFirst onPress={() => setAttempt(attempt + 1)}>
              {state.kind === 'failed' ? 'Try again' : 'New code'}
            </TvButton>
          )}
          <TvButton isFirst onPress={onCancel}>
            Cancel
          </TvButton>
        </div>
      </div>
      <div className="tv-aside">{state.kind === 'waiting' && <QrCode text={state.urlWithCode} />}</div>
    </>
  )
}

const isOver = ({ kind }: PairingState): boolean =>
  kind === 'expired' || kind === 'denied' || kind === 'failed'

function Steps({ state }: { state: PairingState }) {
  switch (state.kind) {
    case 'starting':
      return <p>Getting a code …</p>
    case 'waiting':
      return (
        <>
          <p>On your phone or computer, scan the picture or open</p>
          <p className="tv-title">{state.url.replace(/^https?:\/\//, '')}</p>
          <p>and allow this TV with the code</p>
          <p className="tv-code">{state.code}</p>
          <p className="tv-muted">This screen goes on by itself.</p>
        </>
      )
    case 'expired':
      return <p className="tv-title">The code has expired.</p>
    case 'denied':
      return <p className="tv-title">The sign-in of this TV was denied.</p>
    case 'failed':
      return <p className="tv-title">This TV could not be signed in.</p>
    case 'done':
      return <p className="tv-title">Signed in.</p>
  }
}

/** The modules that QR readers expect to be free around a code. */
const QUIET = 4

/** A QR code as a picture: black on white, whatever the theme. */
function QrCode({ text }: { text: string }) {
  const modules = useMemo(() => encodeQR(text, 'raw', { border: QUIET }), [text])
  const path = modules
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      role="img"
      aria-label="QR code of the address"
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      className="tv-qr"
    >
      <path d={path} />
    </svg>
  )
}
